package transformer

import (
	"errors"
	"time"
)

// Rest gives back the working memory of an embedder that nobody used since before, and reports
// whether there was any. Weights stay. Calls that begin meanwhile wait no longer than that takes.
func (e *Embedder) Rest(before time.Time) (rested bool, err error) {
	if e.used.Load() > before.UnixNano() || !e.queryMu.TryLock() {
		return false, nil
	}
	defer e.queryMu.Unlock()
	resting := []*workspace{e.query}
	if e.streamed() {
		select {
		case <-e.turn:
			defer func() { e.turn <- struct{}{} }()
			resting = append(resting, e.workers...)
		default:
			return false, nil
		}
	} else {
		for range e.workers {
			select {
			case w := <-e.idle:
				defer func() { e.idle <- w }()
				resting = append(resting, w)
			default: // it computes
			}
		}
	}
	for _, w := range resting {
		rested = rested || w.holds()
		err = errors.Join(err, w.Free())
	}
	return rested, err
}

// holds reports whether a workspace has memory.
func (w *workspace) holds() bool { return w.rows > 0 || w.states != nil }
