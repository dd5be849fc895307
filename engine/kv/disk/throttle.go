package disk

import (
	"context"
	"sync"
	"time"
)

// Throttle lets so many bytes pass a second, one call after the other, as a slow disk
// does: each waits until all bytes up to its last would have passed. A nil Throttle stops
// nothing.
type Throttle struct {
	rate float64 // bytes a second
	mu   sync.Mutex
	free time.Time // when all bytes so far have passed
}

// NewThrottle returns a Throttle of a rate in bytes a second, or nil for a rate of 0.
func NewThrottle(rate int64) *Throttle {
	if rate <= 0 {
		return nil
	}
	return &Throttle{rate: float64(rate)}
}

// Pass waits until bytes have passed, or ctx ends.
func (t *Throttle) Pass(ctx context.Context, bytes int) error {
	if t == nil {
		return ctx.Err()
	}
	t.mu.Lock()
	now := time.Now()
	if t.free.Before(now) {
		t.free = now
	}
	t.free = t.free.Add(time.Duration(float64(bytes) / t.rate * float64(time.Second)))
	wait := t.free.Sub(now)
	t.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
