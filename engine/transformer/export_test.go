package transformer

import (
	"context"
	"errors"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/swap"
)

// OpenPlanned opens a reranker that runs every pass by plan, and is resident
// or streamed as that says.
func OpenPlanned(path string, k *kernel.Kernel, o CrossEncoderOptions, plan Plan) (*CrossEncoder, error) {
	o.Plan = func([]int) (Plan, error) { return plan, nil }
	return OpenCrossEncoder(context.Background(), path, k, o)
}

// CachedRows is the number of embedding rows that a streamed model keeps.
func (c *CrossEncoder) CachedRows() int { return c.rows.Len() }

// StoredBits are the keys and values of a sequence as they lie: bytes and scales,
// layer by layer and chunk by chunk.
func StoredBits(c *Sequence) [][]byte {
	var all [][]byte
	for l := range c.owner.config.Layers {
		all = appendBits(all, c.Spans(l, 0, c.Len()))
	}
	return all
}

// TokenBits are the keys and values of a sequence, layer by layer and token by token.
func TokenBits(c *Sequence) [][]byte { return BitsFrom(c, 0) }

// BitsFrom are those of the tokens from first on.
func BitsFrom(c *Sequence, first int) [][]byte {
	var all [][]byte
	for l := range c.owner.config.Layers {
		for i := first; i < c.Len(); i++ {
			all = appendBits(all, c.Spans(l, i, i+1))
		}
	}
	return all
}

func appendBits(all [][]byte, spans []kernel.KeyValues) [][]byte {
	for _, span := range spans {
		for _, rows := range []kernel.HeadRows{span.K, span.V} {
			bits := make([]byte, 0, len(rows.Bytes)+2*len(rows.Scale))
			for _, b := range rows.Bytes {
				bits = append(bits, byte(b))
			}
			for _, s := range rows.Scale {
				bits = append(bits, byte(s), byte(s>>8))
			}
			all = append(all, bits)
		}
	}
	return all
}

// Streamed reports whether layers are read during each call.
func (e *encoder) Streamed() bool { return e.streamed() }

// ThresholdsFor are those that leave a share of the inputs out while a text is read.
func ThresholdsFor(ctx context.Context, d *Decoder, ids []int32, share float64) (swap.Thresholds, error) {
	seen, s := swap.NewMagnitudes(d.config.Layers), d.NewSequence()
	end := d.Watch(nil, seen)
	err := d.Append(ctx, s, ids, nil)
	end()
	return seen.Thresholds(share), errors.Join(err, s.Free())
}

// MaskResident has a decoder that has all weights in memory leave out what one would
// that has not.
// No thresholds end it.
func MaskResident(d *Decoder, s *swap.Sparsity) { d.Watch(s.Thresholds, nil) }

// RowBudgets returns the least budget of a decoder over a row pack, and the least in
// which all rows stay.
func RowBudgets(path string, o DecoderOptions) (least, whole int64, err error) {
	o.Budget = 0
	d, err := OpenDecoder(context.Background(), path, kernelOf(), o)
	if err != nil {
		return 0, 0, err
	}
	least, whole = d.swap.room.Budgets()
	return least, whole, d.Close()
}

func kernelOf() *kernel.Kernel {
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		panic(err)
	}
	return k
}

// KeepNothing turns the switch from a prompt to decoding off.
func KeepNothing(d *Decoder) { d.swap.layers.Cold = true }

// SlowDown has each pass of one row seem to take twice as long as the one before.
func SlowDown(d *Decoder) {
	at, step, calls := time.Time{}, time.Second, 0
	d.swap.layers.Now = func() time.Time {
		if calls++; calls%2 == 0 {
			at, step = at.Add(step), 2*step
		}
		return at
	}
}

// EmbedIDs returns the vectors of tokens, [len(ids),V].
func (e *Embedder) EmbedIDs(ctx context.Context, ids [][]int32) ([]float32, error) {
	vectors := make([]float32, len(ids)*e.Dim())
	err := e.each(ctx, 1, func(int) sequences { return e.pooled(vectors, ids) })
	return vectors, err
}

// Vocabulary is how many tokens the embedder knows.
func (e *Embedder) Vocabulary() int { return e.config.Vocabulary }

// Bag is the tokens of a text that static vectors are made of.
func (e *Embedder) Bag(text string) []int32 { return bag(e.tokenizer, text, e.config.MaxTokens, true) }
