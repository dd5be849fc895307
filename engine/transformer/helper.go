package transformer

import (
	"runtime"
	"sync/atomic"
	"time"
)

// patience is how long a signal is looked for before its waiter sleeps. Within
// a pass the next piece of work comes after a few microseconds, and waking a
// sleeper up costs more than the piece; between passes nobody spins.
const patience = 100 * time.Microsecond

// signal is a count that one goroutine raises and another one waits for.
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

// wait returns once the count is no longer seen.
func (s *signal) wait(seen uint32) {
	for s.count.Load() == seen {
		if s.spin(seen) {
			return
		}
		s.asleep.Store(true)
		// What was raised before asleep was set woke nobody up.
		if s.count.Load() == seen || !s.asleep.CompareAndSwap(true, false) {
			<-s.wake
		}
		// A raise that was seen before it came to waking wakes a later sleep up.
	}
}

// spin looks for as long as patience lasts and reports whether the count has
// changed.
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

// helper is a goroutine that computes one share after the other. It waits with
// patience, so that sharing a few microseconds of work pays.
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
