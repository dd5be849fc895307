package store_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"dowse/store"
)

// TestFormat5IsReadAndWrittenOn: an index of the format before is opened as it is, also for reading only, says
// that it has the new format once something was written, and adopts what its files lack in one Update.
func TestFormat5IsReadAndWrittenOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	db := open(t, path, store.Options{})
	const files = 300
	put := func(i int) {
		t.Helper()
		err := db.Update(func(tx *store.Tx) error {
			return tx.PutFile(&store.File{Path: fmt.Sprintf("/r/%d/note %d.md", i%7, i), Root: "/r", Size: 9, ModTime: int64(i)}, nil)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range files {
		put(i)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := store.PutVersion(path, 5); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(path, store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	ids := map[uint32]int64{1 << 30: 7}
	err = db.View(func(tx *store.Tx) error {
		return tx.Files(func(f store.File) error {
			if f.Changed != 0 {
				t.Errorf("%s was changed at %d", f.Path, f.Changed)
			}
			ids[f.ID] = 1000 + f.ModTime
			return nil
		})
	})
	if err != nil || len(ids) != files+1 {
		t.Fatalf("%d files, error %v", len(ids)-1, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if v := storedVersion(t, path); v != 5 {
		t.Errorf("format %d after it was read", v)
	}
	db = open(t, path, store.Options{})
	if err := db.Update(func(tx *store.Tx) error { return tx.AdoptChanged(ids) }); err != nil {
		t.Fatal(err)
	}
	put(files)
	err = db.View(func(tx *store.Tx) error {
		return tx.Files(func(f store.File) error {
			if want := ids[f.ID]; f.Changed != want {
				t.Errorf("%s was changed at %d, not %d", f.Path, f.Changed, want)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	// What is known is not adopted again.
	if err := db.Update(func(tx *store.Tx) error { return tx.AdoptChanged(map[uint32]int64{1: 5, 2: 5}) }); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Check(t.Context(), func(p store.Problem) { t.Error(p) }); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if v := storedVersion(t, path); v != store.Version {
		t.Errorf("format %d after it was written", v)
	}
}

// TestIndexOfFormat5 opens one that a program of that format wrote: see internal/indexes, which has it answer.
func TestIndexOfFormat5(t *testing.T) {
	in, err := os.Open("testdata/format-5.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	path := filepath.Join(t.TempDir(), "index.db")
	if err := errors.Join(err, in.Close(), os.WriteFile(path, data, 0o600)); err != nil {
		t.Fatal(err)
	}
	if v := storedVersion(t, path); v != 5 {
		t.Errorf("the file has format %d", v)
	}
	db, err := store.Open(path, store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	err = db.View(func(tx *store.Tx) error {
		return tx.Files(func(f store.File) error { names = append(names, filepath.Base(f.Path)); return nil })
	})
	slices.Sort(names)
	if want := "bittern.md cormorant.md dipper.md heron.md kingfisher.md osprey.md"; err != nil || strings.Join(names, " ") != want {
		t.Errorf("it holds %v, %v", names, err)
	}
	if report, err := db.Check(t.Context(), func(p store.Problem) { t.Error(p) }); err != nil {
		t.Errorf("%+v, %v", report, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if v := storedVersion(t, path); v != 5 {
		t.Errorf("format %d after it was read", v)
	}
}

func storedVersion(t *testing.T, path string) (version int) {
	t.Helper()
	err := store.Raw(path, func(tx *bbolt.Tx) (err error) {
		version, err = store.VersionOf(tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return version
}
