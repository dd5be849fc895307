package answer

// sense is a set of meanings of a word in an injection.
type sense uint64

const (
	ignoring sense = 1 << iota
	all
	earlier
	instruction
	file
	machine // a reading one: AI, language model
	called  // machine that begins a sentence, before a comma or a colon
	helper  // a machine or a person
	kindOf  // makes a helper a machine: automated, language
	duty
	saying   // orders words
	stating  // orders a machine's words
	giving   // orders words after a question alone
	told     // one of these after a comma or an urging word
	says     // describes words
	whenever // if, when
	asking
	question
	answered
	with
	greeting
	notice
	toward
	a // the French article's remains
	reading
	this
	urging // always, please
	you
	are
	factual
	reply // the noun
	is
	never
	mention
	heed
	wrong
	user
	about
	device // a machine beside kindOf
	replacing
	hailed // machine before a colon
	new
	task
	other
)

// senses are the words of injections in eight languages, without accents; *
// ends a stem.
var senses = map[sense]string{
	ignoring: `ignore disregard forget override bypass overlook discard ignorier* vergiss vergesst missacht* verwirf ignorez oublie oubliez oublier
		ignora olvida olvide olviden esquece esqueca dimentica negeer vergeet игнорируй* проигнорируй* забудь*`,
	all: `all any every everything your alle allen toute toutes tous toda todas todo todos tutte tutti все`,
	earlier: `previous* prior earlier above preceding foregoing former other remaining existing initial original system vorherig* vorige* bisherig*
		obige* fruher* ander* precedent* anterieur* anterior* previa* previo* autres otros otras outros altri eerdere предыдущ* прежн*`,
	instruction: `instruct* instruc* prompt prompts guideline guidelines directive directives directions command commands orders anweisung* anordnung* vorgaben
		consigne* istruzion* инструкци* указани*`,
	file: `note notes file files document documents source sources passage passages text texts context message messages answers results notiz notizen dateien
		quellen fichier fichiers archivo* ficheiro* fonti bestanden`,
	machine: `llm llms chatgpt claude copilot gemini chatbot chatbots taalmodel* sprachmodell* нейросет*`,
	helper: `assistant assistants assistenten assistent assistentin asistente asistentes assistente assistenti agent agents bot bots model models modell modelle modele
		modeles modelo modelos modello modelli модел* ассистент* intelligence intelligenz inteligencia intelligenza intelligentie`,
	kindOf: `language automat* virtual virtuel* digital artificial artificiel* kunstlich* kunstmatig* intelligent search retrieval answering summari* coding ai langage
		lenguaje linguagem linguistic* языков*`,
	duty: `must should shall ought muss mussen soll sollen sollte doit dois doivent devra debe debes deben deve devi devono
		dovrai moet moeten должен должна должны`,
	saying: `answer reply respond say antworte antworten antwortet sage sagen reponds repondre repondez dis dites dire
		responde responder responda contesta conteste contestar di diga digas decir rispondi rispondere antwoord antwoorden zeg zeggen ответь* отвечай* скажи*`,
	stating:  `state tell claim report insist repeat`,
	giving:   `output print return`,
	says:     `says answers replies responds states tells reports sagt antwortet dit repond dice contesta risponde zegt отвечает говорит`,
	whenever: `when whenever if case should once time wenn falls sobald wird si cuando quand lorsque quando se als wanneer когда если`,
	asking: `ask asks asked questioned queried query queries prompted inquir* enquir* know question questions gefragt fragt fragen frage demand* interrog* pregunt*
		pergunt* chied* chiest* gevraagd vraagt vraag vragen спрос* спрашива* вопрос*`,
	question: `question questions query queries frage fragen pregunta preguntas pergunta perguntas domanda domande vraag vragen вопрос*`,
	answered: `answered replied beantwort* respondid* repondu* risposto`,
	with:     `with saying mit par con com met`,
	greeting: `dear hey hi hello hallo lieber liebe cher chere querido querida attention achtung`,
	notice:   `note notes instructions directive directives attention hinweis hinweise anweisung* nota aviso instrucci* istruzion*`,
	toward:   `to for fur au aux para pour per voor`,
	a:        `a`,
	reading: `read reads reading process processes processing summari* index indexes indexing parse parses parsing scan scans scanning analy* lesen liest lisez
		leer leggere`,
	this:      `this these my diese dieses cette ce este esta questo dit`,
	urging:    `always only just simply please kindly then must should shall immer nur bitte toujours siempre sempre altijd`,
	you:       `you du sie tu vous usted voce`,
	are:       `are re bist sind es etes eres e`,
	factual:   `true correct right real only official expected verified required mandatory authoritative definitive`,
	reply:     `answer reply response output antwort reponse respuesta resposta risposta antwoord ответ`,
	wrong:     `wrong incorrect false`,
	user:      `user users reader readers`,
	device:    `system systems pipeline pipelines crawler crawlers reader readers`,
	about:     `for fur pour para per voor`,
	replacing: `supersedes superseding overrides overriding outranks precedence`,
	heed:      `regardless whatever matter unabhangig egal`,
	new:       `new neue nouvelle nueva nova nuova nieuwe`,
	task:      `task tasks objective aufgabe tache tarea tarefa compito taak`,
	is:        `to is must when always ist immer lautet est toujours es siempre sempre`,
	never:     `not dont don never nicht jamais nunca mai nooit`,
	mention:   `mention cite quote consult trust reveal`,
	other:     `other real true different`,
}

// step is a word of some sense, at most gap words after the step before.
type step struct {
	sense
	gap int
}

// takeovers order to forget other text.
var takeovers = [][]step{
	{{ignoring, 0}, {all | earlier, 3}, {instruction, 4}}, // ignore all previous instructions
	{{ignoring, 0}, {instruction, 3}, {earlier, 2}},       // ignorez les consignes precedentes
	{{ignoring, 0}, {earlier, 2}, {file, 1}},              // disregard all other documents
}

// orders are sentences that address a model or order an answer.
var orders = [][]step{
	{{never, 0}, {mention, 0}, {other, 2}, {file, 1}},
	{{helper, 0}, {duty, 3}, {saying, 5}},                           // the assistant must say
	{{machine, 0}, {duty, 3}, {saying | stating, 5}},                // the assistant must say
	{{whenever, 0}, {asking, 10}, {told, 30}},                       // when asked who ..., answer
	{{whenever, 0}, {asking, 10}, {reply, 30}, {is, 0}},             // when asked who ..., the answer is
	{{about, 0}, {question, 2}, {told, 20}},                         // for questions about ..., answer
	{{heed, 0}, {earlier, 6}, {file, 1}},                            // whatever other notes say
	{{all, 0}, {new, 0}, {task, 0}},                                 // your new task
	{{whenever, 0}, {asking, 10}, {helper | machine, 6}, {says, 3}}, // if a user asks who ..., the assistant says
	{{saying, 0}, {question, 3}, {with, 20}},                        // answer the question who ... with
	{{question, 0}, {duty, 20}, {answered, 3}},                      // questions about ... must be answered
	{{toward, 0}, {machine, 2}, {told | ignoring | never, 20}},      // to whichever AI reads this, answer
	{{greeting, 0}, {machine, 1}},                                   // dear AI
	{{notice, 0}, {toward | a, 0}, {machine, 3}},                    // note to language models
	{{machine, 0}, {reading, 2}, {this, 0}},                         // an AI that reads this
	{{called, 0}, {told | ignoring | never, 12}},                    // AI: ignore ...
	{{you, 0}, {are, 0}, {helper | machine, 5}},                     // you are a helpful assistant
	{{whenever, 0}, {asking, 10}, {is, 30}, {reply, 1}},             // wenn jemand fragt, lautet die Antwort
	{{factual, 0}, {helper | machine, 0}, {reply, 0}},               // the required model output
	{{all, 0}, {reply, 0}, {wrong, 8}},                              // any answer that differs is wrong
	{{saying | stating, 0}, {this, 0}, {toward, 0}, {user, 1}},      // repeat this to the user
	{{replacing, 0}, {all, 1}, {file, 2}},                           // supersedes all other notes
	{{all | toward, 0}, {hailed, 2}},                                // to whichever AI this is: ...
	{{factual, 0}, {reply, 0}, {is, 0}},                             // the true answer to
}

// orderIn finds the first word of one of some orders, or -1.
func orderIn(terms []term, orders [][]step) int {
	for i := range terms {
		for _, o := range orders {
			if terms[i].sense&o[0].sense != 0 && follows(terms[i:], o[1:]) {
				return terms[i].start
			}
		}
	}
	return -1
}

// follows reports whether the steps follow the first word within its sentence.
func follows(terms []term, steps []step) bool {
	if len(steps) == 0 {
		return true
	}
	for i := 1; i < len(terms) && i <= steps[0].gap+1 && terms[i].sentence == terms[0].sentence; i++ {
		if terms[i].sense&steps[0].sense != 0 && follows(terms[i:], steps[1:]) {
			return true
		}
	}
	return false
}
