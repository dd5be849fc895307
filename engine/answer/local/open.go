package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/generate/chat"
	"dowse/engine/generate/draft"
	"dowse/engine/kernel"
	"dowse/engine/kv/contexts"
	"dowse/engine/memory"
	"dowse/engine/opened"
	"dowse/engine/transformer"
	"dowse/models"
	"dowse/models/pack"
)

// Model is an open language model.
type Model struct {
	opened.Files
	Decoder   *transformer.Decoder
	Context   *transformer.Sequence // of the last prompt and its answer
	window    int                   // its most tokens
	generator *generate.Generator

	conversations *contexts.Manager
	conversing    *generate.Generator // with the window of a conversation
	keys          *Keys               // of the manager; nil without
	shared        bool                // conversations and Context share one's memory

	purpose   models.Purpose    // of its training; bounds alone for a published model
	reads     bool              // the passages itself, since it was not trained to decline
	refusal   *generate.Refusal // nil without training to decline
	key       string            // names its past answers and costs
	Drafter   *draft.Drafter
	watched   *watchedDrafter // Drafter for the last text
	shortlist []int32         // tokens frequent in any text
	past      *pastAnswers
	use       useGauge
	reading   float64 // seconds of a token of the prompt
	forget    func()  // removes the model from Writer.using; nil before

	template *chat.Template
	bos, eos string
	overhead int // of the template, beside the messages'
}

// open opens the model after verifying all its bytes.
func (w *Writer) open(ctx context.Context, lease *memory.Lease) (*Model, error) {
	m, err := w.Find(w.name)
	if err != nil {
		return nil, fmt.Errorf("%w, and dowse models use %s answers without", err, engine.Extracted)
	}
	if m.Role() != models.Answerer {
		return nil, fmt.Errorf("the model %s is %s, and writes nothing; name an answerer with dowse models use, or run dowse models use %s", w.name, m.Role().WithArticle(), engine.Extracted)
	}
	room, err := w.window(ctx, m, lease)
	if err != nil {
		return nil, err
	}
	o := &Model{window: room.tokens, shared: room.budget > 0}
	if o.Files, err = opened.FilesOf(m); err == nil {
		o.Decoder, err = w.openDecoder(ctx, m, room)
	}
	if err == nil {
		o.stretch(lease, room.budget)
		err = o.prepare(ctx, w, m)
	}
	if err == nil {
		w.using.Store(o)
		o.forget = func() { w.using.CompareAndSwap(o, nil) }
	}
	if ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), o.Close())
	}
	if err != nil {
		return nil, errors.Join(w.unusable(err), o.Close())
	}
	return o, nil
}

// stretch lets the weights of a streamed model follow the lease, of which
// budget bytes were theirs.
func (o *Model) stretch(lease *memory.Lease, budget int64) {
	if !o.Decoder.Elastic() {
		return
	}
	beside := lease.Most() - budget
	lease.Elastic(o.Decoder.Least()+beside, func() {
		most := lease.Most()
		o.Decoder.SetBudget(most-beside, func(bytes int64) { lease.Held(most, bytes+beside) })
	})
}

// openDecoder opens a model's pack, or its row pack where the pack does not
// fit.
func (w *Writer) openDecoder(ctx context.Context, m models.Installation, r room) (*transformer.Decoder, error) {
	options := transformer.DecoderOptions{
		Threads: w.Threads, MaxTokens: r.conversation, Budget: r.budget, Ledger: w.Ledger, Adapter: m.Adapter,
	}
	if !r.swapped {
		return transformer.OpenDecoder(ctx, m.Path, w.Kernel, options)
	}
	options.Disk = r.disk
	if r.pays { // otherwise whole layers are read, and leaving inputs out spares nothing
		var err error
		if options.Sparsity, err = opened.Sparsity(m); err != nil {
			return nil, err
		}
	}
	return transformer.OpenDecoder(ctx, m.Rows, w.Kernel, options)
}

// unusable says what to do about a faulty model.
func (w *Writer) unusable(err error) error {
	err = opened.UnusableStreamed(w.name, err, fmt.Sprintf("run dowse models remove %s and get it again", w.name))
	return fmt.Errorf("%w, or dowse models use %s to answer without", err, engine.Extracted)
}

// prepare makes what the decoder needs to answer.
func (o *Model) prepare(ctx context.Context, w *Writer, m models.Installation) error {
	d := o.Decoder
	o.key = d.Fingerprint()
	if m.Job != nil {
		o.assume(m.Job)
	}
	if o.reads = judgeOf(m) != nil; o.reads && o.purpose.PassageTokens == 0 {
		o.purpose.PassageTokens = readTokens
	}
	var err error
	if o.template, err = chat.Parse(d.ChatTemplate()); err != nil {
		return err
	}
	o.bos, o.eos = boundaries(d)
	if o.overhead, err = o.measureTemplate(); err != nil {
		return err
	}
	of := generate.Model{Vocabulary: d.Vocabulary(), Window: o.window, Stop: d.Stop(), Tokenizer: d.Tokenizer()}
	if o.generator, err = generate.New(of); err != nil {
		return err
	}
	o.Context = d.NewSequence()
	of.Window = o.longest()
	if o.conversing, err = generate.New(of); err != nil {
		return err
	}
	options := draft.Options{Stop: d.Stop()}
	costs, err := w.cost(ctx, o)
	if err != nil {
		return err
	}
	options.Budget.Cost, o.reading = costs.Passes, costs.Prompt
	o.past = openPast(w.past, o.key, w.Ledger)
	o.converse(w)
	options.History = o.past.History
	o.Drafter = draft.NewDrafter(options)
	o.shortlist = make([]int32, min(draft.DefaultFrequent, d.Vocabulary()))
	for i := range o.shortlist { // merged pairs come by frequency
		o.shortlist[i] = int32(i)
	}
	return nil
}

// assume applies the model's training.
func (o *Model) assume(job *models.Job) {
	o.purpose, o.key = job.Purpose, adaptedKey(o.key, job)
	if ids := o.Decoder.Tokenizer().Encode(answer.Denial); job.DeclineFrom > 0 && len(ids) > 0 {
		o.refusal = &generate.Refusal{Token: ids[0], From: job.DeclineFrom}
	}
}

// adaptedKey is the key of a model with an adapter, which changes it but not
// its pack.
func adaptedKey(key string, job *models.Job) string {
	if job == nil || job.AdapterSum == "" {
		return key
	}
	sum := sha256.Sum256([]byte(key + job.AdapterSum))
	return hex.EncodeToString(sum[:])
}

// Check opens a model as a question would, to find parts that do not fit.
func Check(path, adapter string, k *kernel.Kernel) error {
	d, err := transformer.OpenDecoder(context.Background(), path, k, transformer.DecoderOptions{Adapter: adapter, MaxTokens: leastWindow})
	if err != nil {
		return err
	}
	return errors.Join(CheckTemplate(path), d.Close())
}

// CheckTemplate reports faults of a pack's chat template.
func CheckTemplate(path string) error {
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

// measureTemplate counts the tokens of a nearly empty prompt.
func (o *Model) measureTemplate() (int, error) {
	const word = "x"
	ids, err := o.render([]answer.Message{{Role: "system", Content: word}, {Role: "user", Content: word}})
	return len(ids), err
}

// Past returns the bytes of past answers used for drafting.
func (o *Model) Past() int { return o.past.Bytes() }

// Close releases all open parts.
func (o *Model) Close() error {
	if o.forget != nil {
		o.forget()
	}
	o.use.close()
	o.keys.detach()
	err := o.conversations.Close()
	if o.Context != nil {
		err = errors.Join(err, o.Context.Free())
	}
	if o.Decoder != nil {
		err = errors.Join(err, o.Decoder.Close())
	}
	return errors.Join(err, o.past.close())
}

// Counter is an answer.TokenCounter.
type Counter func(text string) int

// CountTokens implements answer.TokenCounter.
func (c Counter) CountTokens(text string) int { return c(text) }
