package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"

	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/generate/chat"
	"dowse/engine/generate/draft"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/internal/config"
	"dowse/models"
	"dowse/models/pack"
)

// openGenerator is a model that answers are written with.
type openGenerator struct {
	openedPack
	decoder   *transformer.Decoder
	context   *transformer.Sequence
	generator *generate.Generator
	purpose   models.Purpose    // what it was trained for; empty for a model as published
	refusal   *generate.Refusal // nil where nothing was trained
	key       string            // that its past answers and costs are kept by
	drafter   *draft.Drafter
	watched   *watchedDrafter // the same, of the text written last
	shortlist []int32         // words that are frequent in any text
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
		return nil, fmt.Errorf("the model %s is %s, and writes nothing; name an answerer with dowse models use, or run dowse models use %s", g.name, m.Role().WithArticle(), config.Extract)
	}
	window, budget, err := g.window(m)
	if err != nil {
		return nil, err
	}
	o := &openGenerator{}
	if o.openedPack, err = noteFiles(m); err == nil {
		o.decoder, err = transformer.OpenDecoder(ctx, m.Path, g.kernel, transformer.DecoderOptions{
			Threads: g.threads, MaxTokens: window, Budget: budget, Ledger: g.ledger, Adapter: m.Adapter,
		})
	}
	if err == nil {
		err = o.prepare(ctx, g, m)
	}
	if ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), o.Close())
	}
	if err != nil {
		return nil, errors.Join(g.unusable(err), o.Close())
	}
	return o, nil
}

// unusable says what to do about a model with which something is wrong.
func (g *generator) unusable(err error) error {
	err = streamedModelError(g.name, err, fmt.Sprintf("run dowse models remove %s and get it again", g.name))
	return fmt.Errorf("%w, or dowse models use %s to answer without", err, config.Extract)
}

// prepare makes what stands around the decoder.
func (o *openGenerator) prepare(ctx context.Context, g *generator, m models.Installation) error {
	d := o.decoder
	o.key = d.Fingerprint()
	if m.Job != nil {
		o.assume(m.Job)
	}
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
	o.context = d.NewSequence()
	options := draft.Full()
	if options.Budget.Cost, err = g.cost(ctx, o); err != nil {
		return err
	}
	o.past = openPast(g.past, o.key, g.ledger)
	options.History, options.Stop = o.past.History, d.Stop()
	o.drafter = draft.NewDrafter(options)
	o.shortlist = make([]int32, min(draft.DefaultFrequent, d.Vocabulary()))
	for i := range o.shortlist { // of merged pairs the most frequent come first
		o.shortlist[i] = int32(i)
	}
	return nil
}

// assume makes the model do what it was trained for.
func (o *openGenerator) assume(job *models.Job) {
	o.purpose = job.Purpose
	if job.AdapterSum != "" { // another model, though its pack is the same
		sum := sha256.Sum256([]byte(o.key + job.AdapterSum))
		o.key = hex.EncodeToString(sum[:])
	}
	if ids := o.decoder.Tokenizer().Encode(answer.DeclinedText); job.DeclineFrom > 0 && len(ids) > 0 {
		o.refusal = &generate.Refusal{Token: ids[0], From: job.DeclineFrom}
	}
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
	// values, and logits; beside a model that is read meanwhile, it is what drafts
	// and the logits of streamedChunk tokens take.
	workingMemory = 16 << 20
	// streamedChunk is how many tokens of a prompt are computed at a time with a
	// model that is read meanwhile, once for each chunk.
	streamedChunk = 512
)

// window is how many tokens a model reads at once in the memory that it may
// take, and what of that memory the decoder may. A model that does not fit is read
// from the disk while it answers.
func (g *generator) window(m models.Installation) (tokens int, budget int64, err error) {
	c := m.Config
	want := min(usualWindow, c.MaxTokens)
	if g.memory == 0 {
		return want, 0, nil
	}
	added, err := m.AdapterMemory()
	if err != nil {
		return 0, 0, g.unusable(err)
	}
	p, err := pack.Open(m.Path)
	if err != nil {
		return 0, 0, g.unusable(err)
	}
	model := transformer.Model{Config: c, Mapped: p.Size(), Tokenizer: p.TokenizerSize(), Resident: added}
	if err := p.Close(); err != nil {
		return 0, 0, err
	}
	const scale = 2                                                            // bytes, for each head's key and value
	token := int64(2*c.KVHeads*(c.HeadDim+scale)) * int64(c.Layers)            // their keys and values
	budget = g.memory - pastMemory - int64(4*generate.UsualNodes*c.Vocabulary) // of 32-bit logits
	least, room := min(leastWindow, want), (budget-workingMemory-model.Mapped-added)/token
	if room >= int64(least) {
		return int(min(int64(want), room)), budget, nil
	}
	limits := transformer.Limits{Budget: max(1, budget-workingMemory), Threads: g.threads} // 0 would be no limit
	if tokens = weights.LongestConversation(model, limits, least, want); tokens > 0 {
		return tokens, limits.Budget, nil
	}
	model.Config.MaxTokens = least
	_, err = weights.MakePlan(model, limits, weights.Work{Conversation: least})
	return 0, 0, fmt.Errorf("the model %s does not find room in %s: %w; give it more by the setting memory, or run dowse models use %s",
		g.name, humanize.IBytes(uint64(g.memory)), err, config.Extract)
}

// Close gives back what of the model is open.
func (o *openGenerator) Close() error {
	err := error(nil)
	if o.context != nil {
		err = o.context.Free()
	}
	if o.decoder != nil {
		err = errors.Join(err, o.decoder.Close())
	}
	return errors.Join(err, o.past.close())
}

// counter is an answer.TokenCounter.
type counter func(text string) int

// CountTokens implements answer.TokenCounter.
func (c counter) CountTokens(text string) int { return c(text) }
