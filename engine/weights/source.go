package weights

import (
	"context"
	"sync/atomic"
	"time"
)

// Source lends the layers L of a model, views of their weights. A pass borrows one layer at
// a time, in order.
type Source[L any] interface {
	// Acquire lends layer i until Release(i). It waits for the read, unless ctx ends first.
	Acquire(ctx context.Context, i int) (L, error)
	// Release takes layer i back.
	Release(i int)
	// Close frees the memory of all layers. No layer may be lent.
	Close() error
}

// Resident is the Source of layers that are all in memory, which their owner frees.
type Resident[L any] []L

// Acquire returns layer i at once.
func (r Resident[L]) Acquire(_ context.Context, i int) (L, error) { return r[i], nil }

// Release does nothing.
func (r Resident[L]) Release(int) {}

// Close does nothing.
func (r Resident[L]) Close() error { return nil }

// Waits reports long waits for the disk, since a pass that waits looks like one that
// computes. A nil Waits and the zero value report nothing.
type Waits struct {
	every time.Duration
	told  atomic.Pointer[func(waited time.Duration)]
}

// NewWaits returns Waits that report every so long during a wait.
func NewWaits(every time.Duration) *Waits { return &Waits{every: every} }

// Tell sets the callback, nil for none. The waiting goroutine calls it without locks, with
// how long the wait took so far.
func (w *Waits) Tell(told func(waited time.Duration)) {
	if told == nil {
		w.told.Store(nil)
		return
	}
	w.told.Store(&told)
}

// Await returns the next value of done, unless ctx ends first.
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
