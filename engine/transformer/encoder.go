package transformer

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"dowse/engine/kernel"
	"dowse/engine/weights"
)

// Version names the arithmetic of this package. It is part of what an index
// was built with, and changes when the same text and weights give other bits.
const Version = "encoder-2"

// encoder brings sequences through all layers of a model, for Embedder and SpanReader. In a
// resident model each worker computes batches of its own. In a streamed one the workers
// compute a batch each, layer by layer, for one call at a time.
type encoder struct {
	model[layer]
	kernel  *kernel.Kernel
	body    body
	inputs  embeddings
	source  weights.Source[layer]
	plan    Plan
	outputs outputs // of the last layer

	workers []*workspace
	idle    chan *workspace // idle workers of a resident model
	turn    chan struct{}   // of a streamed model, holds one value while nobody computes
	used    atomic.Int64    // when a call ended last, in Unix nanoseconds
}

// begin waits for the turn of a call, until end.
func (e *encoder) begin(ctx context.Context) error {
	if !e.streamed() {
		return nil
	}
	select {
	case <-e.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *encoder) end() {
	e.used.Store(time.Now().UnixNano())
	if e.streamed() {
		e.turn <- struct{}{}
	}
}

// sequences is a batch of a call, and the use of its states.
type sequences struct {
	pairs   []Pair
	lengths []int // tokens of each
	use     func(hidden []float32) error
}

// each computes the batches 0 to n-1, and calls use of each with the states [tokens,D] after
// the last layer. Several workers call batch and use.
func (e *encoder) each(ctx context.Context, n int, batch func(i int) sequences) error {
	if err := e.begin(ctx); err != nil {
		return err
	}
	defer e.end()
	if e.streamed() {
		for from := 0; from < n; from += len(e.workers) {
			var batches []sequences
			for i := from; i < min(n, from+len(e.workers)); i++ {
				batches = append(batches, batch(i))
			}
			if err := e.compute(ctx, batches, e.workers); err != nil {
				return err
			}
		}
		return nil
	}
	group, working := errgroup.WithContext(ctx)
	for i := range n {
		var w *workspace
		select {
		case w = <-e.idle:
		case <-working.Done():
			if err := group.Wait(); err != nil {
				return err
			}
			return ctx.Err()
		}
		group.Go(func() error {
			defer func() { e.idle <- w }()
			return e.compute(ctx, []sequences{batch(i)}, []*workspace{w})
		})
	}
	return group.Wait()
}

// compute brings batches, one for each worker, through all layers side by side.
func (e *encoder) compute(ctx context.Context, batches []sequences, workers []*workspace) error {
	hidden, err := e.embed(batches, workers)
	if err != nil {
		return err
	}
	sideBySide := func(work func(i int) error) error {
		if len(batches) == 1 {
			return work(0)
		}
		return share(ctx, workers, len(batches), func(i int, _ *workspace) error { return work(i) })
	}
	err = run(ctx, e.source, 0, e.config.Layers, func(at int, l layer) error {
		outputs := allRows
		if at == e.config.Layers-1 {
			outputs = e.outputs
		}
		return sideBySide(func(i int) error {
			return l.forward(batch{hidden: hidden[i], lengths: batches[i].lengths, outputs: outputs}, workers[i])
		})
	})
	if err != nil {
		return err
	}
	return sideBySide(func(i int) error { return batches[i].use(hidden[i]) })
}

// embed makes the first states [tokens,D] of each batch, in the workspaces.
func (e *encoder) embed(batches []sequences, workers []*workspace) (hidden [][]float32, err error) {
	d, room := e.config.Hidden, e.config.Room()
	var ids [][]int32
	for b := range batches {
		ids = append(ids, idsOf(batches[b].pairs)...)
	}
	for i := range ids {
		if err := checkLength(len(ids[i]), room); err != nil {
			return nil, fmt.Errorf("sequence %d: %w", i, err)
		}
	}
	if err := e.inputs.prepare(ids); err != nil {
		return nil, errors.Join(err, e.inputs.finish())
	}
	defer func() { err = errors.Join(err, e.inputs.finish()) }()
	for b := range batches {
		states, err := workers[b].hidden(sum(batches[b].lengths) * d)
		if err != nil {
			return nil, err
		}
		at := 0
		for _, pair := range batches[b].pairs {
			end := at + len(pair.IDs)*d
			if err := e.inputs.embed(states[at:end], pair); err != nil {
				return nil, err
			}
			at = end
		}
		hidden = append(hidden, states)
	}
	return hidden, nil
}

// sequencesOf is the batch of some pairs.
func sequencesOf(pairs []Pair, use func(hidden []float32) error) sequences {
	s := sequences{pairs: pairs, lengths: make([]int, len(pairs)), use: use}
	for i, pair := range pairs {
		s.lengths[i] = len(pair.IDs)
	}
	return s
}

// checkLength refuses a sequence without tokens or with too many.
func checkLength(tokens, most int) error {
	if tokens == 0 || tokens > most {
		return fmt.Errorf("%d tokens, want 1 to %d", tokens, most)
	}
	return nil
}
