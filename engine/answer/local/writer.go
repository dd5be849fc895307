package local

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"
	"time"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/generate/chat"
	"dowse/engine/memory"
	"dowse/engine/opened"
	"dowse/models"
	"dowse/models/pack"
)

// Writer is the language model that writes answers, one at a time. The first
// question opens it; it stays open with the weights that fit and the last
// prompt's keys and values, which the next prompt mostly shares.
type Writer struct {
	opened.Machine
	name  string
	costs string // folder of measured passes
	past  string // folder of past answers
	build string // of dowse: kernels differ
	disk  opened.DiskCosts
	keys  *Keys // of conversations; nil: in memory alone

	*opened.Shared[*Model]
	judging  *opened.Shared[*judgement] // read without opening the model
	focusing focusing
	using    atomic.Pointer[Model] // the open model, for Use; or nil
}

// Options name the model and its folders.
type Options struct {
	Name  string
	Costs string // folder of measured passes
	Past  string // folder of past answers
	Build string // version of dowse: other versions' costs are measured again
	Disk  opened.DiskCosts
	Keys  *Keys // of conversations, owned by the caller; nil: in memory alone
}

// NewWriter returns the Writer of a machine.
func NewWriter(machine opened.Machine, o Options) *Writer {
	w := &Writer{Machine: machine, name: o.Name, costs: o.Costs, past: o.Past, build: o.Build, disk: o.Disk, keys: o.Keys}
	w.Shared, w.judging = opened.New(1, w.Memory, w.open), opened.New(1, nil, w.openJudgement)
	w.focusing.init(w)
	return w
}

// Close waits for the running answer and closes the model.
func (w *Writer) Close() error {
	if w == nil {
		return nil
	}
	w.focusing.close()
	return w.Shared.Close()
}

// judgement is how a model's answers are judged, valid while its files are
// unchanged: a trained model verifies, another one reads and is judged.
type judgement struct {
	opened.Files
	verifier  *answer.Verifier // nil without training to verify
	followUps *answer.Verifier // for follow-ups
	judge     *answer.Judge    // nil of a trained model
}

func (*judgement) Close() error { return nil }

// answerTokens bounds an answer: three sentences.
const answerTokens = 128

func (w *Writer) openJudgement(context.Context, *memory.Lease) (*judgement, error) {
	m, err := w.Find(w.name)
	if err != nil {
		return nil, err
	}
	o := &judgement{judge: judgeOf(m)}
	if o.Files, err = opened.FilesOf(m); err != nil || o.judge != nil || m.Job.Confidence == (models.Confidence{}) {
		return o, err
	}
	o.verifier = verifierOf(&m.Job.Confidence)
	if o.followUps = o.verifier; m.Job.FollowUps != (models.Confidence{}) {
		o.followUps = verifierOf(&m.Job.FollowUps)
	}
	return o, nil
}

// judgeOf is the judge of a model that was not trained to decline; nil of one
// that was.
func judgeOf(m models.Installation) *answer.Judge {
	if m.Job != nil && m.Job.DeclineFrom > 0 {
		return nil
	}
	judge := answer.UsualJudge
	if m.Job != nil && m.Job.Confidence.OfReading() {
		c := &m.Job.Confidence
		judge = answer.Judge{Bias: c.Bias, Agreement: c.Agreement, Asked: c.Asked, Support: c.Support, SureFrom: c.SureFrom, PerhapsFrom: c.PerhapsFrom, WrittenFrom: c.WrittenFrom}
	}
	return &judge
}

func verifierOf(c *models.Confidence) *answer.Verifier {
	return &answer.Verifier{Bias: c.Bias, Support: c.Support, Assent: c.Assent, SureFrom: c.SureFrom, PerhapsFrom: c.PerhapsFrom}
}

// judgement is the model's verifier for a question, or its judge, or neither
// where its files cannot be read.
func (w *Writer) judgement(ctx context.Context, asked answer.Asked) (*answer.Verifier, *answer.Judge) {
	o, done, err := w.judging.Acquire(ctx)
	if err != nil || done() != nil {
		return nil, nil
	}
	if len(asked.Follows) > 0 {
		return o.followUps, o.judge
	}
	return o.verifier, o.judge
}

// prompt is the tokens of a question and its passages.
type prompt struct {
	ids   []int32
	given []answer.Passage // those that fit
}

// promptTries bounds the attempts: tokens of parts need not add up to the
// whole's.
const promptTries = 3

// prompt asks a question with as many passages as fit.
func (o *Model) prompt(question string, passages []answer.Passage) (*prompt, error) {
	return o.promptBehind("", question, passages, o.render)
}

// promptBehind asks a question after the text before; render tokenizes its
// messages.
func (o *Model) promptBehind(before, question string, passages []answer.Passage, render func([]answer.Message) ([]int32, error)) (*prompt, error) {
	window := o.window - o.answerTokens()
	room := window - o.overhead
	for range promptTries {
		p, err := answer.Assemble(question, passages, answer.PromptOptions{
			Counter: Counter(o.Decoder.Tokenizer().Count), Tokens: room, Before: before,
			Passages: o.purpose.Passages, PassageTokens: o.purpose.PassageTokens, Answerable: o.reads,
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

func newPrompt(ids []int32, given []answer.Passage) (*prompt, error) {
	if len(given) == 0 {
		return nil, errors.New("no passage finds room in what the model can read at once")
	}
	return &prompt{ids, given}, nil
}

// answerTokens bounds an answer; less for small windows.
func (o *Model) answerTokens() int { return min(answerTokens, o.window/4) }

// ChatMessages converts messages for templates.
func ChatMessages(messages []answer.Message) []chat.Message {
	list := make([]chat.Message, len(messages))
	for i, m := range messages {
		list[i] = chat.Message{Role: m.Role, Content: m.Content}
	}
	return list
}

// write continues a prompt. The model may decline as refusal says.
func (o *Model) write(ctx context.Context, a *request, refusal *generate.Refusal, emit func(text string) error) (generate.Result, error) {
	o.watched = watchDrafter(o.Drafter, o.Decoder.Tokenizer())
	o.use.begin()
	chunk := 0 // the usual
	if !o.Decoder.Resident() {
		chunk = streamedChunk
	}
	return a.generator.Run(ctx, a.sequence, a.ids, generate.Options{
		Chunk: chunk, MaxTokens: o.answerTokens(), Drafter: o.watched, Shortlist: o.shortlist, Refusal: refusal, Progress: a.progress,
	}, func(text string) error {
		o.use.wrote(o.Decoder, o.watched.generation().Tokens)
		return emit(text)
	})
}

// markShort finds the short answer of a model that is trained to begin with it.
func (o *Model) markShort(checker *answer.Checker, said answer.Answer) answer.Answer {
	if o.purpose.ShortFirst {
		said.Short = checker.Short(said)
	}
	return said
}

// remember stores an answer for drafting. Sessions are days, so that one can be
// forgotten. A full disk costs speed alone.
func (o *Model) remember(tokens []int32) {
	_ = o.past.Add(time.Now().UTC().Format(time.DateOnly), tokens)
	o.past.charge()
}

// noteWaits shows the answer so far with a note while the disk keeps the model
// waiting, until done is called.
func (w *writing) noteWaits(model *Model, soFar func() engine.Answer) (done func()) {
	if w.observe == nil {
		return func() {}
	}
	model.Decoder.TellWaits(func(waited time.Duration) {
		grown := soFar()
		grown.Note = fmt.Sprintf("the disk keeps the model waiting for its weights: %.0f s so far", waited.Seconds())
		w.show(grown)
	})
	return func() { model.Decoder.TellWaits(nil) }
}

// failed says what to do where a model failed during an answer.
func (w *Writer) failed(err error) error {
	err = fmt.Errorf("the model %s failed: %w", w.name, err)
	switch {
	case errors.Is(err, syscall.ENOMEM):
		err = fmt.Errorf("%w; this machine has no memory left for it: close other programs, or choose a smaller model", err)
	case errors.Is(err, syscall.EIO):
		err = fmt.Errorf("%w; the disk could not be read: look after it, or get the model again", err)
	case errors.Is(err, pack.ErrTruncated), errors.Is(err, pack.ErrCorrupt):
		err = fmt.Errorf("%w; its file was changed while it was read: get the model again", err)
	default:
		return err
	}
	return fmt.Errorf("%w, or run dowse models use %s to answer without", err, engine.Extracted)
}
