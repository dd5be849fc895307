package memory

import (
	"errors"
	"sync"
)

// mostHalvings bounds how often a Limiter halves a budget, for all causes together, so
// that a sixteenth of what is shared remains. The number is a choice and not measured.
const mostHalvings = 4

// ErrNoBudget says that there is no budget that could change.
var ErrNoBudget = errors.New("no budget of memory is known on this machine; set memory in config.toml, such as memory = \"512MB\", and start dowse again")

// Cause is who wants a smaller budget.
type Cause int

// The causes, each of which halves and restores on its own.
const (
	Person   Cause = iota // by a signal or a key
	Pressure              // of the system, which runs short of memory
	causes
)

// Limiter changes the budget of an arbiter by halves, for several causes at the same
// time: what one cause took away another one does not give back. Only what is shared is
// halved, since what is reserved stays; a budget is never less than what is reserved and
// a sixteenth of what is shared. All methods may be called from several goroutines.
type Limiter struct {
	arbiter *Arbiter
	full    int64 // the budget without any halving

	mu       sync.Mutex
	halvings [causes]int
}

// Limits is a budget before and after a change, and the one that was set up, in bytes.
type Limits struct {
	Before, After, Full int64
}

// NewLimiter changes the budget that a has now.
func NewLimiter(a *Arbiter) *Limiter { return &Limiter{arbiter: a, full: a.Budget()} }

// Halve takes half of what is shared away. At the least budget it changes nothing. The
// error is ErrNoBudget, or that of a holder that could not close.
func (l *Limiter) Halve(c Cause) (Limits, error) { return l.change(c, 1) }

// Ease takes the last halving of a cause back; without any it changes nothing.
func (l *Limiter) Ease(c Cause) (Limits, error) { return l.change(c, -1) }

// Restore takes all halvings of a cause back.
func (l *Limiter) Restore(c Cause) (Limits, error) { return l.change(c, -mostHalvings) }

// Halvings is how often the budget is halved now for a cause.
func (l *Limiter) Halvings(c Cause) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.halvings[c]
}

// Limits is the budget as it is; all are 0 where there is none.
func (l *Limiter) Limits() Limits {
	now := l.arbiter.Budget()
	return Limits{Before: now, After: now, Full: l.full}
}

// change adds halvings of a cause, within bounds, and sets the budget that follows.
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

// halved is a budget of full bytes whose part that is not reserved was halved n times.
func (a *Arbiter) halved(full int64, n int) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fixed >= full {
		return full
	}
	return a.fixed + max(1, (full-a.fixed)>>n)
}
