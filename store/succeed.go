package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/internal/atomicfile"
)

// TakePlace gives this index the name of another one, which may be open, in this process
// alone, and goes on serving what reads it until it is closed. The file at that name is
// gone then; whatever moment a process dies at, one of the two has the name. Where a file
// in use cannot be replaced, as on Windows, TakePlace fails and changes nothing.
func (db *DB) TakePlace(path string) error {
	db.vacuuming.Lock()
	defer db.vacuuming.Unlock()
	db.writer.Lock()
	defer db.writer.Unlock()
	if err := db.takePlace(path); err != nil {
		return fmt.Errorf("take the place of index %s: %w", path, translate(err))
	}
	return nil
}

// takePlace is TakePlace for a caller that holds the locks.
func (db *DB) takePlace(path string) error {
	switch {
	case db.closed:
		return errors.New("the index is closed")
	case db.current.bolt.IsReadOnly():
		return ErrReadOnly
	}
	place, err := filepath.EvalSymlinks(path)
	if err != nil {
		place = path
	}
	before := db.Path()
	own, err := filepath.EvalSymlinks(before)
	if err != nil {
		return err
	}
	if err := os.Rename(own, place); err != nil {
		return err
	}
	db.path.Store(&path)
	// It has the name, whether or not that gets to the disk: after a power cut the other
	// one may have it again, and this one be gone, which costs only time.
	_ = errors.Join(removeIfThere(before+rootsSuffix), atomicfile.SyncFolder(filepath.Dir(place)))
	return nil
}

// Discard deletes an index that is closed, with all that was kept beside it. One that is
// not there is no error.
func Discard(path string) error {
	for _, suffix := range []string{"", vacuumSuffix, rootsSuffix} {
		if err := removeIfThere(path + suffix); err != nil {
			return fmt.Errorf("discard index: %w", err)
		}
	}
	return RemoveAside(path)
}
