package indexer_test

import (
	"errors"
	"path/filepath"
	"testing"

	"dowse/indexer"
	"dowse/store"
)

// TestPackHasAllVectors packs a folder whose words are indexed and whose vectors are not: the pack has them.
func TestPackHasAllVectors(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "a unicorn\n")
	b.write("b.md", "a horse\n")
	b.embed.err = errTired
	if _, err := b.index.Run(t.Context(), []string{b.root}); !errors.Is(err, errTired) || b.meant() {
		t.Fatal(err)
	}
	b.embed.err = nil
	path := filepath.Join(t.TempDir(), "copy.db")
	b.must(b.db.Copy(t.Context(), path))
	db, err := store.Open(path, store.Options{Fingerprint: "test"})
	b.must(err)
	opts := b.options()
	opts.Store = db
	packed := indexer.New(opts)
	texts := indexer.Texts{MaxFile: opts.MaxFile, Count: b.embed.Count, Room: b.embed.Room(), Store: db}
	done, err := packed.Pack(t.Context(), indexer.Packing{Folder: b.root, Name: "notes", Texts: texts})
	if err != nil || done.Files != 2 {
		t.Errorf("%+v, %v", done, err)
	}
	if n, err := indexer.Lacking(t.Context(), db); err != nil || n > 0 {
		t.Errorf("%d passages of the pack lack a vector, %v", n, err)
	}
	b.must(db.Close())
}
