package store

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"dowse/store/kv"
)

// pageBytes is the page size of new files: that of the blocks that disks write
// whole. Smaller pages would save 4% of the index of a few thousand notes and
// 1% of that of 20 MB, but a block would hold both meta pages, or pages of two
// Updates, and a power cut could spoil all of them.
const pageBytes = 4096

// growth is the extra room each time the file grows.
const growth = 32 << 10

// handle is an open file. A DB has one at a time; when Vacuum replaces it, the
// old one serves its transactions until they end.
type handle struct {
	kv    kv.DB
	bolt  *bbolt.DB      // below kv; nil of an index on a server, which has no file and no pages
	file  *os.File       // read by bolt, which owns it
	users sync.WaitGroup // transactions that read through it
}

// openHandle opens and locks the file at path, and makes sure that the locked
// file still has that name: while one waits for the lock, its holder may put a
// vacuumed file in place.
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

// openBolt opens a file and keeps it, so that it and its lock can be closed
// even after a panic in bbolt.
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
		h.kv = boltDB{h.bolt}
		return h, nil
	}
	if h.file != nil && errors.Is(err, ErrCorrupt) {
		err = errors.Join(err, ignoreClosed(h.file.Close()))
	}
	return nil, translate(err)
}

func (h *handle) isAt(path string) (bool, error) {
	if h.bolt == nil {
		return true, nil
	}
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

// readOnly reports whether the file may not be replaced.
func (h *handle) readOnly() bool { return h.bolt == nil || h.bolt.IsReadOnly() }

// close waits for running transactions.
func (h *handle) close() error { return guard(h.kv.Close) }

// abandon closes a damaged file. When patience runs out, because bbolt holds
// locks for good, it closes the file alone.
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
