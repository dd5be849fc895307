package transformer

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/models/pack"
	"dowse/models/tokenizer"
)

// Decoder continues texts: it appends tokens to a Context and says what may
// come next. Its weights stay mapped. It computes one Append at a time; its
// methods may be called from several goroutines.
type Decoder struct {
	network   *decoderNetwork
	config    pack.Config
	options   DecoderOptions
	pack      *pack.Pack
	tokenizer *tokenizer.Tokenizer
	words     wordTable
	norm      []float32 // [D], before the vocabulary
	head      kernel.Head
	layers    []block

	turn    chan struct{} // holds one value while nobody appends
	workers team
	states  *memory.Buffer // [contextBlock,D]
	charged int64
}

// DecoderOptions configure OpenDecoder.
type DecoderOptions struct {
	Threads   int            // workers, at least 1
	MaxTokens int            // of a Context; 0 means all that the model takes
	Ledger    *memory.Ledger // may be nil
	Adapter   string         // folder of a low-rank adapter as PEFT writes it; empty for none
}

// OpenDecoder opens the pack at path, which must be that of a decoder. The
// kernel and the ledger stay the caller's.
func OpenDecoder(path string, k *kernel.Kernel, options DecoderOptions) (*Decoder, error) {
	p, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	options.Threads = max(options.Threads, 1)
	d := &Decoder{config: p.Config(), options: options, pack: p, turn: make(chan struct{}, 1)}
	if err := d.open(k); err != nil {
		return nil, errors.Join(fmt.Errorf("open decoder %s: %w", path, err), d.Close())
	}
	return d, nil
}

func (d *Decoder) open(k *kernel.Kernel) error {
	c := &d.config
	if !c.Decoder {
		return fmt.Errorf("%s is no decoder; it cannot continue texts", c.Architecture)
	}
	var err error
	if d.tokenizer, err = d.pack.Tokenizer(); err != nil {
		return err
	}
	c.MaxTokens = min(c.MaxTokens, cmp.Or(d.options.MaxTokens, c.MaxTokens))
	if d.network, err = newDecoderNetwork(k, *c, d.options.Adapter, d.options.Ledger); err != nil {
		return err
	}
	if d.layers, err = bindLayers(d.network, d.pack); err != nil {
		return err
	}
	tables, output := d.pack.Embeddings(), d.pack.Output()
	d.words = wordTable{rows: tables.Words, scale: tables.WordScale}
	d.norm = output.Norm
	d.head = kernel.Head{Width: c.Hidden, Words: output.Words, WordScale: output.WordScale}
	d.workers = openTeam(d.options.Threads, d.options.Ledger)
	if d.states, err = memory.NewBuffer(d.options.Ledger, activationsPool, 4*contextBlock*c.Hidden); err != nil {
		return err
	}
	d.charged = d.pack.Size() + rotaryBytes(c)
	d.options.Ledger.Grow(WeightsPool, d.charged)
	d.turn <- struct{}{}
	return nil
}

// Close gives back weights and working memory. No Append may be under way.
// Contexts are freed by who made them.
func (d *Decoder) Close() error {
	err := d.workers.free()
	if d.network != nil {
		err = errors.Join(err, d.network.free())
	}
	d.options.Ledger.Shrink(WeightsPool, d.charged)
	d.charged = 0
	return errors.Join(err, d.states.Free(), d.pack.Close())
}

// Vocabulary is the number of logits of a token.
func (d *Decoder) Vocabulary() int { return len(d.head.WordScale) }

// MaxTokens is the most tokens that a Context may have.
func (d *Decoder) MaxTokens() int { return d.config.MaxTokens }

// Layers is the number of layers.
func (d *Decoder) Layers() int { return d.config.Layers }

// Tokenizer is the model's own.
func (d *Decoder) Tokenizer() *tokenizer.Tokenizer { return d.tokenizer }

// Stop returns the tokens that end an answer; the caller must not change them.
func (d *Decoder) Stop() []int32 { return d.pack.Stop() }

// ChatTemplate is the template, in Jinja, that prompts of the model are made
// with, or empty.
func (d *Decoder) ChatTemplate() string { return d.pack.ChatTemplate() }

// Fingerprint identifies weights, tokenizer and configuration.
func (d *Decoder) Fingerprint() string {
	sum := d.pack.Fingerprint()
	return hex.EncodeToString(sum[:])
}

// NewContext returns an empty conversation.
func (d *Decoder) NewContext() *Context {
	return &Context{owner: d, shape: d.network.shape, layers: d.config.Layers, ledger: d.options.Ledger}
}

// Append adds tokens to a context and writes the logits of what comes after
// each of the last len(logits)/Vocabulary() of them to logits, row by row; a
// nil logits costs nothing. Logits and all that is kept are the same to the
// bit however tokens are spread over calls. After an error the context is as it
// was.
func (d *Decoder) Append(ctx context.Context, c *Context, ids []int32, logits []float32) error {
	return d.appendWith(ctx, c, ids, logits, &d.head)
}

// appendWith is Append with the logits of the words of a head.
func (d *Decoder) appendWith(ctx context.Context, c *Context, ids []int32, logits []float32, head *kernel.Head) error {
	if c.owner != d {
		return errors.New("the context is that of another decoder")
	}
	words := max(1, len(head.WordScale))
	wanted := len(logits) / words
	if len(logits) != wanted*words || wanted > len(ids) {
		return fmt.Errorf("room for %d logits, want those of at most %d tokens, %d each", len(logits), len(ids), words)
	}
	if total := c.Len() + len(ids); total > d.config.MaxTokens {
		return fmt.Errorf("%d tokens, the context has room for %d", total, d.config.MaxTokens)
	}
	select {
	case <-d.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { d.turn <- struct{}{} }()
	c.draft.tree = Tree{}
	before := c.Len()
	err := d.append(ctx, c, ids, logits, head)
	if err != nil {
		err = errors.Join(err, c.Truncate(before))
	}
	return err
}

// append goes from one end of a block of the context to the next.
func (d *Decoder) append(ctx context.Context, c *Context, ids []int32, logits []float32, head *kernel.Head) error {
	words := max(1, len(head.WordScale))
	if err := c.reserve(c.Len() + len(ids)); err != nil {
		return err
	}
	for len(ids) > 0 {
		n := min(len(ids), contextBlock-c.Len()%contextBlock)
		after := len(ids) - n
		wanted := max(0, len(logits)/words-after)
		own := logits[:wanted*words]
		if err := d.step(ctx, c, ids[:n], own, head); err != nil {
			return err
		}
		ids, logits = ids[n:], logits[len(own):]
	}
	return nil
}

// step appends tokens of one block.
func (d *Decoder) step(ctx context.Context, c *Context, ids []int32, logits []float32, head *kernel.Head) error {
	width, rows := d.config.Hidden, len(ids)
	hidden := d.states.Float32()[:rows*width]
	if err := (decoderInputs{width: width}).sum(hidden, ids, nil, 0, d.words); err != nil {
		return err
	}
	wanted := len(logits) / max(1, len(head.WordScale))
	parts := d.workers.parts(rows)
	for l, layer := range d.layers {
		if err := ctx.Err(); err != nil {
			return err
		}
		batches := make([]batch, parts)
		for i := range batches {
			from, to := rows*i/parts, rows*(i+1)/parts
			batches[i] = batch{
				hidden: hidden[from*width : to*width], lengths: []int{to - from},
				before: c.before(l, c.Len()+from), keep: c.keep(l, c.Len()+from, c.Len()+to),
			}
			if l == len(d.layers)-1 {
				batches[i].want = tailWanted(wanted-(rows-to), to-from)
			}
		}
		if err := d.advance(layer.(*decoderLayer), batches); err != nil {
			return err
		}
	}
	if err := d.logits(logits, hidden[(rows-wanted)*width:], head); err != nil {
		return err
	}
	c.tokens = append(c.tokens, ids...)
	return nil
}

// tailWanted says what is wanted of rows, the last so many of which are.
func tailWanted(last, rows int) wanted {
	switch {
	case last <= 0:
		return noRows
	case last == 1 && rows > 1:
		return lookedRows
	}
	return allRows
}

// advance brings the parts of a sequence, one for each worker, through a layer.
// Keys and values of all are there before any of them attends.
func (d *Decoder) advance(layer *decoderLayer, parts []batch) error {
	own := make([]kernel.KeyValues, len(parts))
	err := d.workers.each(len(parts), func(i int) (err error) {
		own[i], err = layer.project(&parts[i], d.workers[i])
		return err
	})
	if err != nil {
		return err
	}
	return d.workers.each(len(parts), func(i int) error { return layer.mix(&parts[i], own[i], d.workers[i]) })
}

// logits ends what the layers began, for rows of hidden.
func (d *Decoder) logits(dst, hidden []float32, head *kernel.Head) error {
	width, k := d.config.Hidden, d.network.kernel
	rows := len(hidden) / width
	if rows == 0 {
		return nil
	}
	k.RMSNorm(hidden, hidden, d.norm, d.config.Epsilon, rows, width)
	return d.workers.logits(k, dst, hidden, rows, head)
}
