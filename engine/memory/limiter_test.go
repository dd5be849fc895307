package memory

import (
	"errors"
	"testing"
)

// change is one call of a Limiter and the budget after it.
type change struct {
	do    func(Cause) (Limits, error)
	cause Cause
	after int64
}

func TestLimiterHalvesWhatIsShared(t *testing.T) {
	a := NewArbiter(1000)
	a.Reserve(200)
	l := NewLimiter(a)
	before := int64(1000)
	for i, c := range []change{
		{l.Halve, Person, 600},
		{l.Halve, Person, 400},
		{l.Halve, Pressure, 300},
		{l.Restore, Person, 600}, // the system is short still
		{l.Restore, Person, 600},
		{l.Halve, Pressure, 400},
		{l.Ease, Pressure, 600},
		{l.Halve, Person, 400},
		{l.Halve, Person, 300},
		{l.Halve, Person, 250},
		{l.Halve, Person, 250}, // the least
		{l.Halve, Pressure, 250},
		{l.Ease, Pressure, 300},
		{l.Ease, Pressure, 300},
		{l.Restore, Person, 1000},
	} {
		got, err := c.do(c.cause)
		if want := (Limits{Before: before, After: c.after, Full: 1000}); err != nil || got != want || a.Budget() != c.after {
			t.Fatalf("change %d: %+v, budget %d, %v; want %+v", i, got, a.Budget(), err, want)
		}
		before = c.after
	}
	if l.Halvings(Person) != 0 || l.Halvings(Pressure) != 0 {
		t.Errorf("halved still: %d, %d", l.Halvings(Person), l.Halvings(Pressure))
	}
}

// TestLimiterClosesWhoIsIdle: a holder that is idle gives its lease up when the budget
// is halved, as it does under SetBudget.
func TestLimiterClosesWhoIsIdle(t *testing.T) {
	a := NewArbiter(100)
	var l *Lease
	closed := 0
	l = a.Lease(func() (bool, error) {
		closed++
		l.Give()
		return true, nil
	})
	if got, err := l.Take(t.Context(), 60); got != 60 || err != nil {
		t.Fatal(got, err)
	}
	l.Idle()
	if _, err := NewLimiter(a).Halve(Person); err != nil || closed != 1 || a.Excess() != 0 {
		t.Errorf("closed %d times, %d bytes too much, %v", closed, a.Excess(), err)
	}
}

func TestLimiterWithoutABudget(t *testing.T) {
	for _, a := range []*Arbiter{nil, NewArbiter(0)} {
		if got, err := NewLimiter(a).Halve(Person); !errors.Is(err, ErrNoBudget) || got != (Limits{}) {
			t.Errorf("%+v, %v", got, err)
		}
	}
}
