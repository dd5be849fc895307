package store_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"dowse/store"
)

// Names that are stored byte for byte, because packing would lengthen them.
const (
	erasedName = "\u017e\u0178\u0159\u0178\u017e\u0159"
	keptName   = "\u0165\u0164\u0159\u0164\u0165\u0159"
)

// roots of each name: more folders than stand in one block.
const roots = 5

// TestEraseFolders removes files and the names of their folders: no byte of these is left, files of folders that stay
// are found by their paths, in this process and the next, and a folder that comes back is a new one.
func TestEraseFolders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	db := open(t, path, store.Options{Fingerprint: "test"})
	put := func(tx *store.Tx, root, name string) error {
		f := store.File{Path: root + "/" + name, Root: root, Size: 3, Plain: true}
		return tx.PutFile(&f, []store.Chunk{{Start: 0, End: 3}})
	}
	must := func(err error) { t.Helper(); failIf(t, err) }
	must(db.Update(func(tx *store.Tx) error {
		for root := range roots {
			for sub := range 30 {
				for _, name := range []string{erasedName, keptName} {
					if err := put(tx, fmt.Sprintf("/%s%d", name, root), fmt.Sprintf("%d/deep/%s/a.md", sub, name)); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}))
	paths := func() (all []string) {
		must(db.View(func(tx *store.Tx) error {
			return tx.Files(func(f store.File) error {
				all = append(all, f.Path+" "+f.Root)
				return nil
			})
		}))
		return all
	}
	paths() // readers share their list
	must(db.Update(func(tx *store.Tx) error {
		var gone []uint32
		for root := range roots {
			err := tx.FilesUnder(fmt.Sprintf("/%s%d", erasedName, root), func(f store.File) error {
				gone = append(gone, f.ID)
				return nil
			})
			if err != nil {
				return err
			}
		}
		for _, id := range gone {
			if err := tx.DeleteFile(id); err != nil {
				return err
			}
		}
		return tx.EraseFolders()
	}))
	_, _, err := db.Vacuum(context.Background(), nil)
	must(err)
	data, err := os.ReadFile(path)
	if must(err); bytes.Contains(data, []byte(erasedName)) || !bytes.Contains(data, []byte(keptName)) {
		t.Errorf("names: erased %v, kept %v", bytes.Contains(data, []byte(erasedName)), bytes.Contains(data, []byte(keptName)))
	}
	check := func() {
		t.Helper()
		if _, err := db.Check(context.Background(), func(p store.Problem) { t.Error(p) }); err != nil {
			t.Error(err)
		}
	}
	check()
	before := paths()
	must(db.Update(func(tx *store.Tx) error {
		return put(tx, fmt.Sprintf("/%s0", erasedName), fmt.Sprintf("1/deep/%s/a.md", erasedName))
	}))
	must(db.Close())
	db = open(t, path, store.Options{Fingerprint: "test"})
	t.Cleanup(func() { must(db.Close()) })
	after := paths()
	if len(before) != 30*roots || len(after) != len(before)+1 || after[len(before)] != fmt.Sprintf("/%s0/1/deep/%[1]s/a.md /%[1]s0", erasedName) {
		t.Errorf("%d and then %d files, the last one %q", len(before), len(after), after[len(after)-1])
	}
	for i, path := range before {
		if after[i] != path {
			t.Errorf("%q was %q", after[i], path)
		}
	}
	check()
}

func failIf(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
