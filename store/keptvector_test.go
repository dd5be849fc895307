package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"dowse/store"
)

// keptOf lists the chunks whose vectors are kept.
func keptOf(t *testing.T, db *store.DB) (chunks []uint32) {
	t.Helper()
	err := db.View(func(tx *store.Tx) error {
		return tx.EachBlock(store.KeptBlocks, func(key uint32, _ []byte) error {
			chunks = append(chunks, key)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

// on is how often some bytes stand in the file of an index.
func on(t *testing.T, db *store.DB, what []byte) int {
	t.Helper()
	file, err := os.ReadFile(db.Path())
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(file, what)
}

// TestKeptVectorsGoWithTheirChunks: a kept vector lives as long as its chunk, is counted, and is not in the
// file any more once that was erased; to keep one does not date the index.
func TestKeptVectorsGoWithTheirChunks(t *testing.T) {
	skipWhereFilesStay(t)
	db := open(t, filepath.Join(t.TempDir(), "index.db"), store.Options{})
	update := func(do func(tx *store.Tx) error) {
		t.Helper()
		if err := db.Update(do); err != nil {
			t.Fatal(err)
		}
	}
	var files [3]store.File
	update(func(tx *store.Tx) error {
		for i, path := range []string{"/a", "/b", "/c"} {
			files[i] = store.File{Path: path}
			if err := tx.PutFile(&files[i], make([]store.Chunk, 4)); err != nil {
				return err
			}
		}
		return nil
	})
	dated := func() (last time.Time) {
		t.Helper()
		err := db.View(func(tx *store.Tx) error {
			last = tx.LastCommit()
			sizes, err := tx.Sizes()
			if held := sizes["kept"] > 0; err == nil && held != (tx.Commit() > 1) {
				t.Errorf("%d bytes of kept vectors at commit %d", sizes["kept"], tx.Commit())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return last
	}
	before := dated()
	update(func(tx *store.Tx) error {
		for _, chunk := range []uint32{0, 3, 4, 5, 6, 7, 8, 11} {
			if err := tx.PutBlock(store.KeptBlocks, chunk, make([]byte, 40)); err != nil {
				return err
			}
		}
		return nil
	})
	if after := dated(); !after.Equal(before) {
		t.Errorf("the index is dated %v instead of %v by what was kept", after, before)
	}
	// Of /b the second and the last chunk stay.
	update(func(tx *store.Tx) error {
		return tx.PutFileKeeping(&store.File{Path: "/b"}, make([]store.Chunk, 2), store.Kept{From: []uint32{files[1].ID}, IDs: map[int]uint32{0: 5, 1: 7}})
	})
	if got, want := keptOf(t, db), []uint32{0, 3, 5, 7, 8, 11}; !slices.Equal(got, want) {
		t.Errorf("after a change vectors of %v are kept, want %v", got, want)
	}
	update(func(tx *store.Tx) error { return tx.DeleteFile(files[2].ID) })
	if got, want := keptOf(t, db), []uint32{0, 3, 5, 7}; !slices.Equal(got, want) {
		t.Errorf("after a deletion vectors of %v are kept, want %v", got, want)
	}
	if after := dated(); after.Equal(before) {
		t.Error("a deletion does not date the index")
	}
	secret := []byte("a vector that tells of what was written")
	update(func(tx *store.Tx) error { return tx.PutBlock(store.KeptBlocks, 3, secret) })
	if on(t, db, secret) == 0 {
		t.Fatal("the file does not hold what is kept: the test shows nothing")
	}
	update(func(tx *store.Tx) error { return tx.DeleteFile(files[0].ID) })
	if _, _, err := db.Vacuum(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if n := on(t, db, secret); n > 0 {
		t.Errorf("the kept vector of a file that was erased stands %d times in the index", n)
	}
}
