package transformer

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"dowse/internal/testwait"
)

// A helper does every share once, whether it spins or sleeps when that comes,
// and says what went wrong.
func TestHelpersDoTheirShares(t *testing.T) {
	h, done := newHelper(), 0
	wrong := errors.New("wrong")
	for i := range 3000 {
		switch {
		case i%1000 == 999: // it sleeps by now
			testwait.Until(t, "the helper does not sleep", h.given.asleep.Load)
		case i%7 == 0:
			runtime.Gosched()
		}
		h.give(func() error {
			done++
			if i%500 == 3 {
				if !testwait.For(testwait.Patience, h.done.asleep.Load) {
					return errors.New("who waits for it does not sleep")
				}
				return wrong
			}
			return nil
		})
		if err := h.result(); done != i+1 || (i%500 == 3) != (err == wrong) || i%500 != 3 && err != nil { //nolint:errorlint // itself
			t.Fatalf("after share %d: %d done, error %v", i, done, err)
		}
	}
	h.stop()
}

// A raise may be seen, and answered, before it has looked for a sleeper. What it
// then wakes up is the next sleep, which is not over by that.
func TestASignalIsNotWokenUpByTheOneBefore(t *testing.T) {
	s := signal{wake: make(chan struct{}, 1)}
	s.count.Add(1) // the first half of raise
	s.wait(0)
	woken := make(chan struct{})
	go func() {
		s.wait(1)
		close(woken)
	}()
	testwait.Until(t, "nobody waits", s.asleep.Load)
	s.asleep.Store(false) // the second one
	s.wake <- struct{}{}
	select {
	case <-woken:
		t.Fatal("the wait is over, and nothing was raised")
	case <-time.After(20 * patience):
	}
	s.raise()
	<-woken
}

// Whoever has stopped a team leaves no goroutine behind.
func TestFreedTeamsAreGone(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		team := openTeam(4, nil)
		count := make([]int, 4)
		for range 10 {
			if err := team.each(4, func(i int) error { count[i]++; return nil }); err != nil {
				t.Fatal(err)
			}
		}
		for i, n := range count {
			if n != 10 {
				t.Fatalf("worker %d had %d of 10 shares", i, n)
			}
		}
		if err := team.free(); err != nil {
			t.Fatal(err)
		}
	}
	if !testwait.For(testwait.Patience, func() bool { return runtime.NumGoroutine() <= before }) {
		t.Errorf("%d goroutines, there were %d", runtime.NumGoroutine(), before)
	}
}
