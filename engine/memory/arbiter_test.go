package memory

import (
	"context"
	"errors"
	"testing"
)

// holder is a lease that is given up when it is idle.
type holder struct {
	*Lease
	idle, gone bool
}

func hold(a *Arbiter) *holder {
	h := &holder{}
	h.Lease = a.Lease(func() (bool, error) {
		if h.idle {
			h.Give()
			h.idle, h.gone = false, true
			return true, nil
		}
		return false, nil
	})
	return h
}

func (h *holder) rest() { h.idle = true; h.Idle() }

func (h *holder) take(t *testing.T, want, granted int64) {
	t.Helper()
	if got, err := h.Take(t.Context(), want); got != granted || err != nil {
		t.Fatalf("took %d of %d bytes, %v; want %d", got, want, err, granted)
	}
}

// TestArbiterTakesFromTheIdle, the one that was used longest ago first, and from as
// few as it needs.
func TestArbiterTakesFromTheIdle(t *testing.T) {
	a := NewArbiter(100)
	a.Reserve(10)
	first, second, third, last := hold(a), hold(a), hold(a), hold(a)
	first.take(t, 30, 30)
	second.take(t, 30, 30)
	third.take(t, 30, 30)
	second.rest()
	first.rest()
	third.rest()
	last.take(t, 40, 40)
	if !second.gone || !first.gone || third.gone {
		t.Errorf("gave up: first %t, second %t, third %t", first.gone, second.gone, third.gone)
	}
	last.Give()
	first.take(t, 60, 60)
	if third.gone {
		t.Error("gave up though there was room")
	}
}

// TestArbiterGivesWhatIsLeft where nobody has more to give up.
func TestArbiterGivesWhatIsLeft(t *testing.T) {
	a := NewArbiter(100)
	a.Reserve(60)
	all, none := hold(a), hold(a)
	all.take(t, 1000, 40)
	all.rest()
	if a.Shared() != 40 {
		t.Errorf("%d bytes are shared", a.Shared())
	}
	a.Reserve(60)
	none.take(t, 5, 1) // which is too little for any model, and no bound would be 0
	if !all.gone {
		t.Error("kept what another one needed")
	}
}

// TestArbiterWaitsForTheBusy until they are idle, or the caller's time is up.
func TestArbiterWaitsForTheBusy(t *testing.T) {
	a := NewArbiter(100)
	busy, waiting := hold(a), hold(a)
	busy.take(t, 80, 80)
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan error)
	go func() {
		_, err := waiting.Take(ctx, 30)
		asked <- err
	}()
	cancel()
	if err := <-asked; !errors.Is(err, context.Canceled) {
		t.Errorf("took from who is at work: %v", err)
	}
	go func() {
		got, err := waiting.Take(t.Context(), 30)
		if got != 30 {
			err = errors.Join(err, errors.New("too little"))
		}
		asked <- err
	}()
	busy.rest()
	if err := <-asked; err != nil || !busy.gone {
		t.Errorf("%v, gave up: %t", err, busy.gone)
	}
}

// TestArbiterWithoutABudget lends anything.
func TestArbiterWithoutABudget(t *testing.T) {
	for _, a := range []*Arbiter{nil, NewArbiter(0)} {
		a.Reserve(5)
		h := hold(a)
		h.take(t, 1<<60, 0)
		h.Busy()
		h.rest()
		h.Give()
		if a.Budget() != 0 || a.Shared() != 0 || a.Part(8, 7) != 7 {
			t.Errorf("a budget of %d, %d of it", a.Budget(), a.Part(8, 7))
		}
	}
	if part := NewArbiter(80).Part(8, 70); part != 10 {
		t.Errorf("an eighth of 80 is %d", part)
	}
}
