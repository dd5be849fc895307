package store_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"dowse/store"
)

// TestChangesSince applies what is remembered to an older list of files, and
// compares that with the list as it is read.
func TestChangesSince(t *testing.T) {
	if testing.Short() {
		t.Skip("one step after the other: nothing for the race detector")
	}
	db, err := store.Open(filepath.Join(t.TempDir(), "index.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the test reads what it wrote before
	rng := rand.New(rand.NewPCG(31, 0))
	errFailed := errors.New("failed")
	states := map[uint64]map[uint32]store.File{}
	followed := 0
	for range 120 {
		fails := rng.IntN(5) == 0
		err := db.Update(func(tx *store.Tx) error {
			for range rng.IntN(6) {
				if err := changeFile(tx, rng); err != nil {
					return err
				}
			}
			if fails {
				return errFailed
			}
			return nil
		})
		if (err != nil) != fails {
			t.Fatal(err)
		}
		err = db.View(func(tx *store.Tx) error {
			now, err := listed(tx)
			states[tx.Commit()] = now
			for commit, then := range states {
				changes, ok := tx.ChangesSince(commit)
				if !ok {
					t.Fatalf("commit %d is forgotten at %d", commit, tx.Commit())
				}
				if got := applied(then, changes); !reflect.DeepEqual(got, now) {
					t.Fatalf("after %v to the files of commit %d: %v, want %v", changes, commit, got, now)
				}
				followed++
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if followed < 1000 {
		t.Errorf("%d pairs of commits were compared", followed)
	}
}

func changeFile(tx *store.Tx, rng *rand.Rand) error {
	path := fmt.Sprintf("/r/f%02d", rng.IntN(40))
	known, err := tx.FileByPath(path)
	switch {
	case errors.Is(err, store.ErrNotFound) || rng.IntN(3) == 0:
		f := store.File{Path: path, Root: "/r", ModTime: rng.Int64N(1000)}
		return tx.PutFile(&f, []store.Chunk{{End: 10}, {Start: 10, End: 11}}[:rng.IntN(3)])
	case err != nil:
		return err
	case rng.IntN(2) == 0:
		return tx.DeleteFile(known.ID)
	}
	return tx.TouchFile(known.ID, 5, rng.Int64N(1000), 0)
}

func listed(tx *store.Tx) (map[uint32]store.File, error) {
	files := map[uint32]store.File{}
	err := tx.Files(func(f store.File) error {
		files[f.ID] = f
		return nil
	})
	return files, err
}

func applied(files map[uint32]store.File, changes []store.FileChange) map[uint32]store.File {
	files = maps.Clone(files)
	for _, c := range changes {
		delete(files, c.ID)
		if c.File != nil {
			files[c.ID] = *c.File
		}
	}
	return files
}

// TestChangesAreForgotten: memory is bounded, and what was before the process
// is not known.
func TestChangesAreForgotten(t *testing.T) {
	if testing.Short() {
		t.Skip("one step after the other: nothing for the race detector")
	}
	path := filepath.Join(t.TempDir(), "index.db")
	db, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	add := func(from, n int) {
		t.Helper()
		err := db.Update(func(tx *store.Tx) error {
			for i := range n {
				if err := tx.PutFile(&store.File{Path: fmt.Sprintf("/r/%d", from+i), Root: "/r"}, nil); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	known := func(commit uint64) (ok bool) {
		err := db.View(func(tx *store.Tx) error {
			_, ok = tx.ChangesSince(commit)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	add(0, 3)
	add(3, 3)
	if !known(0) || !known(1) || !known(2) {
		t.Error("two small commits are forgotten")
	}
	add(6, 5000)
	if known(1) || known(2) || !known(3) {
		t.Error("5,000 changes are kept in memory")
	}
	add(6000, 1)
	if !known(3) || known(2) {
		t.Error("the commit behind the large one is not known alone")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = store.Open(path, store.Options{}); err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // nothing is written
	if known(3) || !known(4) {
		t.Error("a process knows what another one did")
	}
}
