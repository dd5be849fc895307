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

// SpanReader marks the answer to a question in passages: a BERT cross-encoder
// with an adapter whose heads give each token of a passage a logit that a short
// answer begins with it, that one ends with it (Devlin and others, "BERT:
// Pre-training of Deep Bidirectional Transformers for Language Understanding",
// 2019, section 4.2), and that it is part of the evidence. It may be used from
// several goroutines.
type SpanReader struct {
	*encoder
}

// SpanReaderOptions configure OpenSpanReader.
type SpanReaderOptions struct {
	Adapter string // folder of the adapter, with spans.weight [3,D] among its tensors
	// MaxTokens bounds question and passage together; 0 means what the pack says.
	// An adapter may have learned from longer pairs than the model below it.
	MaxTokens int
	Threads   int            // workers, at least 1
	Budget    int64          // bytes that the reader may take, 0 for any number
	Ledger    *memory.Ledger // may be nil
}

// SpanLogits are what a SpanReader makes of a passage.
type SpanLogits struct {
	// Tokens are the bytes of the passage that each token stands for, of as many
	// as find room beside the question.
	Tokens []tokenizer.Span
	// Heads are logits of each token: that a short answer begins with it, that one
	// ends with it, that it is evidence.
	Heads [SpanHeads][]float32
	// None are the logits that the passage has no such token.
	None [SpanHeads]float32
}

// The heads of a SpanReader.
const (
	SpanStart = iota
	SpanEnd
	SpanEvidence
	SpanHeads // how many there are
)

// OpenSpanReader opens the pack at path, that of a BERT encoder of pairs. Weights
// are read into memory if they fit into the budget; otherwise layers are read during
// each call. ctx ends opening, which reads the whole pack. The kernel and the ledger
// stay the caller's. The error wraps ErrBudget when the budget is too small for that
// too.
func OpenSpanReader(ctx context.Context, path string, k *kernel.Kernel, o SpanReaderOptions) (*SpanReader, error) {
	mapped, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	r := &SpanReader{}
	if err = r.prepare(mapped, k, o); err != nil {
		err = fmt.Errorf("open reader %s: %w", path, err)
	} else {
		limits := Limits{Budget: o.Budget, Threads: max(o.Threads, 1)}
		err = r.open(ctx, path, mapped, limits, r.config.MaxTokens, 0)
	}
	if err := errors.Join(err, mapped.Close()); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// prepare verifies that pack and adapter fit, before weights are read.
func (r *SpanReader) prepare(mapped *pack.Pack, k *kernel.Kernel, o SpanReaderOptions) error {
	c := mapped.Config()
	if c.Decoder || c.Types < 2 {
		return fmt.Errorf("%s tells no question from a passage", c.Architecture)
	}
	var err error
	if r.encoder, err = newEncoder(k, mapped, o.Ledger); err != nil {
		return err
	}
	if r.network.adapter, err = openAdapter(o.Adapter, &c, o.Ledger); err != nil {
		return err
	}
	if a := r.network.adapter; a == nil || a.spans == nil {
		return fmt.Errorf("the adapter %q has no head that points at spans (spans.weight)", o.Adapter)
	}
	r.config.MaxTokens = LongestReading(&c, o.MaxTokens)
	return nil
}

// LongestReading is the most tokens of a question with a passage that a SpanReader
// gives a model, where its options allow most; 0 is what they say by default.
func LongestReading(c *pack.Config, most int) int { return min(cmp.Or(most, c.MaxTokens), c.Room()) }

// Close gives everything back. No call may be under way.
func (r *SpanReader) Close() error {
	if r.encoder == nil {
		return nil
	}
	return errors.Join(r.close(), r.network.adapter.free())
}

// Fingerprint identifies weights, adapter and tokenizer.
func (r *SpanReader) Fingerprint() string {
	return hex.EncodeToString(r.sum[:]) + hex.EncodeToString(r.network.adapter.sum())
}

// Read reads the question with each of the passages. Where there is no room for
// both, the end of the passage is cut off, and that of a question which takes more
// than half. Errors are those of ctx, which is looked at between layers.
func (r *SpanReader) Read(ctx context.Context, question string, passages []string) ([]SpanLogits, error) {
	found := make([]SpanLogits, len(passages))
	err := r.each(ctx, len(passages), func(i int) sequences {
		ids, types := r.tokenizer.EncodePair(question, passages[i], r.config.MaxTokens)
		return sequencesOf([]Pair{{IDs: ids, Types: types}}, func(hidden []float32) error {
			r.point(&found[i], hidden, passages[i], types)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// point turns the states [tokens,D] of a question and a passage, whose types are
// given, into logits.
func (r *SpanReader) point(into *SpanLogits, hidden []float32, passage string, types []uint8) {
	first := 0 // token of the passage
	for first < len(types) && types[first] == 0 {
		first++
	}
	_, spans := r.tokenizer.EncodeSpans(passage)
	into.Tokens = spans[:max(0, min(len(spans), len(types)-first-1))] // behind them stands a mark
	d, k := r.config.Hidden, r.network.kernel
	for head := range SpanHeads {
		weights := r.network.adapter.spans[head*d : (head+1)*d] // [D]
		logits := make([]float32, len(into.Tokens))
		for i := range logits {
			logits[i] = k.Dot(hidden[(first+i)*d:(first+i+1)*d], weights)
		}
		into.Heads[head], into.None[head] = logits, k.Dot(hidden[:d], weights)
	}
}
