package transformer

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// newEncoder returns an encoder of a pack that is mapped, before weights are read, for
// inputs of at most maxTokens.
func newEncoder(k *kernel.Kernel, mapped *pack.Pack, maxTokens int, ledger *memory.Ledger) (*encoder, error) {
	c := mapped.Config()
	c.MaxTokens = maxTokens
	b, err := newBody(k, c)
	if err != nil {
		return nil, err
	}
	return &encoder{model: model[layer]{config: c, sum: mapped.Fingerprint(), ledger: ledger}, kernel: k, body: b}, nil
}

// open opens the pack at path, whose mapping is mapped, for workers that take batch tokens at
// a time; others is the number of further workspaces. After an error call close.
func (e *encoder) open(ctx context.Context, path string, mapped *pack.Pack, limits Limits, batch, others int) error {
	work := weights.Work{Batch: batch}
	planned := Limits{Budget: limits.Budget, Threads: limits.Threads + others}
	m := Model{Config: e.config, Mapped: mapped.Size(), Tokenizer: mapped.TokenizerSize(), Resident: e.body.resident()}
	var err error
	if e.plan, err = weights.MakePlan(m, planned, work); err != nil {
		return err
	}
	if err := e.model.open(ctx, path, mapped, e.body, needs{head: e.config.Dimensions > 0}, e.plan); err != nil {
		return err
	}
	in, err := e.body.begin(e.tables, mapped.Output())
	if err != nil {
		return err
	}
	e.inputs, e.source = e.embeddings(in), weights.Source[layer](e.resident)
	e.turn = make(chan struct{}, 1)
	if e.streamed() {
		if e.config.Layers > 0 {
			e.source = weights.NewStreamer(e.layers, e.ledger)
		}
		e.turn <- struct{}{}
	}
	e.idle = make(chan *workspace, limits.Threads)
	for range limits.Threads {
		w := newWorkspace(e.ledger)
		e.workers = append(e.workers, w)
		e.idle <- w
	}
	return nil
}

// close gives everything back. No call may be under way.
func (e *encoder) close() error {
	var err error
	if e.source != nil {
		err = e.source.Close()
	}
	for _, w := range e.workers {
		err = errors.Join(err, w.Free())
	}
	return errors.Join(err, e.model.close())
}

// EmbedderOptions configure OpenEmbedder.
type EmbedderOptions struct {
	Threads int // workers for documents, at least 1
	// MaxTokens is the longest input that the model is given, 0 for what LongestText says.
	MaxTokens int
	// Dimensions keeps the first numbers of a vector, of a model that was trained for that
	// (Kusupati and others, "Matryoshka Representation Learning", 2022), and normalises them;
	// 0 for what the pack says.
	Dimensions int
	Budget     int64          // bytes that the embedder may take, 0 for any number
	Ledger     *memory.Ledger // may be nil
}

// OpenEmbedder opens the pack at path, of a model that makes vectors. Weights are read into
// memory if they fit into the budget; otherwise layers are read during each call. ctx ends
// opening, which reads the whole pack. Kernel and ledger stay the caller's. The error wraps
// ErrBudget if the budget is too small for that too.
func OpenEmbedder(ctx context.Context, path string, k *kernel.Kernel, o EmbedderOptions) (*Embedder, error) {
	mapped, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	e, err := openEmbedder(ctx, path, mapped, k, o)
	if err := errors.Join(err, mapped.Close()); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func openEmbedder(ctx context.Context, path string, mapped *pack.Pack, k *kernel.Kernel, o EmbedderOptions) (*Embedder, error) {
	c := mapped.Config()
	switch {
	case c.Dim() == 0 && c.Decoder:
		return nil, fmt.Errorf("%s is a decoder; it makes no vectors", c.Architecture)
	case c.Dim() == 0:
		return nil, fmt.Errorf("%s scores pairs of texts; it makes no vectors", c.Architecture)
	}
	n, err := newEncoder(k, mapped, LongestText(&c, o.MaxTokens), o.Ledger)
	if err != nil {
		return nil, err
	}
	if c.Pooling == n.body.row() {
		n.outputs = headRows
	}
	e := &Embedder{encoder: n, query: newWorkspace(o.Ledger)}
	if err := e.shorten(o.Dimensions); err != nil {
		return e, err
	}
	return e, n.open(ctx, path, mapped, Limits{Budget: o.Budget, Threads: max(o.Threads, 1)}, batchTokens, 1)
}

// shorten keeps the first numbers of a vector alone, 0 for what the pack says.
func (e *Embedder) shorten(dimensions int) error {
	if dimensions == 0 || dimensions == e.Dim() {
		return nil
	}
	whole := e.config
	whole.Truncated = 0
	if dimensions < 1 || dimensions > whole.Dim() {
		return fmt.Errorf("vectors of %d numbers were asked for, and %s makes %d: ask for 1 to %d", dimensions, e.config.Architecture, whole.Dim(), whole.Dim())
	}
	e.config.Truncated, e.shortened = dimensions, dimensions
	return nil
}

// usualTokens is the longest input by default of a model without a table of positions:
// passages are much shorter than its limit, for which working memory would be planned.
const usualTokens = 1024

// LongestText is the longest input of an Embedder with the option MaxTokens.
func LongestText(c *pack.Config, most int) int {
	return min(c.MaxTokens, c.Room(), cmp.Or(most, usualLength(c)))
}

// usualLength is the longest input by default.
func usualLength(c *pack.Config) int {
	if c.Decoder || c.Rotates() {
		return usualTokens
	}
	return c.MaxTokens
}

// Close gives back workspaces and weights. No call may be under way.
func (e *Embedder) Close() error {
	if e == nil {
		return nil
	}
	return errors.Join(e.query.Free(), e.close())
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

// OpenSpanReader opens the pack of a BERT encoder of pairs, otherwise as OpenEmbedder.
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
	if r.encoder, err = newEncoder(k, mapped, LongestReading(&c, o.MaxTokens), o.Ledger); err != nil {
		return err
	}
	b, ok := r.body.(*bertBody)
	if !ok {
		return fmt.Errorf("%s is no BERT; readers are made of those alone", c.Architecture)
	}
	r.network = b.network
	if r.network.adapter, err = openAdapter(o.Adapter, &c, o.Ledger); err != nil {
		return err
	}
	if a := r.network.adapter; a == nil || a.spans == nil {
		return fmt.Errorf("the adapter %q has no head that points at spans (spans.weight)", o.Adapter)
	}
	return nil
}

// LongestReading is the most tokens of a question with a passage in a SpanReader with the
// option MaxTokens.
func LongestReading(c *pack.Config, most int) int { return min(cmp.Or(most, c.MaxTokens), c.Room()) }

// Close gives everything back. No call may be under way.
func (r *SpanReader) Close() error {
	if r.encoder == nil {
		return nil
	}
	return errors.Join(r.close(), r.body.free())
}
