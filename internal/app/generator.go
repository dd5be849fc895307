package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/generate/chat"
	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/internal/config"
	"dowse/models"
)

// generator is the language model that writes answers, one at a time. The first
// question opens it, and it stays open for the next: with the weights that there
// is memory for, and with the keys and values of the last prompt, whose beginning
// the next one mostly shares.
type generator struct {
	name    string
	find    func(name string) (models.Installation, error)
	kernel  *kernel.Kernel
	ledger  *memory.Ledger
	threads int
	memory  int64  // bytes that weights and conversation may take; 0 for any number
	costs   string // folder of what passes cost on this machine
	past    string // folder of past answers

	*inTurn[*openGenerator]
	judging *inTurn[*openVerifier] // found without opening the model
}

// openVerifier is what a model was trained to say of a quotation, as long as its files
// are what they were.
type openVerifier struct {
	openedPack
	verifier *answer.Verifier // nil where it was not
}

// Close implements io.Closer.
func (*openVerifier) Close() error { return nil }

// answerTokens is the most tokens of an answer: three sentences.
const answerTokens = 128

// newGenerator is the model that writes, on the kernels of the
// embedder: nil where answers are extracted.
func (a *App) newGenerator(k *kernel.Kernel, ledger *memory.Ledger) *generator {
	name := a.answerer()
	if name == config.Extract {
		return nil
	}
	g := &generator{
		name: name, find: a.findModel, kernel: k, ledger: ledger, threads: a.Config.Threads, memory: a.modelMemory(),
		costs: filepath.Join(a.Home.Cache, "generate"), past: a.pastFolder(),
	}
	g.inTurn, g.judging = newInTurn(g.open), newInTurn(g.openVerifier)
	return g
}

// close waits for the answer under way and closes the model.
func (g *generator) close() error {
	if g == nil {
		return nil
	}
	return g.inTurn.close()
}

// openVerifier reads what the model was trained to say of a quotation.
func (g *generator) openVerifier(context.Context) (*openVerifier, error) {
	m, err := g.find(g.name)
	if err != nil {
		return nil, err
	}
	o := &openVerifier{}
	if o.openedPack, err = noteFiles(m); err != nil || m.Job == nil || m.Job.Confidence == (models.Confidence{}) {
		return o, err
	}
	c := m.Job.Confidence
	o.verifier = &answer.Verifier{Bias: c.Bias, Support: c.Support, Assent: c.Assent, SureFrom: c.SureFrom, PerhapsFrom: c.PerhapsFrom}
	return o, nil
}

// verifier is what the model was trained to say of a quotation; nil where it was not,
// or cannot be found.
func (g *generator) verifier(ctx context.Context) *answer.Verifier {
	o, err := g.judging.acquire(ctx)
	if err != nil {
		return nil
	}
	defer g.judging.release()
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
func (o *openGenerator) prompt(question string, passages []answer.Passage) (*prompt, error) {
	window := o.decoder.MaxTokens() - o.answerTokens()
	room := window - o.overhead
	for range promptTries {
		p, err := answer.Assemble(question, passages, answer.PromptOptions{
			Counter: counter(o.decoder.Tokenizer().Count), Tokens: room,
			Passages: o.purpose.Passages, PassageTokens: o.purpose.PassageTokens,
		})
		if err != nil {
			return nil, err
		}
		ids, err := o.render(p.Messages)
		if err != nil {
			return nil, err
		}
		if len(ids) <= window {
			return newPrompt(ids, passages, p.Numbers)
		}
		room -= len(ids) - window
	}
	return nil, fmt.Errorf("%w, however the passages are cut", generate.ErrWindow)
}

// newPrompt notes which passages a prompt holds.
func newPrompt(ids []int32, passages []answer.Passage, numbers []int) (*prompt, error) {
	p := &prompt{ids, givenPassages(passages, numbers)}
	if len(p.given) == 0 {
		return nil, errors.New("no passage finds room in what the model can read at once")
	}
	return p, nil
}

// givenPassages are those of the numbers that a prompt holds, in its order.
func givenPassages(passages []answer.Passage, numbers []int) []answer.Passage {
	var given []answer.Passage
	for _, n := range numbers {
		for _, p := range passages {
			if p.Number == n {
				given = append(given, p)
			}
		}
	}
	return given
}

// answerTokens is the most tokens of an answer: less where the model reads little
// at once.
func (o *openGenerator) answerTokens() int { return min(answerTokens, o.decoder.MaxTokens()/4) }

// render makes the tokens of messages by the model's template.
func (o *openGenerator) render(messages []answer.Message) ([]int32, error) {
	rendered, err := o.template.Render(chatMessages(messages), chat.Options{
		AddGenerationPrompt: true, BOS: o.bos, EOS: o.eos, Now: time.Now(),
		Flags: map[string]bool{"enable_thinking": false}, // of Qwen3: an answer is wanted at once
	})
	if err != nil {
		return nil, fmt.Errorf("its chat template does not take the question: %w", err)
	}
	return rendered.Encode(o.decoder.Tokenizer()), nil
}

// chatMessages are messages as templates take them.
func chatMessages(messages []answer.Message) []chat.Message {
	list := make([]chat.Message, len(messages))
	for i, m := range messages {
		list[i] = chat.Message{Role: m.Role, Content: m.Content}
	}
	return list
}

// write continues a prompt, and keeps what was written to draft from. The model
// declines as refusal says, or not at all.
func (o *openGenerator) write(ctx context.Context, ids []int32, refusal *generate.Refusal, emit func(text string) error) (generate.Result, error) {
	o.watched = watchDrafter(o.drafter, o.decoder.Tokenizer())
	chunk := 0 // a good number
	if !o.decoder.Resident() {
		chunk = streamedChunk
	}
	return o.generator.Run(ctx, o.context, ids, generate.Options{
		Chunk: chunk, MaxTokens: o.answerTokens(), Drafter: o.watched, Shortlist: o.shortlist, Refusal: refusal,
	}, emit)
}

// read reads an answer, or what there is of it, as the model was trained to give
// it.
func (o *openGenerator) read(checker *answer.Checker, said answer.Answer) answer.Answer {
	if o.purpose.ShortFirst {
		said.Short = checker.Short(said)
	}
	return said
}

// remember keeps an answer for later ones to draft from. Sessions are days, so
// that one can be forgotten. A disk that takes no more costs speed alone.
func (o *openGenerator) remember(tokens []int32) {
	_ = o.past.Add(time.Now().UTC().Format(time.DateOnly), tokens)
	o.past.charge()
}
