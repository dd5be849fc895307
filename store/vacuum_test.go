package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dowse/internal/testwait"
	"dowse/store"
)

func skipWhereFilesStay(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a file in use cannot be replaced on Windows")
	}
}

// TestVacuum compares what is read before and after, through the same DB and
// through a new one.
func TestCompact(t *testing.T) {
	skipWhereFilesStay(t)
	path := filepath.Join(t.TempDir(), "index.db")
	m := buildSample(t, path)
	db := open(t, path, store.Options{})
	free, err := db.Wasted()
	if err != nil || free < 4096 {
		t.Fatalf("%d bytes wasted, error %v: the sample tests nothing", free, err)
	}
	commit, pauses := commitOf(t, db), 0
	before, after, err := db.Vacuum(context.Background(), func() { pauses++ })
	if err != nil || pauses == 0 || after >= before {
		t.Fatalf("%d bytes became %d, %d pauses, error %v", before, after, pauses, err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != after {
		t.Errorf("the file has %d bytes, not %d, error %v", info.Size(), after, err)
	}
	left, err := db.Wasted()
	t.Logf("%d bytes with %d wasted became %d with %d", before, free, after, left)
	if err != nil || left > after/20 || commitOf(t, db) != commit {
		t.Errorf("%d of %d bytes still wasted, commit %d after %d, error %v", left, after, commitOf(t, db), commit, err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 2 {
		checkClean(t, db)
		if err := db.View(m.differs); err != nil {
			t.Fatal(err)
		}
		if err := db.Update(func(tx *store.Tx) error { return m.step(tx, random) }); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		db = open(t, path, store.Options{})
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := db.Vacuum(context.Background(), nil); err == nil {
		t.Error("vacuumed a closed index")
	}
}

func commitOf(t *testing.T, db *store.DB) (commit uint64) {
	t.Helper()
	if err := db.View(func(tx *store.Tx) error { commit = tx.Commit(); return nil }); err != nil {
		t.Fatal(err)
	}
	return commit
}

// TestVacuumBesideOthers vacuums again and again while one goroutine writes
// and others read: every transaction must hold what its number says, and
// readers must not go back in time.
func TestVacuumBesideOthers(t *testing.T) {
	skipWhereFilesStay(t)
	db := openNew(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var group sync.WaitGroup
	run := func(fn func() error) {
		group.Go(func() {
			for ctx.Err() == nil {
				if err := fn(); err != nil {
					t.Error(err)
					cancel()
				}
			}
		})
	}
	run(func() error { return db.Update(writeNext) })
	for range 3 {
		last := uint64(0)
		run(func() error {
			return db.View(func(tx *store.Tx) error {
				if tx.Commit() < last {
					return fmt.Errorf("commit %d after %d", tx.Commit(), last)
				}
				last = tx.Commit()
				testwait.Moment(time.Millisecond)
				return holds(tx, last)
			})
		})
	}
	var vacuumed atomic.Int64
	run(func() error {
		_, _, err := db.Vacuum(context.Background(), nil)
		vacuumed.Add(1)
		return err
	})
	testwait.For(testwait.Patience, func() bool {
		return ctx.Err() != nil || vacuumed.Load() >= 10 && commitOf(t, db) >= 50
	})
	cancel()
	group.Wait()
	checkClean(t, db)
	t.Logf("vacuumed %d times beside %d commits", vacuumed.Load(), commitOf(t, db))
	if vacuumed.Load() < 2 || commitOf(t, db) < 10 {
		t.Error("too few to tell anything")
	}
}

// TestVacuumUnderReader holds that a transaction keeps its state while the
// file under it is replaced, and that a new one sees later commits.
func TestVacuumUnderReader(t *testing.T) {
	skipWhereFilesStay(t)
	db := openNew(t)
	put := func(value string) error {
		return db.Update(func(tx *store.Tx) error { return tx.PutMeta("key", []byte(value)) })
	}
	if err := put("old"); err != nil {
		t.Fatal(err)
	}
	inside, leave, vacuumed := make(chan struct{}), make(chan struct{}), make(chan error)
	var group sync.WaitGroup
	group.Go(func() {
		err := db.View(func(tx *store.Tx) error {
			close(inside)
			<-leave
			value, err := tx.Meta("key")
			if string(value) != "old" {
				err = errors.Join(err, fmt.Errorf("value %q", value))
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-inside
	go func() { _, _, err := db.Vacuum(context.Background(), nil); vacuumed <- err }()
	id := func() os.FileInfo {
		info, err := os.Stat(db.Path())
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first := id()
	testwait.Until(t, "the file is not replaced", func() bool { return !os.SameFile(first, id()) })
	if err := put("new"); err != nil {
		t.Fatal(err)
	}
	err := db.View(func(tx *store.Tx) error {
		if value, err := tx.Meta("key"); err != nil || string(value) != "new" {
			t.Errorf("value %q, error %v", value, err)
		}
		return nil
	})
	select {
	case <-vacuumed:
		t.Error("Vacuum ended before the reader")
	default:
	}
	close(leave)
	if err := errors.Join(err, <-vacuumed); err != nil {
		t.Error(err)
	}
	group.Wait()
}

// TestVacuumKeepsLock lets others wait for the lock of the file that Vacuum
// replaces: they must neither get it early nor work on the file that is gone.
func TestVacuumKeepsLock(t *testing.T) {
	skipWhereFilesStay(t)
	for _, readOnly := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "index.db")
		db := open(t, path, store.Options{})
		opened := make(chan *store.DB)
		go func() {
			waiter, err := store.Open(path, store.Options{ReadOnly: readOnly, Timeout: 20 * time.Second})
			if err != nil {
				t.Error(err)
			}
			opened <- waiter
		}()
		testwait.Moment(20 * time.Millisecond) // it has opened the file, or will; both must do
		for range 5 {
			if err := db.Update(writeNext); err != nil {
				t.Fatal(err)
			}
			if _, _, err := db.Vacuum(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			if _, err := store.Open(path, store.Options{Timeout: time.Millisecond}); !errors.Is(err, store.ErrLocked) {
				t.Fatalf("a second owner: %v", err)
			}
		}
		if err := db.Update(writeNext); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		waiter := <-opened
		if n := commitOf(t, waiter); n != 6 {
			t.Errorf("the one who waited sees commit %d", n)
		}
		if err := waiter.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestVacuumRefused lists when Vacuum does nothing, and that what a crash
// leaves behind is removed.
func TestVacuumRefused(t *testing.T) {
	skipWhereFilesStay(t)
	path := filepath.Join(t.TempDir(), "index.db")
	m := buildSample(t, path)
	leftover := path + ".compact"
	if err := os.WriteFile(leftover, []byte("half a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	db := open(t, path, store.Options{ReadOnly: true})
	if _, _, err := db.Vacuum(context.Background(), nil); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("vacuumed through a reader: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, path, store.Options{})
	if _, err := os.Stat(leftover); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the leftover is still there: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, _, err := db.Vacuum(ctx, cancel); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := os.Stat(leftover); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a cancelled Vacuum leaves its file: %v", err)
	}
	if err := errors.Join(db.View(m.differs), db.Close()); err != nil {
		t.Error(err)
	}
}
