package memory

import (
	"math"
	"slices"
)

// Elastic lets the arbiter resize a lease while its holder works, but not below least bytes.
// resized, called without locks, must return at once and make the holder read Most and, when it
// has followed, call Held. It ends with the lease.
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

// Most returns the bytes that an elastic holder may have.
func (l *Lease) Most() int64 {
	if l == nil {
		return 0
	}
	l.arbiter.mu.Lock()
	defer l.arbiter.mu.Unlock()
	return l.most
}

// Held reports what an elastic holder has after it was told most. If that is more, it is taken to
// be needed.
func (l *Lease) Held(most, bytes int64) {
	if l == nil {
		return
	}
	a := l.arbiter
	a.mu.Lock()
	defer a.mu.Unlock()
	if l.bytes == 0 || most != l.most { // given back, or told again
		return
	}
	l.bytes, l.pending = max(bytes, 1), false
	if bytes > most {
		l.least = bytes
	}
	a.announce()
}

// SetBudget changes the budget without waiting. If it shrinks, elastic holders are told to shrink,
// idle ones first, and idle holders are evicted for the rest; busy ones follow soon, inelastic
// ones once they are idle (Enforce). If it grows, elastic holders get what they wanted. It does
// nothing without a budget or if the new one is 0.
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

// Enforce evicts idle holders until the budget is kept.
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

// Excess returns the bytes over the budget that nobody was told to return.
func (a *Arbiter) Excess() int64 {
	if a.Budget() == 0 {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(0, a.missing(0))
}

// missing returns how many of n bytes will not be free once elastic holders have followed. The
// caller holds mu.
func (a *Arbiter) missing(n int64) int64 {
	missing := n - a.free()
	for _, l := range a.leases {
		missing -= l.bytes - l.promised()
	}
	return missing
}

// promised returns the bytes of a lease once its holder has followed. The caller holds mu.
func (l *Lease) promised() int64 {
	if l.pending {
		return min(l.most, l.bytes)
	}
	return l.bytes
}

// squeeze tells elastic holders to return what is missing for n free bytes, idle and least
// recently used ones first, and reports whether that suffices. If not, and all is set, it tells
// nobody.
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
