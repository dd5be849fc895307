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

// Suffixes of the files that a vacuum and a copy write: a copy has its place to itself.
const (
	vacuumSuffix = ".compact"
	copySuffix   = ""
)

// vacuumTries is how often Vacuum tries beside running Updates before it makes
// them wait.
const vacuumTries = 2

var errOvertaken = errors.New("the index changed while it was copied")

// Vacuum writes the file anew with full pages and without free ones, and puts
// it in place of the old one. It returns the sizes before and after. Views go
// on: those on the old file end on it, and Vacuum returns when they have, so it
// must not be called inside View. Updates go on too, until they have overtaken
// the copy twice; then they wait. Vacuum calls pause, which may be nil, between
// short stretches of work while it holds nothing.
//
// The new file is complete, flushed and locked before it gets the name: no
// other process can come between, and a crash leaves one of the two. Where a
// file in use cannot be replaced, as on Windows, Vacuum fails and changes
// nothing.
func (db *DB) Vacuum(ctx context.Context, pause func()) (before, after int64, err error) {
	db.vacuuming.Lock()
	defer db.vacuuming.Unlock()
	if db.server {
		return 0, 0, fmt.Errorf("vacuum index: %w", errOnServer)
	}
	if pause == nil {
		pause = func() {}
	}
	place, err := filepath.EvalSymlinks(db.Path())
	if err != nil {
		return 0, 0, fmt.Errorf("vacuum index: %w", err)
	}
	c := &vacuum{db: db, ctx: ctx, pause: pause, place: place, suffix: vacuumSuffix}
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

// Copy writes one state of the index to a new file, with full pages and without free ones. Views and Updates go on as
// in Vacuum. ErrLocked says that another process writes there.
func (db *DB) Copy(ctx context.Context, path string) (err error) {
	if db.server {
		return fmt.Errorf("copy index: %w", errOnServer)
	}
	c := &vacuum{db: db, ctx: ctx, pause: func() {}, place: path, suffix: copySuffix}
	for try := range vacuumTries + 1 {
		if err = c.copyOnce(try == vacuumTries); !errors.Is(err, errOvertaken) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("copy index: %w", translate(err))
	}
	return nil
}

// copyOnce copies; with hold, Updates wait.
func (c *vacuum) copyOnce(hold bool) error {
	if hold {
		c.db.writer.Lock()
		defer c.db.writer.Unlock()
	}
	if err := c.write(); err != nil {
		return errors.Join(err, c.discard())
	}
	if err := c.out.close(); err != nil {
		return errors.Join(err, removeIfThere(c.place))
	}
	return nil
}

// Repage rewrites an index whose pages have another size than new ones get. A
// file that cannot be replaced now stays as it is.
func (db *DB) Repage(ctx context.Context) error {
	if db.server {
		return nil
	}
	h := db.acquire()
	size := h.bolt.Info().PageSize
	h.users.Done()
	if size == pageBytes {
		return nil
	}
	_, _, err := db.Vacuum(ctx, nil)
	return err
}

// removeLeftover removes the file of an unfinished Vacuum. Only the holder of
// the index's lock may call it.
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

type vacuum struct {
	db     *DB
	ctx    context.Context
	pause  func()
	place  string // links resolved
	suffix string // of the file that is written

	id            int     // the transaction whose state is copied
	out           *handle // the new file
	before, after int64   // sizes of the files
}

// attempt copies the file and puts the copy in place. With hold, Updates wait
// from the start.
func (c *vacuum) attempt(hold bool) (err error) {
	if hold {
		c.db.writer.Lock()
		defer c.db.writer.Unlock()
		c.pause = func() {}
	}
	if c.db.current.readOnly() {
		return ErrReadOnly
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

// write makes the new file, flushed, open and locked.
func (c *vacuum) write() (err error) {
	temporary := c.place + c.suffix
	if err := removeIfThere(temporary); err != nil {
		return err
	}
	if c.out, err = openBolt(temporary, false, DefaultTimeout); err != nil {
		return err
	}
	c.out.bolt.NoSync, c.out.bolt.NoGrowSync = true, true // flushed once, at the end
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

// cutAndFlush truncates a file to its final size and flushes it.
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

// install puts the new file in place unless the old one has changed. The caller
// holds the writer lock.
func (c *vacuum) install() error {
	if c.db.closed {
		return errors.Join(errors.New("the index is closed"), c.discard())
	}
	err := c.db.View(func(tx *Tx) error {
		if tx.bolt().ID() != c.id {
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
	// From the rename on it is the index, whether or not that reaches the disk.
	if err := os.Rename(c.place+c.suffix, c.place); err != nil {
		return errors.Join(err, c.discard())
	}
	c.before = info.Size()
	c.db.swap.Lock()
	c.db.current = c.out
	c.db.swap.Unlock()
	return atomicfile.SyncFolder(filepath.Dir(c.place))
}

func (c *vacuum) discard() error {
	var err error
	if c.out != nil {
		err, c.out = c.out.close(), nil
	}
	return errors.Join(err, removeIfThere(c.place+vacuumSuffix))
}

// TakePlace gives this index the name of another one, which may be open in this
// process alone; the other one's readers go on until it is closed. Its file is
// gone then; after a crash one of the two has the name. Where a file in use
// cannot be replaced, as on Windows, TakePlace fails and changes nothing.
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

func (db *DB) takePlace(path string) error {
	switch {
	case db.closed:
		return errors.New("the index is closed")
	case db.current.readOnly():
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
	// It has the name now. If that is lost in a power cut, the other index may
	// be back and this one gone: that costs time alone.
	_ = errors.Join(removeIfThere(before+rootsSuffix), atomicfile.SyncFolder(filepath.Dir(place)))
	return nil
}

// Discard deletes a closed index with all files beside it. A missing one is no
// error.
func Discard(path string) error {
	for _, suffix := range []string{"", vacuumSuffix, rootsSuffix} {
		if err := removeIfThere(path + suffix); err != nil {
			return fmt.Errorf("discard index: %w", err)
		}
	}
	return RemoveAside(path)
}
