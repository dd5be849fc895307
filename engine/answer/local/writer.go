package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/generate/chat"
	"dowse/engine/memory"
	"dowse/engine/opened"
	"dowse/models"
)

// Writer is the language model that writes answers, one at a time. The first
// question opens it, and it stays open for the next: with the weights that there
// is memory for, and with the keys and values of the last prompt, whose beginning
// the next one mostly shares.
type Writer struct {
	opened.Machine
	name  string
	costs string // folder of what passes cost on this machine
	past  string // folder of past answers
	build string // of dowse, whose kernels a cost is of
	disk  opened.DiskCosts
	keys  *Keys // of conversations; nil: they live in memory alone

	*opened.Shared[*Model]
	judging  *opened.Shared[*openVerifier] // found without opening the model
	focusing focusing
}

// Options say which model writes, and where it keeps what it learns.
type Options struct {
	Name  string
	Costs string // folder of what passes of the model cost on this machine
	Past  string // folder of past answers
	Build string // version of this program: costs of other versions are measured again
	Disk  opened.DiskCosts
	Keys  *Keys // of conversations; nil: they live in memory alone. They stay the caller's
}

// NewWriter writes on a machine.
func NewWriter(machine opened.Machine, o Options) *Writer {
	w := &Writer{Machine: machine, name: o.Name, costs: o.Costs, past: o.Past, build: o.Build, disk: o.Disk, keys: o.Keys}
	w.Shared, w.judging = opened.New(1, w.Memory, w.open), opened.New(1, nil, w.openVerifier)
	w.focusing.init(w)
	return w
}

// Close waits for the answer under way and closes the model.
func (w *Writer) Close() error {
	if w == nil {
		return nil
	}
	w.focusing.close()
	return w.Shared.Close()
}

// openVerifier is what a model was trained to say of a quotation, as long as its files
// are what they were.
type openVerifier struct {
	opened.Files
	verifier  *answer.Verifier // nil where it was not
	followUps *answer.Verifier // of questions that go on with earlier ones
}

// Close implements io.Closer.
func (*openVerifier) Close() error { return nil }

// answerTokens is the most tokens of an answer: three sentences.
const answerTokens = 128

// openVerifier reads what the model was trained to say of a quotation.
func (w *Writer) openVerifier(context.Context, *memory.Lease) (*openVerifier, error) {
	m, err := w.Find(w.name)
	if err != nil {
		return nil, err
	}
	o := &openVerifier{}
	if o.Files, err = opened.FilesOf(m); err != nil || m.Job == nil || m.Job.Confidence == (models.Confidence{}) {
		return o, err
	}
	o.verifier = verifierOf(&m.Job.Confidence)
	if o.followUps = o.verifier; m.Job.FollowUps != (models.Confidence{}) {
		o.followUps = verifierOf(&m.Job.FollowUps)
	}
	return o, nil
}

// verifierOf is the confidence of an answerer in answer's words.
func verifierOf(c *models.Confidence) *answer.Verifier {
	return &answer.Verifier{Bias: c.Bias, Support: c.Support, Assent: c.Assent, SureFrom: c.SureFrom, PerhapsFrom: c.PerhapsFrom}
}

// verifier is what the model was trained to say of a quotation for a question; nil where
// it was not, or cannot be found.
func (w *Writer) verifier(ctx context.Context, asked answer.Asked) *answer.Verifier {
	o, done, err := w.judging.Acquire(ctx)
	if err != nil || done() != nil {
		return nil
	}
	if len(asked.Follows) > 0 {
		return o.followUps
	}
	return o.verifier
}

// prompt is a question and its passages as a model is asked.
type prompt struct {
	ids   []int32
	given []answer.Passage // those that found room
}

// promptTries is how often a prompt is made: tokens of its parts need not add up
// to those of the whole.
const promptTries = 3

// prompt asks a question from as much of the passages as there is room for.
func (o *Model) prompt(question string, passages []answer.Passage) (*prompt, error) {
	return o.promptBehind("", question, passages, o.render)
}

// promptBehind asks a question that goes on with what the model has read before, in
// messages of which render makes tokens.
func (o *Model) promptBehind(before, question string, passages []answer.Passage, render func([]answer.Message) ([]int32, error)) (*prompt, error) {
	window := o.window - o.answerTokens()
	room := window - o.overhead
	for range promptTries {
		p, err := answer.Assemble(question, passages, answer.PromptOptions{
			Counter: Counter(o.Decoder.Tokenizer().Count), Tokens: room, Before: before,
			Passages: o.purpose.Passages, PassageTokens: o.purpose.PassageTokens,
		})
		if err != nil {
			return nil, err
		}
		ids, err := render(p.Messages)
		if err != nil {
			return nil, err
		}
		if len(ids) <= window {
			return newPrompt(ids, p.Given(passages))
		}
		room -= len(ids) - window
	}
	return nil, fmt.Errorf("%w, however the passages are cut", generate.ErrWindow)
}

// newPrompt is a prompt that holds some passages.
func newPrompt(ids []int32, given []answer.Passage) (*prompt, error) {
	if len(given) == 0 {
		return nil, errors.New("no passage finds room in what the model can read at once")
	}
	return &prompt{ids, given}, nil
}

// answerTokens is the most tokens of an answer: less where the model reads little
// at once.
func (o *Model) answerTokens() int { return min(answerTokens, o.window/4) }

// ChatMessages are messages as templates take them.
func ChatMessages(messages []answer.Message) []chat.Message {
	list := make([]chat.Message, len(messages))
	for i, m := range messages {
		list[i] = chat.Message{Role: m.Role, Content: m.Content}
	}
	return list
}

// write continues a prompt, and keeps what was written to draft from. The model
// declines as refusal says, or not at all.
func (o *Model) write(ctx context.Context, a *asked, refusal *generate.Refusal, emit func(text string) error) (generate.Result, error) {
	o.watched = watchDrafter(o.Drafter, o.Decoder.Tokenizer())
	chunk := 0 // a good number
	if !o.Decoder.Resident() {
		chunk = streamedChunk
	}
	return a.generator.Run(ctx, a.sequence, a.ids, generate.Options{
		Chunk: chunk, MaxTokens: o.answerTokens(), Drafter: o.watched, Shortlist: o.shortlist, Refusal: refusal,
	}, emit)
}

// read reads an answer, or what there is of it, as the model was trained to give
// it.
func (o *Model) read(checker *answer.Checker, said answer.Answer) answer.Answer {
	if o.purpose.ShortFirst {
		said.Short = checker.Short(said)
	}
	return said
}

// remember keeps an answer for later ones to draft from. Sessions are days, so
// that one can be forgotten. A disk that takes no more costs speed alone.
func (o *Model) remember(tokens []int32) {
	_ = o.past.Add(time.Now().UTC().Format(time.DateOnly), tokens)
	o.past.charge()
}
