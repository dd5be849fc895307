package app

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/dustin/go-humanize"

	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/generate/chat"
	"dowse/engine/generate/draft"
	"dowse/engine/transformer"
	"dowse/internal/config"
	"dowse/models"
	"dowse/models/pack"
	"dowse/models/tokenizer"
)

// openGenerator is a model that answers are written with.
type openGenerator struct {
	openedPack
	decoder   *transformer.Decoder
	context   *transformer.Context
	generator *generate.Generator
	drafter   *draft.Drafter
	shortlist []int32 // words that are frequent in any text
	past      *pastAnswers

	template *chat.Template
	bos, eos string
	overhead int // tokens that the template adds to those of the messages
}

// open opens the model after looking at every byte of it.
func (g *generator) open(ctx context.Context) (*openGenerator, error) {
	m, err := g.find(g.name)
	if err != nil {
		return nil, fmt.Errorf("%w, and dowse models use %s answers without", err, config.Extract)
	}
	if m.Role() != models.Answerer {
		return nil, fmt.Errorf("the model %s is an %s, and writes nothing; name an answerer with dowse models use, or run dowse models use %s", g.name, m.Role(), config.Extract)
	}
	window, err := g.window(m.Path, m.Config)
	if err != nil {
		return nil, err
	}
	o := &openGenerator{}
	if o.openedPack, err = openPack(ctx, m.Path); err == nil {
		o.decoder, err = transformer.OpenDecoder(m.Path, g.kernel, transformer.DecoderOptions{Threads: g.threads, MaxTokens: window, Ledger: g.ledger})
	}
	if err == nil {
		err = o.prepare(ctx, g)
	}
	if ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), o.close())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the model %s cannot be used: %w; run dowse models remove %s and get it again, or dowse models use %s to answer without",
			g.name, err, g.name, config.Extract), o.close())
	}
	return o, nil
}

// prepare makes what stands around the decoder.
func (o *openGenerator) prepare(ctx context.Context, g *generator) error {
	d := o.decoder
	var err error
	if o.template, err = chat.Parse(d.ChatTemplate()); err != nil {
		return err
	}
	o.bos, o.eos = boundaries(d)
	if o.overhead, err = o.measureTemplate(); err != nil {
		return err
	}
	o.generator, err = generate.New(generate.Model{Vocabulary: d.Vocabulary(), Window: d.MaxTokens(), Stop: d.Stop(), Tokenizer: d.Tokenizer()})
	if err != nil {
		return err
	}
	o.context = d.NewContext()
	options := draft.Full()
	if options.Budget.Cost, err = g.cost(ctx, o); err != nil {
		return err
	}
	o.past = openPast(g.past, d.Fingerprint(), g.ledger)
	options.History, options.Stop = o.past.History, d.Stop()
	o.drafter = draft.NewDrafter(options)
	o.shortlist = make([]int32, min(draft.DefaultFrequent, d.Vocabulary()))
	for i := range o.shortlist { // of merged pairs the most frequent come first
		o.shortlist[i] = int32(i)
	}
	return nil
}

// checkTemplate says what is wrong with the template of a pack.
func checkTemplate(path string) error {
	p, err := pack.Open(path)
	if err != nil {
		return err
	}
	_, err = chat.Parse(p.ChatTemplate())
	return errors.Join(err, p.Close())
}

// boundaries are the tokens that begin and end a text, as templates spell them.
func boundaries(d *transformer.Decoder) (bos, eos string) {
	t := d.Tokenizer()
	if ids := t.EncodeDocument("", 0); len(ids) > 0 {
		bos = t.Token(ids[0])
	}
	if stop := d.Stop(); len(stop) > 0 {
		eos = t.Token(stop[0])
	}
	return bos, eos
}

// measureTemplate counts the tokens of a prompt that says next to nothing.
func (o *openGenerator) measureTemplate() (int, error) {
	const word = "x"
	ids, err := o.render([]answer.Message{{Role: "system", Content: word}, {Role: "user", Content: word}})
	return len(ids), err
}

const (
	// usualWindow is what is read at once: engine.AnswerPassages of some 250
	// tokens each, the instructions and the answer.
	usualWindow = 2048
	// leastWindow is the room below which there is no use in asking.
	leastWindow = 512
	// workingMemory is what passes of 64 tokens take beside weights, keys and
	// values, and logits.
	workingMemory = 16 << 20
)

// window is how many tokens a model reads at once in the memory that it may
// take.
func (g *generator) window(path string, c pack.Config) (int, error) {
	want := min(usualWindow, c.MaxTokens)
	if g.memory == 0 {
		return want, nil
	}
	file, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	const scale = 2                                                                               // bytes, for each head's key and value
	token := int64(2*c.KVHeads*(c.HeadDim+scale)) * int64(c.Layers)                               // their keys and values
	fixed := file.Size() + workingMemory + pastMemory + int64(4*generate.UsualNodes*c.Vocabulary) // of 32-bit logits
	room := (g.memory - fixed) / token
	if least := min(leastWindow, want); room < int64(least) {
		return 0, fmt.Errorf("the model %s needs %s of memory and may take %s; give it more by the setting memory, or run dowse models use %s",
			g.name, humanize.IBytes(uint64(fixed+int64(least)*token)), humanize.IBytes(uint64(g.memory)), config.Extract)
	}
	return int(min(int64(want), room)), nil
}

// close gives back what of the model is open.
func (o *openGenerator) close() error {
	err := error(nil)
	if o.context != nil {
		err = o.context.Free()
	}
	if o.decoder != nil {
		err = errors.Join(err, o.decoder.Close())
	}
	return errors.Join(err, o.past.close())
}

// tokenCounter is an answer.TokenCounter.
type tokenCounter struct{ *tokenizer.Tokenizer }

// CountTokens implements answer.TokenCounter.
func (c tokenCounter) CountTokens(text string) int { return c.Count(text) }
