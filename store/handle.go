package store

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"go.etcd.io/bbolt"
)

// pageBytes is the size of the pages of new files: that of the blocks that disks
// write whole. Smaller ones leave less room unused, 4% of the index of a few
// thousand notes and 1% of that of 20 MB; but a block would hold both meta pages,
// or pages of two Updates, and power that goes while it is written take them all.
const pageBytes = 4096

// growth is by how much more than it needs the file grows each time.
const growth = 32 << 10

// handle is an open file. A DB has one at a time; Vacuum puts another in
// its place, and the old one serves the transactions that use it until they
// end.
type handle struct {
	bolt  *bbolt.DB
	file  *os.File       // what bolt reads through; owned by bolt
	users sync.WaitGroup // transactions that read through it
}

// openHandle opens the file at path through bbolt, which locks it, and sees
// to it that what was locked is still the file of that name: while one waits
// for the lock, its holder may put a vacuumed file in place of this one.
func openHandle(path string, readOnly bool, timeout time.Duration) (*handle, error) {
	for deadline := time.Now().Add(timeout); ; {
		h, err := openBolt(path, readOnly, timeout)
		if err != nil {
			return nil, err
		}
		same, err := h.isAt(path)
		if err == nil && same {
			return h, nil
		}
		if err := errors.Join(err, h.close()); err != nil {
			return nil, err
		}
		if time.Now().After(deadline) {
			return nil, ErrLocked
		}
	}
}

// openBolt opens a file and keeps hold of it, so that a file that bbolt loses
// in a panic can still be closed, and the lock with it.
func openBolt(path string, readOnly bool, timeout time.Duration) (*handle, error) {
	h := &handle{}
	err := guard(func() (err error) {
		h.bolt, err = bbolt.Open(path, 0o600, &bbolt.Options{
			ReadOnly: readOnly, Timeout: timeout, FreelistType: bbolt.FreelistMapType, PageSize: pageBytes,
			OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
				var err error
				h.file, err = os.OpenFile(name, flag, mode)
				return h.file, err
			},
		})
		return err
	})
	if err == nil {
		h.bolt.AllocSize = growth
		return h, nil
	}
	if h.file != nil && errors.Is(err, ErrCorrupt) {
		err = errors.Join(err, ignoreClosed(h.file.Close()))
	}
	return nil, translate(err)
}

// isAt reports whether the file is the one of that name.
func (h *handle) isAt(path string) (bool, error) {
	own, err := h.file.Stat()
	if err != nil {
		return false, err
	}
	named, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(own, named), err
}

// close waits for the transactions under way.
func (h *handle) close() error { return guard(h.bolt.Close) }

// abandon closes a damaged file, of which bbolt may hold locks for good: after
// patience has run out only the file itself is closed.
func (h *handle) abandon(patience time.Duration) error {
	closed := make(chan error, 1)
	go func() { closed <- h.close() }()
	select {
	case err := <-closed:
		if errors.Is(err, ErrCorrupt) {
			return ignoreClosed(h.file.Close())
		}
		return err
	case <-time.After(patience):
		return ignoreClosed(h.file.Close())
	}
}

func ignoreClosed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// acquire returns the handle for a transaction that reads; users.Done ends it.
func (db *DB) acquire() *handle {
	db.swap.RLock()
	defer db.swap.RUnlock()
	db.current.users.Add(1)
	return db.current
}
