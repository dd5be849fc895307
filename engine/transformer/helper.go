package transformer

import (
	"runtime"
	"sync/atomic"
	"time"
)

// patience is how long a waiter spins before it sleeps. Within a pass the next share of 5 to
// 100 microseconds comes after a few, and waking a sleeper costs more than that: a token of
// SmolLM2-135M behind 512 others took one thread 6.7 ms, two woken for each share 7.8, and
// two that spin 4.7 (go test -bench Verify). Between passes nobody spins.
const patience = 100 * time.Microsecond

// signal is a count that one goroutine raises and another awaits.
type signal struct {
	count  atomic.Uint32
	asleep atomic.Bool
	wake   chan struct{} // one place
}

// raise adds one and wakes the waiter up if it sleeps.
func (s *signal) raise() {
	s.count.Add(1)
	if s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}

// wait returns once the count differs from seen.
func (s *signal) wait(seen uint32) {
	for s.count.Load() == seen {
		if s.spin(seen) {
			return
		}
		s.asleep.Store(true)
		// A raise before asleep was set woke nobody.
		if s.count.Load() == seen || !s.asleep.CompareAndSwap(true, false) {
			<-s.wake
		}
		// A raise that was seen before its wake-up wakes a later sleep.
	}
}

// spin waits for patience and reports whether the count has changed.
func (s *signal) spin(seen uint32) bool {
	const glances = 64 // between looks at the clock, and chances for others
	for begin := time.Now(); time.Since(begin) < patience; runtime.Gosched() {
		for range glances {
			if s.count.Load() != seen {
				return true
			}
		}
	}
	return false
}

// helper is a goroutine that computes one share after the other, spinning in between.
type helper struct {
	given, done signal
	share       func() error // nil ends it
	err         error
}

func newHelper() *helper {
	h := &helper{}
	h.given.wake, h.done.wake = make(chan struct{}, 1), make(chan struct{}, 1)
	go h.run()
	return h
}

func (h *helper) run() {
	for seen := uint32(0); ; seen++ {
		h.given.wait(seen)
		if h.share == nil {
			h.done.raise()
			return
		}
		h.err = h.share()
		h.done.raise()
	}
}

// give begins a share; no other one may be under way.
func (h *helper) give(share func() error) {
	h.share = share
	h.given.raise()
}

// result waits for the end of the share given last.
func (h *helper) result() error {
	h.done.wait(h.given.count.Load() - 1)
	return h.err
}

// stop ends the goroutine.
func (h *helper) stop() {
	h.give(nil)
	h.done.wait(h.given.count.Load() - 1)
}
