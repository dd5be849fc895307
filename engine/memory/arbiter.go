package memory

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Arbiter shares one budget among holders that take turns, so that they peak at the largest phase
// of a search and not at the sum. Permanent needs are reserved. Everything else is a Lease: a
// holder that needs more than is free waits for busy ones, and idle ones yield theirs, the least
// recently used first. Spare bytes of elastic holders are taken before that, even while they
// work. The budget may change (SetBudget).
//
// A nil Arbiter, and one with the budget 0, lends any number of bytes.
type Arbiter struct {
	mu      sync.Mutex
	budget  int64         // 0: unlimited, permanently
	fixed   int64         // reserved
	leases  []*Lease      // with bytes, least recently used first
	changed chan struct{} // closed and replaced when a lease is idle or given back
}

// NewArbiter shares a budget of bytes; 0 is unlimited.
func NewArbiter(budget int64) *Arbiter {
	return &Arbiter{budget: budget, changed: make(chan struct{})}
}

// Budget returns the budget, 0 if it is unlimited.
func (a *Arbiter) Budget() int64 {
	if a == nil {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.budget
}

// Part returns 1/share of the budget, at most most bytes.
func (a *Arbiter) Part(share, most int64) int64 {
	budget := a.Budget()
	if budget == 0 {
		return most
	}
	return min(most, budget/share)
}

// Shared returns the bytes that are not reserved, 0 if they are unlimited.
func (a *Arbiter) Shared() int64 {
	if a.Budget() == 0 {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.budget - a.fixed
}

// Reserve reserves n bytes permanently; negative n returns some.
func (a *Arbiter) Reserve(n int64) {
	if a.Budget() == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fixed += n
	a.announce()
}

// announce wakes waiting holders. The caller holds mu.
func (a *Arbiter) announce() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// Lease is one holder's part of the budget. A nil Lease is unlimited.
type Lease struct {
	arbiter *Arbiter
	yield   func() (bool, error)

	// Guarded by arbiter.mu.
	bytes   int64 // held, or about to be
	busy    bool
	since   time.Time // when it became idle
	want    int64     // of the last Take
	resized func()    // tells an elastic holder about most; nil if it is not elastic
	most    int64     // allowed from now on
	pending bool      // the holder has not answered yet
	least   int64     // needed
}

// Lease returns an empty lease. yield, called without locks, gives the lease back if its holder
// is idle and reports whether it did.
func (a *Arbiter) Lease(yield func() (bool, error)) *Lease {
	if a.Budget() == 0 {
		return nil
	}
	return &Lease{arbiter: a, yield: yield}
}

// Take gives an empty lease want bytes and makes it busy. If nobody else can yield, it grants what
// is left. It returns 0 if any number may be taken, and soon after ctx has ended.
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

// try takes want bytes if they are free, or all free ones if no other lease has any. Otherwise it
// returns an idle lease, if there is one, and a channel that closes when to try again.
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

// Busy protects the lease from eviction. An elastic holder gets the free bytes that it wanted.
func (l *Lease) Busy() {
	l.set(true)
	if l != nil {
		l.arbiter.stretch(l)
	}
}

// Idle allows others to evict the lease.
func (l *Lease) Idle() { l.set(false) }

func (l *Lease) set(busy bool) {
	if l == nil {
		return
	}
	a := l.arbiter
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.Index(a.leases, l); i >= 0 { // now used last
		a.leases = append(slices.Delete(a.leases, i, i+1), l)
	}
	if l.busy = busy; !busy {
		l.since = time.Now()
		a.announce()
	}
}

// Give returns all bytes.
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

// Grow adds n bytes to a lease if they are free, and reports whether it did.
func (l *Lease) Grow(n int64) bool {
	if l == nil {
		return true
	}
	a := l.arbiter
	a.mu.Lock()
	defer a.mu.Unlock()
	if n > a.free() {
		return false
	}
	l.add(n)
	return true
}

// Claim is Grow after evicting idle holders, least recently used first, if that makes enough
// room. It does not wait.
func (l *Lease) Claim(n int64) (bool, error) {
	for tried := []*Lease{l}; !l.Grow(n); {
		idle := l.arbiter.idleBeside(tried, n)
		if idle == nil {
			return false, nil
		}
		tried = append(tried, idle)
		if _, err := idle.yield(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// Shrink gives n bytes of a lease back.
func (l *Lease) Shrink(n int64) {
	if l == nil || n == 0 {
		return
	}
	a := l.arbiter
	a.mu.Lock()
	defer a.mu.Unlock()
	if l.bytes -= n; l.bytes < 0 {
		panic("memory: a lease gives back more than it has")
	}
	if i := slices.Index(a.leases, l); i >= 0 && l.bytes == 0 {
		a.leases = slices.Delete(a.leases, i, i+1)
	}
	a.announce()
}

// add gives a lease n free bytes. The caller holds mu.
func (l *Lease) add(n int64) {
	if l.bytes == 0 && n > 0 {
		l.arbiter.leases = append(l.arbiter.leases, l)
	}
	l.bytes += n
}

// free returns the bytes that are neither reserved nor lent. The caller holds mu.
func (a *Arbiter) free() int64 {
	free := a.budget - a.fixed
	for _, l := range a.leases {
		free -= l.bytes
	}
	return free
}

// idleBeside returns the least recently used idle lease that was not tried; nil if there is none
// or all of them together do not free n bytes.
func (a *Arbiter) idleBeside(tried []*Lease, n int64) *Lease {
	a.mu.Lock()
	defer a.mu.Unlock()
	var first *Lease
	free := a.free()
	for _, l := range a.leases {
		if l.busy || slices.Contains(tried, l) {
			continue
		}
		if first == nil {
			first = l
		}
		free += l.bytes
	}
	if free < n {
		return nil
	}
	return first
}
