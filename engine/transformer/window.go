package transformer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dowse/engine/memory"
	"dowse/models/pack"
)

// layers hands out the weights of one layer after the other.
type layers interface {
	// acquire returns layer i, which is valid until release(i).
	acquire(ctx context.Context, i int) (block, error)
	release(i int)
	// close ends the pass; all layers become invalid.
	close() error
}

// mappedLayers are those of a resident model.
type mappedLayers []block

func (m mappedLayers) acquire(_ context.Context, i int) (block, error) { return m[i], nil }
func (m mappedLayers) release(int)                                     {}
func (m mappedLayers) close() error                                    { return nil }

// WindowStats counts what streaming a model's layers cost.
type WindowStats struct {
	LayersRead int
	BytesRead  int64
	Stalls     int           // times that a layer was not there when it was wanted
	StallTime  time.Duration // waited for them
}

// window streams layers through two buffers, each as large as a layer: while
// one layer is computed the next is read, and there is never a third. Layers
// are acquired in their order, each released before the next is acquired.
type window struct {
	stream  *pack.Stream
	arch    architecture
	count   int
	buffers [2]*memory.Buffer
	arrived [2]chan error // of the read into each buffer, one value each
	current [2]block      // what lies in each buffer, once it arrived
	reads   sync.WaitGroup
	stats   WindowStats
	// synchronous reads a layer when it is acquired, and none ahead.
	synchronous bool
}

// newWindow starts to read the first two layers, unless it is synchronous.
func newWindow(stream *pack.Stream, arch architecture, ledger *memory.Ledger, synchronous bool) (*window, error) {
	c := stream.Config()
	w := &window{stream: stream, arch: arch, count: c.Layers, synchronous: synchronous}
	for i := range w.buffers {
		buffer, err := memory.NewBuffer(ledger, WindowPool, c.LayerBuffer())
		if err != nil {
			return nil, errors.Join(err, w.close())
		}
		w.buffers[i] = buffer
		w.arrived[i] = make(chan error, 1)
	}
	if !synchronous {
		w.prefetch(0)
		w.prefetch(1)
	}
	return w, nil
}

// prefetch reads layer i, if there is one, into the buffer that is its turn.
func (w *window) prefetch(i int) {
	if i >= w.count {
		return
	}
	slot := i % len(w.buffers)
	w.reads.Go(func() {
		layer, err := w.arch.read(w.stream, i, w.buffers[slot].Bytes())
		w.current[slot] = layer
		w.arrived[slot] <- err
	})
}

func (w *window) acquire(ctx context.Context, i int) (block, error) {
	if w.synchronous {
		w.prefetch(i)
	}
	slot := i % len(w.buffers)
	var err error
	select {
	case err = <-w.arrived[slot]:
	default:
		start := time.Now()
		select {
		case err = <-w.arrived[slot]:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		w.stats.Stalls++
		w.stats.StallTime += time.Since(start)
	}
	if err != nil {
		return nil, fmt.Errorf("layer %d: %w", i, err)
	}
	w.stats.LayersRead++
	w.stats.BytesRead += int64(w.buffers[slot].Size())
	return w.current[slot], nil
}

func (w *window) release(i int) {
	if !w.synchronous {
		w.prefetch(i + len(w.buffers))
	}
}

// close waits for reads under way, which need their buffer, and gives both
// back.
func (w *window) close() error {
	w.reads.Wait()
	return errors.Join(w.buffers[0].Free(), w.buffers[1].Free())
}
