package disk

import (
	"context"
	"sync"
	"time"
)

// throttle passes a number of bytes a second, as a slow disk does: each call waits until all
// bytes up to its last would have passed. A nil throttle passes everything.
type throttle struct {
	rate float64 // bytes a second
	mu   sync.Mutex
	free time.Time // when all bytes so far have passed
}

func newThrottle(rate int64) *throttle {
	if rate <= 0 {
		return nil
	}
	return &throttle{rate: float64(rate)}
}

// pass waits until bytes have passed, or ctx ends.
func (t *throttle) pass(ctx context.Context, bytes int) error {
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
