package transformer

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

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
	encoder   *Encoder
	maxTokens int // of question and passage
	adapter   *adapter
	tokenizer *tokenizer.Tokenizer
	pack      *pack.Pack
	weights   *memory.Buffer
	workers   chan *Workspace // idle ones
}

// SpanReaderOptions configure OpenSpanReader.
type SpanReaderOptions struct {
	Adapter string // folder of the adapter, with spans.weight [3,D] among its tensors
	// MaxTokens bounds question and passage together; 0 means what the pack says.
	// An adapter may have learned from longer pairs than the model below it.
	MaxTokens int
	Threads   int
	Ledger    *memory.Ledger  // may be nil
	Opening   context.Context // ends opening, which reads the whole pack; may be nil
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

// OpenSpanReader opens the pack at path, that of a BERT encoder of pairs. The
// kernel and the ledger stay the caller's.
func OpenSpanReader(path string, k *kernel.Kernel, o SpanReaderOptions) (*SpanReader, error) {
	p, weights, err := loadPack(orBackground(o.Opening), path, o.Ledger)
	if err != nil {
		return nil, err
	}
	r := &SpanReader{pack: p, weights: weights, workers: make(chan *Workspace, max(o.Threads, 1))}
	for range cap(r.workers) {
		r.workers <- NewWorkspace(o.Ledger)
	}
	if err := r.open(k, o); err != nil {
		return nil, errors.Join(fmt.Errorf("open reader %s: %w", path, err), r.Close())
	}
	return r, nil
}

func (r *SpanReader) open(k *kernel.Kernel, o SpanReaderOptions) error {
	c := r.pack.Config()
	if c.Decoder || c.Types < 2 {
		return fmt.Errorf("%s tells no question from a passage", c.Architecture)
	}
	n, err := newEncoderNetwork(k, c)
	if err != nil {
		return err
	}
	if n.adapter, err = openAdapter(o.Adapter, &c, o.Ledger); err != nil {
		return err
	}
	r.adapter = n.adapter
	if n.adapter == nil || n.adapter.spans == nil {
		return fmt.Errorf("the adapter %q has no head that points at spans (spans.weight)", o.Adapter)
	}
	if r.encoder, err = bindEncoder(n, r.pack); err != nil {
		return err
	}
	if r.maxTokens = r.encoder.maxTokens; o.MaxTokens > 0 {
		r.maxTokens = min(o.MaxTokens, c.Room())
	}
	r.tokenizer, err = r.pack.Tokenizer()
	return err
}

// Close gives everything back. No call may be under way.
func (r *SpanReader) Close() error {
	var err error
	for range cap(r.workers) {
		err = errors.Join(err, (<-r.workers).Free())
	}
	return errors.Join(err, r.adapter.free(), r.pack.Close(), r.weights.Free())
}

// Fingerprint identifies weights, adapter and tokenizer.
func (r *SpanReader) Fingerprint() string {
	sum := r.pack.Fingerprint()
	return hex.EncodeToString(sum[:]) + hex.EncodeToString(r.adapter.sum())
}

// Read reads the question with each of the passages. Where there is no room for
// both, the end of the passage is cut off, and that of a question which takes more
// than half. Errors are those of ctx, which is looked at between passages.
func (r *SpanReader) Read(ctx context.Context, question string, passages []string) ([]SpanLogits, error) {
	found := make([]SpanLogits, len(passages))
	group, working := errgroup.WithContext(ctx)
	for i, passage := range passages {
		var w *Workspace
		select {
		case w = <-r.workers:
		case <-working.Done():
		}
		if w == nil {
			break // for what ctx, or the passage that failed, says
		}
		group.Go(func() error {
			defer func() { r.workers <- w }()
			if err := ctx.Err(); err != nil {
				return err
			}
			return r.read(&found[i], question, passage, w)
		})
	}
	err := group.Wait()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return found, nil
}

// read reads one passage.
func (r *SpanReader) read(into *SpanLogits, question, passage string, w *Workspace) error {
	ids, types := r.tokenizer.EncodePair(question, passage, r.maxTokens)
	hidden, err := r.encoder.states([]Pair{{IDs: ids, Types: types}}, w)
	if err != nil {
		return err
	}
	first := 0
	for first < len(types) && types[first] == 0 {
		first++
	}
	_, spans := r.tokenizer.EncodeSpans(passage)
	into.Tokens = spans[:max(0, min(len(spans), len(ids)-first-1))] // behind them stands a mark
	d, k := r.encoder.config.Hidden, r.encoder.kernel
	for head := range SpanHeads {
		weights := r.adapter.spans[head*d : (head+1)*d]
		logits := make([]float32, len(into.Tokens))
		for i := range logits {
			logits[i] = k.Dot(hidden[(first+i)*d:(first+i+1)*d], weights)
		}
		into.Heads[head], into.None[head] = logits, k.Dot(hidden[:d], weights)
	}
	return nil
}
