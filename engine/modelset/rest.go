package modelset

import (
	"errors"
	"runtime/debug"
	"time"
)

// Rest gives back to the system what was not used since before: models that their first users
// open again, working memory of the embedder, and what the garbage collector kept of both.
func (m *Set) Rest(before time.Time) error {
	rested, err := m.Memory.Rest(before)
	if e := m.Local(); e != nil {
		worked, failed := e.Rest(before)
		rested, err = rested || worked, errors.Join(err, failed)
	}
	if rested {
		debug.FreeOSMemory()
	}
	return err
}
