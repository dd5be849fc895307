package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"dowse/store/kv"
)

// Options say how to open an index.
type Options struct {
	// ReadOnly opens an existing index beside other readers.
	ReadOnly bool
	// Timeout is how long to wait for another process to close the index; 0
	// means DefaultTimeout.
	Timeout time.Duration
	// Fingerprint hashes all that goes into building the index. A new index is
	// stamped with it, an existing one must carry it; "" accepts any.
	Fingerprint string

	mount string // where the folder of a pack is shown; "" of any other index
}

// DefaultTimeout is short: a second process becomes a client of the first
// instead of waiting.
const DefaultTimeout = 100 * time.Millisecond

// DB is an open index. Its methods may be called from several goroutines.
type DB struct {
	path    atomic.Pointer[string] // changed by TakePlace
	header  Header
	mount   *mounting // of a pack; nil of any other index
	server  bool      // the records lie on one, without a file of pages
	version uint64    // of these records; later ones are for another DB

	broken atomic.Bool              // set by the first ErrBroken; ends all work until StartOver
	damage atomic.Pointer[Damage]   // found by the last Examine
	last   atomic.Pointer[counters] // seen by the latest transaction

	writer    sync.Mutex // held by Update, Check and whatever replaces the file
	vacuuming sync.Mutex // held by Vacuum
	closed    bool       // guarded by writer
	lent      bool       // another DB has the records now; guarded by writer
	older     bool       // the file has an older format than header; guarded by writer

	folders atomic.Pointer[[]folder] // the longest list that a View read
	sizes   atomic.Pointer[measured] // for the commit last asked for
	journal journal

	swap    sync.RWMutex // guards current; written with writer held too
	current *handle
}

// Open opens the index at path and, unless it is read-only, creates it with its
// folder. Errors to tell apart: ErrNotFound, ErrForeign, ErrVersion,
// ErrFingerprint, ErrCorrupt, ErrLocked, ErrNoSpace.
func Open(path string, opts Options) (*DB, error) {
	if opts.Timeout == 0 {
		opts.Timeout = DefaultTimeout
	}
	db, err := open(path, opts)
	if err != nil {
		return nil, fmt.Errorf("open index %s: %w", path, err)
	}
	return db, nil
}

func open(path string, opts Options) (*DB, error) {
	fresh, err := isFresh(path)
	if err != nil {
		return nil, err
	}
	if fresh && opts.ReadOnly {
		return nil, fmt.Errorf("%w: nothing is indexed yet", ErrNotFound)
	}
	if !fresh {
		// bbolt trusts its file, so the pages are walked through a reader
		// first.
		reader, err := openReader(path, opts.Timeout)
		if err != nil || opts.ReadOnly {
			return finish(path, reader, opts, err)
		}
		if err := reader.close(); err != nil {
			return nil, err
		}
	} else if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, translate(err)
	}
	writer, err := openHandle(path, false, opts.Timeout)
	if err == nil {
		err = removeLeftover(path)
		if err != nil {
			err = errors.Join(err, writer.close())
		}
	}
	return finish(path, writer, opts, err)
}

// isFresh reports whether there is no file at path, or one that was created and
// never written.
func isFresh(path string) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("%w: it is not a regular file", ErrForeign)
	}
	return info.Size() == 0, nil
}

func openReader(path string, timeout time.Duration) (*handle, error) {
	if err := checkStart(path); err != nil {
		return nil, err
	}
	h, err := openHandle(path, true, timeout)
	if err != nil {
		return nil, err
	}
	if _, err := walkPages(h.file, pageElements, nil); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

// finish reads or writes the header and looks for damage.
func finish(path string, h *handle, opts Options, err error) (*DB, error) {
	if err != nil {
		return nil, err
	}
	db := &DB{current: h}
	db.path.Store(&path)
	if err := db.readHeader(opts); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if opts.Fingerprint != "" && db.header.Fingerprint != opts.Fingerprint {
		err := fmt.Errorf("%w: built with %q, wanted %q", ErrFingerprint, db.header.Fingerprint, opts.Fingerprint)
		return nil, errors.Join(err, db.Close())
	}
	// A wrong key would lead searches astray without an error, so every record
	// is checked once.
	if _, err := db.Examine(context.Background()); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := db.readMount(opts.mount); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// readHeader finds the header. It stamps a file without buckets as new: its
// creation was cut short.
func (db *DB) readHeader(opts Options) error {
	empty := false
	err := guard(func() error {
		return db.current.kv.View(func(tx kv.Tx) (err error) {
			if empty = tx.Empty(); empty {
				return nil
			}
			db.header, err = headerOf(tx)
			db.older, db.header.Version = db.header.Version < Version, Version
			return err
		})
	})
	if err != nil || !empty {
		return translate(err)
	}
	if opts.ReadOnly {
		return fmt.Errorf("%w: nothing is indexed yet", ErrNotFound)
	}
	db.header = Header{Version: Version, Fingerprint: opts.Fingerprint, Created: time.Now()}
	return translate(guard(func() error {
		return db.current.kv.Update(func(tx kv.Tx) error { return createBuckets(tx, db.header) })
	}))
}

func headerOf(tx kv.Tx) (Header, error) {
	main := tx.Bucket(bucketMain)
	if main == nil {
		return Header{}, fmt.Errorf("%w: a bbolt database of another program", ErrForeign)
	}
	sealed := main.Get(keyHeader)
	if sealed == nil {
		return Header{}, broken("the header is missing")
	}
	value, err := unseal(keyHeader, sealed)
	if err != nil {
		return Header{}, brokenIf(err)
	}
	header, err := decodeHeader(value)
	if err != nil {
		return Header{}, brokenIf(err)
	}
	for _, name := range allBuckets {
		if tx.Bucket(name) == nil {
			return Header{}, broken("bucket %s is missing", name)
		}
	}
	return header, nil
}

func createBuckets(tx kv.Tx, header Header) error {
	for _, name := range allBuckets {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return tx.Bucket(bucketMain).Put(keyHeader, seal(keyHeader, header.encode()))
}

// Path returns the file of the index.
func (db *DB) Path() string { return *db.path.Load() }

// Header returns the header of the open index.
func (db *DB) Header() Header { return db.header }

// closePatience is how long Close waits for bbolt to close a damaged file.
const closePatience = time.Second

// Close waits for running transactions and closes the file. A damaged file may
// hold bbolt's locks for good; then only the handle is closed, and the file
// stays locked until the process ends or the file is moved aside.
func (db *DB) Close() error {
	db.writer.Lock()
	defer db.writer.Unlock()
	db.closed = true
	if db.lent {
		return nil
	}
	if !db.broken.Load() {
		return db.current.close()
	}
	return db.current.abandon(closePatience)
}
