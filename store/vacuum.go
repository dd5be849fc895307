package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dowse/internal/atomicfile"
)

// vacuumSuffix ends the name of the file that Vacuum writes.
const vacuumSuffix = ".compact"

// vacuumTries is how often Vacuum tries beside running Updates before they
// must wait.
const vacuumTries = 2

// errOvertaken says that an Update committed while the file was copied.
var errOvertaken = errors.New("the index changed while it was copied")

// Vacuum writes the file anew without free pages and with all pages full,
// and puts the new one in its place. It returns the sizes of the file before
// and after. View goes on meanwhile: what began on the old file ends on it,
// and Vacuum returns when that has happened, so it must not be called inside
// View. Update goes on too, until the copy is complete or has been overtaken
// twice; then it waits. Pause, which may be nil, is called between short
// stretches of work while nothing is held; it is the place to wait while
// there is better to do.
//
// The new file is complete, on the disk and locked before it gets the name of
// the old: no other process can come between, and a crash leaves one of the
// two. Where a file in use cannot be replaced, as on Windows, Vacuum fails
// and changes nothing.
func (db *DB) Vacuum(ctx context.Context, pause func()) (before, after int64, err error) {
	db.vacuuming.Lock()
	defer db.vacuuming.Unlock()
	if pause == nil {
		pause = func() {}
	}
	place, err := filepath.EvalSymlinks(db.Path())
	if err != nil {
		return 0, 0, fmt.Errorf("vacuum index: %w", err)
	}
	c := &vacuum{db: db, ctx: ctx, pause: pause, place: place}
	old := db.acquire()
	old.users.Done()
	for try := range vacuumTries + 1 {
		if err = c.attempt(try == vacuumTries); !errors.Is(err, errOvertaken) {
			break
		}
	}
	if err != nil {
		return 0, 0, fmt.Errorf("vacuum index: %w", translate(err))
	}
	old.users.Wait()
	return c.before, c.after, old.close()
}

// Repage writes an index anew whose pages are not of the size that new ones get.
// A file that cannot be replaced now stays as it is.
func (db *DB) Repage(ctx context.Context) error {
	h := db.acquire()
	size := h.bolt.Info().PageSize
	h.users.Done()
	if size == pageBytes {
		return nil
	}
	_, _, err := db.Vacuum(ctx, nil)
	return err
}

// removeLeftover removes the file of a Vacuum that did not finish. Only
// the holder of the lock on the index may.
func removeLeftover(path string) error {
	place, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	return removeIfThere(place + vacuumSuffix)
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// vacuum is one run of Vacuum.
type vacuum struct {
	db    *DB
	ctx   context.Context
	pause func()
	place string // of the index, links resolved

	id            int     // of the transaction whose state is copied
	out           *handle // the new file
	before, after int64   // sizes of the files
}

// attempt copies the file and puts the copy in its place. With hold, Updates
// wait from the start.
func (c *vacuum) attempt(hold bool) (err error) {
	if hold {
		c.db.writer.Lock()
		defer c.db.writer.Unlock()
		c.pause = func() {}
	}
	if err := c.write(); err != nil {
		return errors.Join(err, c.discard())
	}
	if !hold {
		c.db.writer.Lock()
		defer c.db.writer.Unlock()
	}
	return c.install()
}

// write makes the new file, complete and on the disk, and leaves it open and
// locked.
func (c *vacuum) write() (err error) {
	if c.db.current.bolt.IsReadOnly() {
		return ErrReadOnly
	}
	temporary := c.place + vacuumSuffix
	if err := removeIfThere(temporary); err != nil {
		return err
	}
	if c.out, err = openBolt(temporary, false, DefaultTimeout); err != nil {
		return err
	}
	c.out.bolt.NoSync, c.out.bolt.NoGrowSync = true, true // it is flushed once, when it is complete
	copier := &copier{vacuum: c}
	if err := errors.Join(copier.copy(), copier.end()); err != nil {
		return err
	}
	if c.after, err = c.out.used(); err != nil {
		return err
	}
	if err := c.out.close(); err != nil {
		return err
	}
	if err := cutAndFlush(temporary, c.after); err != nil {
		return err
	}
	c.out, err = openBolt(temporary, false, DefaultTimeout)
	return err
}

// used returns the size of the file up to its last page in use.
func (h *handle) used() (int64, error) {
	tx, err := h.bolt.Begin(false)
	if err != nil {
		return 0, err
	}
	return tx.Size(), tx.Rollback()
}

// cutAndFlush gives a file its final size and sees it to the disk.
func cutAndFlush(path string, size int64) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := file.Truncate(size); err != nil {
		return err
	}
	return file.Sync()
}

// install puts the new file in place of the old one unless that has changed.
// The caller holds the writer lock.
func (c *vacuum) install() error {
	if c.db.closed {
		return errors.Join(errors.New("the index is closed"), c.discard())
	}
	err := c.db.View(func(tx *Tx) error {
		if tx.bolt.ID() != c.id {
			return errOvertaken
		}
		return nil
	})
	if err != nil {
		return errors.Join(err, c.discard())
	}
	info, err := c.db.current.file.Stat()
	if err != nil {
		return errors.Join(err, c.discard())
	}
	// Once it has the name it is the index, whether or not that gets to the disk.
	if err := os.Rename(c.place+vacuumSuffix, c.place); err != nil {
		return errors.Join(err, c.discard())
	}
	c.before = info.Size()
	c.db.swap.Lock()
	c.db.current = c.out
	c.db.swap.Unlock()
	return atomicfile.SyncFolder(filepath.Dir(c.place))
}

// discard removes the new file.
func (c *vacuum) discard() error {
	var err error
	if c.out != nil {
		err, c.out = c.out.close(), nil
	}
	return errors.Join(err, removeIfThere(c.place+vacuumSuffix))
}
