package indexer_test

import (
	"context"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"dowse/indexer"
	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/store"
)

// Files that an earlier version read are read again, once, and code is not.
func TestFilesOfAnEarlierReaderAreReadAgain(t *testing.T) {
	reads := slowFormat(t)
	b := newBench(t)
	b.write("a.slow", "first page\fsecond page")
	b.write("b.md", "# Quick\n\nunicorn\n")
	b.write("c.html", "<h1>Slow</h1><p>horse")
	b.write("d.go", "package d // quick\n")
	b.run(b.root)
	b.run()
	if n := reads.Load(); n != 1 {
		t.Fatalf("read %d times by one version", n)
	}
	b.must(b.db.Update(func(tx *store.Tx) error { return tx.PutMeta(indexer.MetaReaders, nil) }))
	b.embed.take()
	done := b.run()
	if n := reads.Load(); n != 2 || done.Updated != 3 {
		t.Errorf("read %d times, %d files updated", n, done.Updated)
	}
	if again := b.embed.take(); len(again) != 0 {
		t.Errorf("passages that did not change were embedded again: %q", again)
	}
	if b.run(); reads.Load() != 2 {
		t.Errorf("read %d times", reads.Load())
	}
}

// A file in which nothing was found is not read again until it changes, or what reads files.
func TestFilesThatWereRefusedAreNotReadAgain(t *testing.T) {
	var reads atomic.Int32
	var text atomic.Pointer[string]
	defer extract.Add(document.Format{
		Name: "scan", Extensions: []string{"scan"},
		Read: func(_ context.Context, in *document.Input) (*document.Document, error) {
			reads.Add(1)
			if text.Load() == nil {
				return nil, document.ErrNoText
			}
			b := in.Builder()
			b.Paragraph(*text.Load())
			return b.Document("scan", document.Meta{}), nil
		},
	})()
	b := newBench(t)
	b.write("a.scan", "pixels")
	b.write("b.md", "unicorn\n")
	expect := func(what string, wantReads int32, wantFiles, wantSkipped int) {
		t.Helper()
		done := b.run(b.root)
		if reads.Load() != wantReads || done.Files != wantFiles || done.Skipped[string(skip.NoText)] != wantSkipped {
			t.Errorf("%s: read %d times, %d files, %d skipped; want %d, %d, %d", what, reads.Load(), done.Files, done.Skipped[string(skip.NoText)], wantReads, wantFiles, wantSkipped)
		}
	}
	expect("new", 1, 1, 1)
	expect("as it was", 1, 1, 1)
	later := time.Now().Add(time.Hour)
	b.must(os.Chtimes(b.path("a.scan"), later, later))
	expect("touched", 2, 1, 1)
	expect("as it was touched", 2, 1, 1)

	found := "what the pixels say"
	text.Store(&found)
	expect("by the same readers", 2, 1, 1)
	opts := b.options()
	opts.Readers = "ocr"
	b.index = indexer.New(opts)
	expect("by others", 3, 2, 0)
	expect("indexed", 3, 2, 0)
	b.must(os.Remove(b.path("a.scan")))
	if done := b.run(b.root); done.Files != 1 {
		t.Errorf("%d files", done.Files)
	}
}
