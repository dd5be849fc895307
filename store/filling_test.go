package store_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"dowse/store"
)

// putMany puts files in Updates of so many each, and takes some out again in between.
func putMany(tb testing.TB, files, each int) (paths []string, chunks [][]store.Chunk) {
	tb.Helper()
	db, err := store.Open(filepath.Join(tb.TempDir(), "index.db"), store.Options{Fingerprint: "filling"})
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // of a test
	for first := 0; first < files; first += each {
		err := db.Update(func(tx *store.Tx) error {
			for i := first; i < min(first+each, files); i++ {
				f := store.File{Path: fmt.Sprintf("/notes/%d/note %d.md", i/50, i), Root: "/notes", Size: int64(i), ModTime: int64(i) * 1e9, Plain: true}
				if err := tx.PutFile(&f, []store.Chunk{{End: 10, Hash: uint32(i)}, {Start: 10, End: 30 + int64(i)}}); err != nil {
					return err
				}
				if i%7 == 3 {
					if err := tx.DeleteFile(f.ID - 1); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	err = db.View(func(tx *store.Tx) error {
		return tx.Files(func(f store.File) error {
			of, err := tx.Chunks(f)
			paths, chunks = append(paths, fmt.Sprintf("%d %s %v", f.ID, f.Path, f.IDs)), append(chunks, of)
			return err
		})
	})
	if err != nil {
		tb.Fatal(err)
	}
	return paths, chunks
}

// TestFilesOfOneUpdate: files that are put in one Update are stored as those of an Update each are.
func TestFilesOfOneUpdate(t *testing.T) {
	paths, chunks := putMany(t, 200, 200)
	again, chunksAgain := putMany(t, 200, 1)
	if !reflect.DeepEqual(paths, again) || !reflect.DeepEqual(chunks, chunksAgain) {
		t.Errorf("%d files in one Update are not the %d of many", len(paths), len(again))
	}
	if want := 200 - 29; len(paths) != want { // every seventh takes out the one before
		t.Errorf("%d files are left, not %d", len(paths), want)
	}
}

func BenchmarkPutFiles(b *testing.B) {
	for b.Loop() {
		putMany(b, 2000, 128)
	}
}
