package store_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"dowse/store"
)

// bigIndex writes an index of n files with three chunks each.
func bigIndex(b *testing.B, n int) string {
	path := filepath.Join(b.TempDir(), "index.db")
	db := open(b, path, store.Options{})
	chunks := []store.Chunk{{End: 900}, {Start: 900, End: 1700}, {Start: 1700, End: 2000}}
	err := db.Update(func(tx *store.Tx) error {
		for i := range n {
			f := store.File{Path: fmt.Sprintf("/home/user/documents/folder%03d/note-number-%06d.md", i/300, i), Root: "/home/user/documents", Size: 2000}
			if err := tx.PutFile(&f, chunks); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkOpenAndList100k is what a one-shot search pays before it begins.
func BenchmarkOpenAndList100k(b *testing.B) {
	path := bigIndex(b, 100_000)
	for b.Loop() {
		db := open(b, path, store.Options{ReadOnly: true})
		n := 0
		if err := db.View(func(tx *store.Tx) error {
			return tx.Files(func(store.File) error { n++; return nil })
		}); err != nil || n != 100_000 {
			b.Fatal(n, err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLiveChunks100k(b *testing.B) {
	db := open(b, bigIndex(b, 100_000), store.Options{ReadOnly: true})
	for b.Loop() {
		err := db.View(func(tx *store.Tx) error { return tx.LiveChunks(func(uint32, uint32) error { return nil }) })
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
}
