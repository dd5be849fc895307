package memory

import (
	"context"
	"slices"
	"sync"
)

// Arbiter shares one budget out among holders that take turns, so that what they
// hold together peaks at the largest phase of a search and not at the sum of all.
// What is there for good is reserved. Everything else has a Lease: whoever needs
// more than is free waits for those at work, and those that are idle give theirs up,
// the one that was used longest ago first. What elastic holders can do without is taken
// before that, also while they are at work. The budget may change (SetBudget).
//
// A nil Arbiter, and one with the budget 0, lends any number of bytes.
type Arbiter struct {
	mu      sync.Mutex
	budget  int64         // 0 for any number of bytes, for good
	fixed   int64         // reserved
	leases  []*Lease      // with bytes, in the order of their last use
	changed chan struct{} // closed when a lease falls idle or is given back; another channel takes its place
}

// NewArbiter shares out a budget of bytes; 0 means any number.
func NewArbiter(budget int64) *Arbiter {
	return &Arbiter{budget: budget, changed: make(chan struct{})}
}

// Budget is the bytes that are shared out, 0 for any number.
func (a *Arbiter) Budget() int64 {
	if a == nil {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.budget
}

// Part is a share of the budget, as 1/share, but most bytes at most.
func (a *Arbiter) Part(share, most int64) int64 {
	budget := a.Budget()
	if budget == 0 {
		return most
	}
	return min(most, budget/share)
}

// Shared is the bytes that are not reserved, 0 for any number.
func (a *Arbiter) Shared() int64 {
	if a.Budget() == 0 {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.budget - a.fixed
}

// Reserve sets n bytes apart for good; fewer than 0 gives some back.
func (a *Arbiter) Reserve(n int64) {
	if a.Budget() == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fixed += n
	a.announce()
}

// announce wakes those that wait. The caller holds mu.
func (a *Arbiter) announce() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// Lease is what one holder has of the budget. A nil Lease has any number of bytes.
type Lease struct {
	arbiter *Arbiter
	yield   func() (bool, error)

	// Guarded by arbiter.mu.
	bytes   int64 // that the holder has, or may have any moment
	busy    bool
	want    int64  // of the last Take
	resized func() // tells an elastic holder of most; nil where it is not elastic
	most    int64  // that it may have from now on
	pending bool   // it has not answered yet
	least   int64  // that it needs
}

// Lease returns a lease of no bytes. yield, which is called without locks, gives the
// lease back if its holder is idle, and reports whether it did.
func (a *Arbiter) Lease(yield func() (bool, error)) *Lease {
	if a.Budget() == 0 {
		return nil
	}
	return &Lease{arbiter: a, yield: yield}
}

// Take makes the lease one of want bytes at work, or of what is left where nobody
// else could give any up; it is 0 where any number may be taken. The lease has no
// bytes before. It returns soon after ctx has ended.
func (l *Lease) Take(ctx context.Context, want int64) (granted int64, err error) {
	if l == nil {
		return 0, nil
	}
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		granted, idle, changed := l.try(want)
		if granted > 0 {
			return granted, nil
		}
		if !l.arbiter.squeeze(want, true) && idle != nil {
			if gone, err := idle.yield(); gone || err != nil {
				if err != nil {
					return 0, err
				}
				continue
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// try takes want bytes if they are free, or all that are where no other lease has
// any. Otherwise it returns a lease that may be given up, if there is one, and what is
// closed when to try again.
func (l *Lease) try(want int64) (granted int64, idle *Lease, changed <-chan struct{}) {
	a := l.arbiter
	a.mu.Lock()
	defer a.mu.Unlock()
	free := a.free()
	for _, other := range a.leases {
		if idle == nil && !other.busy {
			idle = other
		}
	}
	if want > free && len(a.leases) > 0 {
		return 0, idle, a.changed
	}
	l.bytes, l.busy, l.want, l.resized = max(1, min(want, free)), true, want, nil
	l.most, l.pending = l.bytes, false
	a.leases = append(a.leases, l)
	return l.bytes, nil, nil
}

// Busy keeps the lease from being given up, Idle allows it. An elastic holder gets what
// is free of what it wanted.
func (l *Lease) Busy() {
	l.set(true)
	if l != nil {
		l.arbiter.stretch(l)
	}
}

// Idle allows that the lease is given up for another one.
func (l *Lease) Idle() { l.set(false) }

func (l *Lease) set(busy bool) {
	if l == nil {
		return
	}
	a := l.arbiter
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.Index(a.leases, l); i >= 0 { // used last
		a.leases = append(slices.Delete(a.leases, i, i+1), l)
	}
	if l.busy = busy; !busy {
		a.announce()
	}
}

// Give gives all bytes back.
func (l *Lease) Give() {
	if l == nil {
		return
	}
	a := l.arbiter
	a.mu.Lock()
	defer a.mu.Unlock()
	l.bytes, l.busy, l.resized, l.pending = 0, false, nil, false
	if i := slices.Index(a.leases, l); i >= 0 {
		a.leases = slices.Delete(a.leases, i, i+1)
	}
	a.announce()
}
