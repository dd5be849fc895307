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

// Files for which the settings come to name another encoding are read again, once, and no others.
func TestFilesOfAnotherEncodingAreReadAgain(t *testing.T) {
	reads := slowFormat(t)
	b := newBench(t)
	const old = "klucz u Zo\x9cki\n" // windows-1250; its letters look like KOI8-R
	b.write("letters/a.txt", old)
	b.write("letters/b.txt", "klucz u Zośki\n")
	b.write("letters/own/c.txt", old)
	b.write("d.txt", old)
	b.write("letters/e.slow", "a page")
	b.run(b.root)
	use := func(e extract.Encodings) {
		opts := b.options()
		opts.Encodings = e
		b.index = indexer.New(opts)
	}
	expect := func(what string, wantUpdated int, wantReads int32) {
		t.Helper()
		if done := b.run(); done.Updated != wantUpdated || reads.Load() != wantReads || done.Files != 5 {
			t.Errorf("%s: %d files updated, read %d times; want %d, %d", what, done.Updated, reads.Load(), wantUpdated, wantReads)
		}
	}
	letters := extract.Encodings{b.path("letters"): "windows-1250", b.path("letters/own"): "iso-8859-2"}
	use(letters)
	b.embed.take()
	expect("named", 3, 2)
	if n := b.embeddedWith("Zośki"); n != 1 {
		t.Errorf("%d passages have the right word", n)
	}
	texts := b.reading()
	texts.Encodings = letters
	if text, err := texts.Text(b.path("letters/a.txt")); err != nil || text.Body != "klucz u Zośki\n" {
		t.Errorf("read again as %v, %v", text, err)
	}
	expect("as they were", 0, 2)
	use(extract.Encodings{b.path("letters"): "windows-1250"})
	expect("of an inner folder", 1, 2)
	use(nil)
	expect("named no more", 3, 3)
	use(nil)
	expect("as at first", 0, 3)
}

// A file in which nothing was found is not read again until it changes, or what reads files.
func TestFilesThatWereRefusedAreNotReadAgain(t *testing.T) {
	var reads atomic.Int32
	var text atomic.Pointer[string]
	addFormat(t, document.Format{
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
	})
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
	expect("by others", 4, 2, 0) // for its words, and again for its vectors
	expect("indexed", 4, 2, 0)
	text.Store(nil)
	opts.Encodings = extract.Encodings{b.root: "ibm852"}
	b.index = indexer.New(opts)
	expect("by another encoding", 5, 1, 1)
	opts.Encodings = nil
	text.Store(&found)
	b.index = indexer.New(opts)
	expect("by no encoding", 7, 2, 0)
	b.must(os.Remove(b.path("a.scan")))
	if done := b.run(b.root); done.Files != 1 {
		t.Errorf("%d files", done.Files)
	}
}
