package memory

import (
	"errors"
	"sync"
)

// mostHalvings bounds the halvings of all causes together, so a sixteenth of the shared budget
// remains. It is a choice, not measured.
const mostHalvings = 4

// ErrNoBudget says that there is no budget to change.
var ErrNoBudget = errors.New("no budget of memory is known on this machine; set memory in config.toml, such as memory = \"512MB\", and start dowse again")

// Cause is a reason to shrink the budget, with halvings of its own.
type Cause int

// The causes.
const (
	Person   Cause = iota // a signal or a key
	Pressure              // the system is short of memory
	causes
)

// Limiter halves the budget of an arbiter for several causes; each cause undoes only its own
// halvings. The reserved part is never halved. It is safe for concurrent use.
type Limiter struct {
	arbiter *Arbiter
	full    int64 // budget without halvings

	mu       sync.Mutex
	halvings [causes]int
}

// Limits is a budget before and after a change, and without halvings, in bytes.
type Limits struct {
	Before, After, Full int64
}

// NewLimiter changes the present budget of a.
func NewLimiter(a *Arbiter) *Limiter { return &Limiter{arbiter: a, full: a.Budget()} }

// Halve halves the shared budget, down to the least one. The error is ErrNoBudget, or of a holder
// that could not close.
func (l *Limiter) Halve(c Cause) (Limits, error) { return l.change(c, 1) }

// Ease undoes the last halving of a cause, if any.
func (l *Limiter) Ease(c Cause) (Limits, error) { return l.change(c, -1) }

// Restore undoes all halvings of a cause.
func (l *Limiter) Restore(c Cause) (Limits, error) { return l.change(c, -mostHalvings) }

// Halvings returns the present halvings of a cause.
func (l *Limiter) Halvings(c Cause) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.halvings[c]
}

// Limits returns the present budget; zero without one.
func (l *Limiter) Limits() Limits {
	now := l.arbiter.Budget()
	return Limits{Before: now, After: now, Full: l.full}
}

// change adds halvings of a cause, within bounds, and sets the budget.
func (l *Limiter) change(c Cause, by int) (Limits, error) {
	if l.full == 0 {
		return Limits{}, ErrNoBudget
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	others := 0
	for i, n := range l.halvings {
		if Cause(i) != c {
			others += n
		}
	}
	l.halvings[c] = max(0, min(l.halvings[c]+by, max(l.halvings[c], mostHalvings-others)))
	before := l.arbiter.Budget()
	after := l.arbiter.halved(l.full, min(others+l.halvings[c], mostHalvings))
	limits := Limits{Before: before, After: after, Full: l.full}
	if after == before {
		return limits, nil
	}
	return limits, l.arbiter.SetBudget(after)
}

// halved returns a budget of full bytes whose shared part is halved n times.
func (a *Arbiter) halved(full int64, n int) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fixed >= full {
		return full
	}
	return a.fixed + max(1, (full-a.fixed)>>n)
}
