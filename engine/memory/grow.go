package memory

import "slices"

// Grow adds n bytes to a lease if they are free, and reports whether it did. Nobody
// gives any up for them.
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

// Claim is Grow, for which idle holders give their leases up, the one that was used
// longest ago first, if that makes enough room. It waits for nobody who is at work.
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

// free is what is neither reserved nor lent. The caller holds mu.
func (a *Arbiter) free() int64 {
	free := a.budget - a.fixed
	for _, l := range a.leases {
		free -= l.bytes
	}
	return free
}

// idleBeside returns the idle lease that was used longest ago and is not among those
// tried; nil if there is none, or if all of them together do not make n bytes free.
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
