package weights

import (
	"context"
	"sync/atomic"
	"time"
)

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
