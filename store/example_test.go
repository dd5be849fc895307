package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/store"
)

func Example() {
	if err := example(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// /notes/dns.md: 2 chunks, the second from byte 50
	// chunk 0 has the id 0
	// chunk 1 has the id 1
}

func example() (err error) {
	folder, err := os.MkdirTemp("", "store")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	db, err := store.Open(filepath.Join(folder, "index.db"), store.Options{Fingerprint: "model and chunker"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.Update(func(tx *store.Tx) error {
		f := store.File{Path: "/notes/dns.md", Root: "/notes", Size: 120, Plain: true}
		return tx.PutFile(&f, []store.Chunk{
			{Start: 0, End: 50},
			{Start: 50, End: 120},
		})
	})
	if err != nil {
		return err
	}
	return db.View(func(tx *store.Tx) error {
		f, err := tx.FileByPath("/notes/dns.md")
		if err != nil {
			return err
		}
		chunks, err := tx.Chunks(f)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d chunks, the second from byte %d\n", f.Path, f.Chunks, chunks[1].Start)
		for place, id := range f.IDs.All() {
			fmt.Printf("chunk %d has the id %d\n", place, id)
		}
		return nil
	})
}
