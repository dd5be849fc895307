package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"dowse/internal/atomicfile"
	"dowse/store/kv"
)

// Replaced says that an empty index took the place of an unusable one. It knows
// the same folders, and Damage calls it unmended until they are indexed.
type Replaced struct {
	Why   error
	Aside string   // new name of the old file; "" if it was removed or gone
	Roots []string // the folders it knew, as far as they could be read
}

// OpenOrReplace opens an index for writing. A file that cannot be used is moved
// aside, or removed if it was built with other settings, and an empty index
// takes its place: an index costs only time.
func OpenOrReplace(path string, opts Options) (*DB, *Replaced, error) {
	db, err := Open(path, opts)
	foreign := errors.Is(err, ErrForeign)
	other := errors.Is(err, ErrFingerprint)
	if err == nil || !foreign && !other && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrVersion) {
		return db, nil, err
	}
	old := &Replaced{Why: err, Roots: rememberedRoots(path)}
	switch {
	case other:
		err = Remove(path)
	case foreign:
		old.Aside, err = moveAside(path, foreignMark, time.Now())
	default:
		old.Aside, err = MoveAside(path, time.Now())
	}
	if err != nil {
		return nil, nil, err
	}
	if db, err = Open(path, opts); err != nil {
		return nil, nil, err
	}
	if err := db.Update(func(tx *Tx) error { return tx.begin(old.Roots) }); err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	_, err = db.Examine(context.Background())
	if err != nil {
		err = errors.Join(err, db.Close())
	}
	return db, old, err
}

// begin makes an empty index the successor of another.
func (tx *Tx) begin(roots []string) error {
	if len(roots) > 0 {
		if err := tx.PutRoots(roots); err != nil {
			return err
		}
	}
	return tx.put(bucketMain, keyMending, nil)
}

// rememberedRoots reads the folders of an unusable index from itself, or else
// from the list beside it.
func rememberedRoots(path string) (roots []string) {
	db, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		return keptRoots(path)
	}
	defer db.Close() //nolint:errcheck // only read from
	err = db.View(func(tx *Tx) (err error) {
		roots, err = tx.Roots()
		return err
	})
	if err != nil {
		return keptRoots(path)
	}
	return roots
}

// Gone reports whether the open file no longer has the index's name: it was
// removed or replaced.
//
// A pack on a server is gone when it was published again, or cannot be reached.
func (db *DB) Gone() bool {
	if db.server {
		return db.serverGone()
	}
	db.writer.Lock() // Vacuum replaces it too
	defer db.writer.Unlock()
	same, err := db.current.isAt(db.Path())
	return !db.closed && err == nil && !same
}

// StartOver replaces this index, which is broken or was removed, by an empty
// one and goes on with that. Ids and commit numbers continue, so that nothing
// cached of the old index is taken for the new one's. It fails with ErrLocked
// where another process has put its own index there.
func (db *DB) StartOver(why error) (*Replaced, error) {
	db.vacuuming.Lock()
	defer db.vacuuming.Unlock()
	old := &Replaced{Why: why}
	if err := db.View(func(tx *Tx) (err error) { old.Roots, err = tx.Roots(); return err }); err != nil || len(old.Roots) == 0 {
		old.Roots = keptRoots(db.Path())
	}
	db.writer.Lock()
	defer db.writer.Unlock()
	switch {
	case db.closed:
		return nil, errors.New("start over: the index is closed")
	case db.current.readOnly():
		return nil, fmt.Errorf("start over: %w", ErrReadOnly)
	}
	before := db.current
	if err := db.startOver(old); err != nil {
		return nil, fmt.Errorf("start over: %w", translate(err))
	}
	db.broken.Store(false)
	db.folders.Store(nil)
	if _, err := db.examine(context.Background()); err != nil {
		return nil, err
	}
	if err := before.abandon(closePatience); err != nil && !errors.Is(err, ErrCorrupt) {
		return old, err
	}
	return old, nil
}

// startOver completes and locks the new file before it gets the name of the old
// one, as Vacuum does.
func (db *DB) startOver(old *Replaced) error {
	place, err := filepath.EvalSymlinks(db.Path())
	if err != nil {
		place = db.Path()
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return err
	}
	if err := db.unclaimed(place); err != nil {
		return err
	}
	temporary := place + vacuumSuffix
	if err := removeIfThere(temporary); err != nil {
		return err
	}
	out, err := openBolt(temporary, false, DefaultTimeout)
	if err != nil {
		return err
	}
	err = db.stamp(out, old.Roots)
	if err == nil {
		old.Aside, err = linkAside(place, time.Now())
	}
	if err == nil {
		err = os.Rename(temporary, place)
	}
	if err != nil {
		return errors.Join(err, out.close(), removeIfThere(temporary))
	}
	db.swap.Lock()
	db.current = out
	db.swap.Unlock()
	return atomicfile.SyncFolder(filepath.Dir(place))
}

// unclaimed fails with ErrLocked where the file at a place is not the open one
// and is in use.
func (db *DB) unclaimed(place string) error {
	same, err := db.current.isAt(place)
	if err != nil || same {
		return err
	}
	if checkStart(place) != nil {
		return nil // none, or no index
	}
	other, err := openBolt(place, true, DefaultTimeout)
	if err != nil {
		if errors.Is(err, ErrLocked) {
			return err
		}
		return nil
	}
	return other.close()
}

// stamp makes an empty file an index that continues this one.
func (db *DB) stamp(h *handle, roots []string) error {
	db.header.Created = time.Now()
	return h.kv.Update(func(records kv.Tx) error {
		if err := createBuckets(records, db.header); err != nil {
			return err
		}
		tx := &Tx{db: db, kv: records}
		if last := db.last.Load(); last != nil {
			tx.counters = counters{nextChunk: last.nextChunk, nextSegment: last.nextSegment, commit: last.commit}
		}
		if err := tx.begin(roots); err != nil {
			return err
		}
		return tx.finish(time.Now())
	})
}
