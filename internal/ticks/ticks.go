// Package ticks has all that looks at something now and then look at the same moments, so that an
// idle process wakes up once for all of it: a wake-up costs more than most looks.
package ticks

import (
	"sync"
	"time"
)

// Idle is how often an idle process looks at what the system does not tell of.
const Idle = 2 * time.Second

// Ticker is a time.Ticker whose ticks fall on multiples of its period.
type Ticker struct {
	C <-chan time.Time // like that of a time.Ticker, it drops ticks for slow receivers

	mu      sync.Mutex
	timer   *time.Timer
	stopped bool
}

// New returns a ticker of a period above zero. Stop releases it.
func New(period time.Duration) *Ticker {
	c := make(chan time.Time, 1)
	t := &Ticker{C: c}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer = time.AfterFunc(untilNext(time.Now(), period), func() {
		now := time.Now()
		select {
		case c <- now:
		default:
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if !t.stopped {
			t.timer.Reset(untilNext(now, period))
		}
	})
	return t
}

// untilNext is the time from now to the next multiple of a period.
func untilNext(now time.Time, period time.Duration) time.Duration {
	return now.Truncate(period).Add(period).Sub(now)
}

// Stop ends the ticks.
func (t *Ticker) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopped = true
	t.timer.Stop()
}
