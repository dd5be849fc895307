package memory

import (
	"math"
	"slices"
)

// Elastic lets the arbiter change what the holder of a lease may have while it works:
// least bytes at least. resized, which is called without locks and returns at once, has
// it look at Most and call Held when it has done what that says. It ends with the lease.
func (l *Lease) Elastic(least int64, resized func()) {
	if l == nil {
		return
	}
	a := l.arbiter
	a.mu.Lock()
	l.least, l.resized = min(least, l.bytes), resized
	a.mu.Unlock()
	a.squeeze(0, false) // the budget may have shrunk since Take
}

// Most is the bytes that the holder of an elastic lease may have.
func (l *Lease) Most() int64 {
	if l == nil {
		return 0
	}
	l.arbiter.mu.Lock()
	defer l.arbiter.mu.Unlock()
	return l.most
}

// Held tells what the holder of an elastic lease has after it was told most. More than
// that is then taken to be what it needs.
func (l *Lease) Held(most, bytes int64) {
	if l == nil {
		return
	}
	a := l.arbiter
	a.mu.Lock()
	defer a.mu.Unlock()
	if l.bytes == 0 || most != l.most { // it was given back, or is told again
		return
	}
	l.bytes, l.pending = max(bytes, 1), false
	if bytes > most {
		l.least = bytes
	}
	a.announce()
}

// SetBudget changes the bytes that are shared out. If they become fewer, elastic holders
// are told to give memory back, those that are idle first, and what is still too much
// the idle ones give up altogether. If they become more, elastic holders get what they
// wanted. Holders at work give memory back soon, those that are not elastic once they
// are idle (Enforce). SetBudget waits for nobody, and changes nothing where there is no
// budget or the new one is 0.
func (a *Arbiter) SetBudget(bytes int64) error {
	if a.Budget() == 0 || bytes <= 0 {
		return nil
	}
	a.mu.Lock()
	a.budget = bytes
	elastic := slices.Clone(a.leases)
	a.announce()
	a.mu.Unlock()
	a.squeeze(0, false)
	for _, l := range slices.Backward(elastic) {
		a.stretch(l)
	}
	return a.Enforce()
}

// Enforce has idle holders give up what is beyond the budget.
func (a *Arbiter) Enforce() error {
	var tried []*Lease
	for a.Excess() > 0 {
		idle := a.idleBeside(tried, math.MinInt64)
		if idle == nil {
			return nil
		}
		tried = append(tried, idle)
		if _, err := idle.yield(); err != nil {
			return err
		}
	}
	return nil
}

// Excess is the bytes beyond the budget that holders have and were not told to give
// back.
func (a *Arbiter) Excess() int64 {
	if a.Budget() == 0 {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(0, a.missing(0))
}

// missing is the bytes that n lack to be free once elastic holders have done what they
// were told. The caller holds mu.
func (a *Arbiter) missing(n int64) int64 {
	missing := n - a.free()
	for _, l := range a.leases {
		missing -= l.bytes - l.promised()
	}
	return missing
}

// promised is what a lease comes to once its holder has done what it was told. The
// caller holds mu of the arbiter.
func (l *Lease) promised() int64 {
	if l.pending {
		return min(l.most, l.bytes)
	}
	return l.bytes
}

// squeeze tells elastic holders to give back what is missing for n bytes to be free,
// those that are idle first, of them the one that was used longest ago. It reports
// whether that is enough, and tells nobody if it is not and all of it is wanted.
func (a *Arbiter) squeeze(n int64, all bool) (enough bool) {
	a.mu.Lock()
	missing, spare := a.missing(n), int64(0)
	for _, l := range a.leases {
		if l.resized != nil {
			spare += max(0, l.promised()-l.least)
		}
	}
	var tell []func()
	for _, busy := range []bool{false, true} {
		for _, l := range a.leases {
			if l.resized == nil || l.busy != busy || all && missing > spare {
				continue
			}
			if less := min(missing, l.promised()-l.least); less > 0 {
				l.most, l.pending = l.promised()-less, true
				missing -= less
				tell = append(tell, l.resized)
			}
		}
	}
	a.mu.Unlock()
	for _, resized := range tell {
		resized()
	}
	return missing <= 0
}

// stretch gives an elastic holder free bytes that it wanted.
func (a *Arbiter) stretch(l *Lease) {
	a.mu.Lock()
	most := min(l.want, l.bytes+a.free())
	if l.resized == nil || most <= l.promised() {
		a.mu.Unlock()
		return
	}
	l.most, l.pending = most, true
	l.bytes = max(l.bytes, most)
	resized := l.resized
	a.mu.Unlock()
	resized()
}
