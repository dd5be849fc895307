package weights

import (
	"context"
	"sync/atomic"
	"time"
)

// Source lends the weights of a model's layers, which L is a view of. A pass
// borrows one layer at a time, in the order of the layers.
type Source[L any] interface {
	// Acquire lends layer i until Release(i). It waits for a layer that is being
	// read, unless ctx ends first.
	Acquire(ctx context.Context, i int) (L, error)
	// Release takes layer i back.
	Release(i int)
	// Close gives the memory of all layers back. None may be lent.
	Close() error
}

// Resident is the Source of a model whose layers are all in memory, which its
// owner frees.
type Resident[L any] []L

// Acquire returns layer i at once.
func (r Resident[L]) Acquire(_ context.Context, i int) (L, error) { return r[i], nil }

// Release does nothing.
func (r Resident[L]) Release(int) {}

// Close does nothing.
func (r Resident[L]) Close() error { return nil }

// Waits tells somebody of waits for the disk that take long, since a pass that stands
// still looks like one that computes. A nil Waits, and the zero value, tell nobody.
type Waits struct {
	every time.Duration
	told  atomic.Pointer[func(waited time.Duration)]
}

// NewWaits returns one that tells of a wait each time that so much of it has passed.
func NewWaits(every time.Duration) *Waits { return &Waits{every: every} }

// Tell has told called from now on with how long the wait took so far, by the goroutine
// that waits, which holds no lock meanwhile; nil for nobody.
func (w *Waits) Tell(told func(waited time.Duration)) {
	if told == nil {
		w.told.Store(nil)
		return
	}
	w.told.Store(&told)
}

// Await returns what comes from done, unless ctx ends first.
func Await[T any](ctx context.Context, done <-chan T, w *Waits) (value T, err error) {
	var ticks <-chan time.Time
	start := time.Now()
	if w != nil && w.every > 0 {
		ticker := time.NewTicker(w.every)
		defer ticker.Stop()
		ticks = ticker.C
	}
	for {
		select {
		case value = <-done:
			return value, nil
		case <-ctx.Done():
			return value, ctx.Err()
		case <-ticks:
			if told := w.told.Load(); told != nil {
				(*told)(time.Since(start))
			}
		}
	}
}
