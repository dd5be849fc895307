package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"dowse/store"
)

// TestTakePlace has an index take the place of one that is read meanwhile: whoever reads
// that goes on, the name leads to the other one from then on, and nothing is left beside.
func TestTakePlace(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file in use cannot be replaced")
	}
	folder := t.TempDir()
	path, beside := filepath.Join(folder, "index.db"), filepath.Join(folder, "index.db.next")
	put := func(db *store.DB, name string) {
		t.Helper()
		err := db.Update(func(tx *store.Tx) error {
			return tx.PutFile(&store.File{Path: name, Root: "/"}, []store.Chunk{{End: 3}})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	holds := func(db *store.DB, name string) bool {
		t.Helper()
		err := db.View(func(tx *store.Tx) error { _, err := tx.FileByPath(name); return err })
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			t.Fatal(err)
		}
		return err == nil
	}
	old, next := open(t, path, store.Options{Fingerprint: "old"}), open(t, beside, store.Options{Fingerprint: "next"})
	put(old, "/old")
	put(next, "/next")
	if err := errors.Join(old.KeepRoots([]string{"/"}), next.KeepRoots([]string{"/"})); err != nil {
		t.Fatal(err)
	}
	err := old.View(func(tx *store.Tx) error {
		if err := next.TakePlace(path); err != nil {
			return err
		}
		_, err := tx.FileByPath("/old")
		return err
	})
	if err != nil || !holds(old, "/old") || !old.Gone() || next.Gone() || next.Path() != path {
		t.Errorf("%v; the old one is gone: %v, the next one is %s", err, old.Gone(), next.Path())
	}
	if _, err := store.Open(path, store.Options{Timeout: time.Millisecond}); !errors.Is(err, store.ErrLocked) {
		t.Errorf("opened by another one: %v", err)
	}
	put(next, "/later")
	if _, _, err := next.Vacuum(context.Background(), nil); err != nil {
		t.Error(err)
	}
	if err := errors.Join(old.Close(), next.Close()); err != nil {
		t.Fatal(err)
	}
	again := open(t, path, store.Options{Fingerprint: "next"})
	if !holds(again, "/next") || !holds(again, "/later") || holds(again, "/old") {
		t.Error("the index holds something else")
	}
	if err := again.TakePlace(filepath.Join(folder, "none", "index.db")); err == nil || again.Path() != path {
		t.Errorf("into a folder that is not there: %v, it is at %s", err, again.Path())
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if err := again.TakePlace(path); err == nil {
		t.Error("a closed index took a place")
	}
	if err := store.Discard(path); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
