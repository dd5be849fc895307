package answer

import "strings"

// kind is what a question asks for.
type kind uint8

// The kinds of questions.
const (
	asksOther kind = iota
	asksWho
	asksWhen
	asksWhere
	asksWhy
	asksHow
	asksHowMany
	asksHowMuch
	asksHowLong // and how old, how far, how often
	asksWhich
	asksWhat   // what NOUN
	asksWhatIs // what is, what was
	asksWhatDo // what did ... do
	asksWhether
	asksYear
	asksShare // what percentage
	asksPerson
	asksPlace
	asksToDo // how do I, how to, which command
	kinds
)

// question is a question as the extractor sees it.
type question struct {
	text  string
	kind  kind
	focus string // the stem of the noun after what or which, "" without
	terms []askedTerm
	total float64 // weight of all terms
}

// askedTerm is a term of a question.
type askedTerm struct {
	term   string
	weight float64 // by rarity
	name   bool    // written with a capital, or a number
	// place tells where the term stands: 0 to 3 how many content words come
	// between it and the question word, 4 last, 5 last but one, 6 any other, 7
	// before the question word.
	place int
	rank  int // by weight, from 0
}

// questionWords say what is asked, not what about.
var questionWords = wordSet(`what which who whom whose when where why how do does did is are was were has have had
	can could would should will may might i you me my we our be been much many`)

// focusKinds are the kinds that a noun after what or which stands for.
var focusKinds = func() map[string]kind {
	table := make(map[string]kind)
	for k, words := range map[kind]string{
		asksYear: "year", asksWhen: "date day month century decade era time period season",
		asksShare: "percentage percent proportion share fraction", asksHowMany: "number amount",
		asksPlace: "country city state place location region continent county river town province area borough",
		asksPerson: `person people man woman president king emperor queen leader author scientist actor actress player
			coach singer writer artist founder inventor philosopher governor`,
		asksToDo: "command shortcut hotkey keybinding",
	} {
		for _, w := range strings.Fields(words) {
			table[w] = k
		}
	}
	return table
}()

// parseQuestion finds out what a question asks for. weigh gives the weight of
// a term.
func parseQuestion(text string, analyzer Analyzer, weigh func(string) float64) *question {
	q := &question{text: text}
	tokens := tokenize(text, Range{0, len(text)})
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = strings.ToLower(text[t.Start:t.End])
	}
	asked := q.classify(words, analyzer)
	seen := make(map[string]bool)
	after := 0
	for i, t := range tokens {
		word := text[t.Start:t.End]
		if questionWords[words[i]] {
			continue
		}
		name := i > 0 && word != words[i] || strings.ContainsAny(word, "0123456789")
		for _, term := range analyzer.Append(nil, word) {
			if seen[term] {
				continue
			}
			seen[term] = true
			place := 7
			if i > asked {
				place = cond(after < 4, after, 6)
				after++
			}
			q.terms = append(q.terms, askedTerm{term: term, weight: weigh(term), name: name, place: place})
		}
	}
	n := len(q.terms)
	for back := 1; back <= 2 && n-back >= 0; back++ {
		if t := &q.terms[n-back]; t.place > 0 && t.place != 7 {
			t.place = 3 + back
		}
	}
	for rank, i := range rankBy(n, func(i int) float64 { return q.terms[i].weight }) {
		q.terms[i].rank = rank
	}
	for _, t := range q.terms {
		q.total += t.weight
	}
	return q
}

// classify sets the kind and the focus, and returns which word asks.
func (q *question) classify(words []string, analyzer Analyzer) (asked int) {
	for i, w := range words {
		next, after := "", ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		if i+2 < len(words) {
			after = words[i+2]
		}
		switch w {
		case "who", "whom", "whose":
			q.kind = asksWho
		case "when":
			q.kind = asksWhen
		case "where":
			q.kind = asksWhere
		case "why":
			q.kind = asksWhy
		case "how":
			q.kind = howKind(next, after)
		case "what", "which":
			q.kind = q.whatKind(w, words[i+1:], analyzer)
		default:
			continue
		}
		return i
	}
	if len(words) > 0 && questionWords[words[0]] {
		q.kind = asksWhether
	}
	return -1
}

func howKind(next, after string) kind {
	switch next {
	case "many":
		return asksHowMany
	case "much":
		return asksHowMuch
	case "long", "old", "far", "often", "tall", "high", "large", "big", "fast", "deep", "wide", "heavy":
		return asksHowLong
	case "to":
		return asksToDo
	case "do", "can", "should", "would":
		if after == "i" || after == "you" || after == "we" || after == "one" {
			return asksToDo
		}
	}
	return asksHow
}

func (q *question) whatKind(asking string, rest []string, analyzer Analyzer) kind {
	if len(rest) == 0 {
		return asksWhat
	}
	switch rest[0] {
	case "is", "are", "was", "were", "'s", "’s":
		// "What is the name of", "what was the year": the noun says it.
		for _, w := range rest[1:min(4, len(rest))] {
			if k, ok := focusKinds[w]; ok {
				q.setFocus(w, analyzer)
				return k
			}
		}
		return asksWhatIs
	case "do", "does", "did", "has", "have", "had", "can", "could", "would", "will", "should":
		return asksWhatDo
	}
	for _, w := range rest[:min(3, len(rest))] {
		if questionWords[w] || ownClasses[w] != 0 {
			break
		}
		if k, ok := focusKinds[w]; ok {
			q.setFocus(w, analyzer)
			return k
		}
	}
	q.setFocus(rest[0], analyzer)
	if asking == "which" {
		return asksWhich
	}
	return asksWhat
}

func (q *question) setFocus(word string, analyzer Analyzer) {
	if terms := analyzer.Append(nil, word); len(terms) > 0 {
		q.focus = terms[0]
	}
}

// short says whether the question asks for something that a few words say.
func (q *question) short() bool {
	switch q.kind {
	case asksWhy, asksHow, asksToDo, asksWhether, asksOther:
		return false
	}
	return true
}
