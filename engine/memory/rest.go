package memory

import (
	"errors"
	"time"
)

// Rest has the holders yield that are idle since before, and reports whether one did.
func (a *Arbiter) Rest(before time.Time) (rested bool, err error) {
	if a.Budget() == 0 {
		return false, nil
	}
	a.mu.Lock()
	var idle []*Lease
	for _, l := range a.leases {
		if !l.busy && l.since.Before(before) {
			idle = append(idle, l)
		}
	}
	a.mu.Unlock()
	for _, l := range idle {
		gone, failed := l.yield()
		rested, err = rested || gone, errors.Join(err, failed)
	}
	return rested, err
}
