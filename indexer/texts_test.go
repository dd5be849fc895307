package indexer_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/engine/search"
	"dowse/indexer"
	"dowse/indexer/document"
	"dowse/store"
)

// slowFormat is a Format whose text the index keeps: pages divided by form feeds. It
// counts how often a file is read.
func slowFormat(t *testing.T) *atomic.Int32 {
	reads := &atomic.Int32{}
	addFormat(t, document.Format{
		Name: "slow", Extensions: []string{"slow"}, Slow: true,
		Read: func(_ context.Context, in *document.Input) (*document.Document, error) {
			reads.Add(1)
			b := in.Builder()
			for i, page := range bytes.Split(in.Data, []byte("\f")) {
				b.Place(document.Part{Unit: document.Page, Number: i + 1})
				b.Paragraph(string(page))
			}
			return b.Document("slow", document.Meta{}), nil
		},
	})
	return reads
}

// reading are the Texts of a bench.
func (b *bench) reading() indexer.Texts {
	return indexer.Texts{MaxFile: 1 << 20, Count: b.embed.Count, Room: b.embed.Room(), Store: b.db}
}

// body reads the text of a file again.
func (b *bench) body(name string) string {
	b.t.Helper()
	text, err := b.reading().Text(b.path(name))
	b.must(err)
	return text.Body
}

// keeps returns the ids of the files whose text is kept.
func (b *bench) keeps() (ids []uint32) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) error {
		return tx.EachText(func(file uint32, _ []byte) error { ids = append(ids, file); return nil })
	}))
	return ids
}

// trace returns the bytes of the last text that is kept.
func (b *bench) trace() (trace []byte) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) error {
		return tx.EachText(func(_ uint32, value []byte) error { trace = bytes.Clone(value); return nil })
	}))
	return trace
}

func TestSlowTextIsKept(t *testing.T) {
	reads := slowFormat(t)
	b := newBench(t)
	b.write("a.slow", "first page\fsecond page")
	b.write("b.md", "# Quick\n\nunicorn\n")
	b.run(b.root)
	if n := reads.Load(); n != 1 || len(b.keeps()) != 1 {
		t.Fatalf("read %d times, kept %v", n, b.keeps())
	}
	want := "first page\n\nsecond page"
	if got := b.body("a.slow"); got != want || reads.Load() != 1 {
		t.Errorf("%q, read %d times", got, reads.Load())
	}
	// A file that was touched is as it was indexed, and is not taken apart.
	later := time.Now().Add(time.Hour)
	b.must(os.Chtimes(b.path("a.slow"), later, later))
	if got := b.body("a.slow"); got != want || reads.Load() != 1 {
		t.Errorf("touched: %q, read %d times", got, reads.Load())
	}
	b.run()
	if got := b.body("a.slow"); got != want || reads.Load() != 1 || len(b.keeps()) != 1 {
		t.Errorf("touched and looked at: %q, read %d times, kept %v", got, reads.Load(), b.keeps())
	}
	// One that changed reads as it is now, before it is indexed and after.
	b.write("a.slow", "first page\fanother page")
	if got := b.body("a.slow"); got != "first page\n\nanother page" || reads.Load() != 2 {
		t.Errorf("changed: %q, read %d times", got, reads.Load())
	}
	b.run()
	if got := b.body("a.slow"); got != "first page\n\nanother page" || reads.Load() != 3 || len(b.keeps()) != 1 {
		t.Errorf("changed and indexed: %q, read %d times, kept %v", got, reads.Load(), b.keeps())
	}
	b.must(os.Rename(b.path("a.slow"), b.path("c.slow")))
	if _, err := b.reading().Text(b.path("a.slow")); err == nil {
		t.Error("a file that is gone has a text")
	}
	b.run()
	b.run()
	if len(b.keeps()) != 1 {
		t.Errorf("renamed: kept %v", b.keeps())
	}
	if got := b.body("c.slow"); got != "first page\n\nanother page" {
		t.Errorf("renamed: %q", got)
	}
	b.must(os.Remove(b.path("c.slow")))
	b.run()
	b.run()
	if len(b.keeps()) != 0 {
		t.Errorf("removed: kept %v", b.keeps())
	}
}

// TestKeptTextIsNotFollowed replaces a file whose text is kept by a link.
func TestKeptTextIsNotFollowed(t *testing.T) {
	slowFormat(t)
	b := newBench(t)
	b.write("a.slow", "first page")
	b.run(b.root)
	b.must(os.Rename(b.path("a.slow"), b.path("b.other")))
	if err := os.Symlink(b.path("b.other"), b.path("a.slow")); err != nil {
		t.Skip(err)
	}
	if text, err := b.reading().Text(b.path("a.slow")); err == nil {
		t.Errorf("a link was followed to %q", text.Body)
	}
}

// TestKeptTextIsErased looks for what is kept of a file in the bytes of the index.
func TestKeptTextIsErased(t *testing.T) {
	slowFormat(t)
	b := newBench(t)
	b.write("a.slow", strings.Repeat("the secret is kept ", 3)+"\f"+fmt.Sprint(time.Now()))
	b.write("b.md", "another\n")
	b.run(b.root)
	traces := map[string][]byte{"its text": b.trace()}
	if len(b.onDisk(traces)) != 1 {
		t.Fatal("the index holds no text: the test tests nothing")
	}
	b.must(os.Remove(b.path("a.slow")))
	b.run()
	if found := b.onDisk(traces); len(found) != 0 {
		t.Errorf("the index still holds %v", found)
	}
}

// TestDamagedTextIsReadAgain spoils what is kept: the file is searched by what it
// holds itself, and indexed again.
func TestDamagedTextIsReadAgain(t *testing.T) {
	reads := slowFormat(t)
	b := newBench(t)
	b.write("a.slow", "first page\fsecond page")
	b.run(b.root)
	trace := b.trace()
	b.must(b.db.Close())
	image, err := os.ReadFile(b.db.Path())
	b.must(err)
	spoilt := bytes.Clone(trace)
	spoilt[len(spoilt)/2] ^= 1
	b.must(os.WriteFile(b.db.Path(), bytes.ReplaceAll(image, trace, spoilt), 0o600))
	db, err := store.Open(b.db.Path(), store.Options{})
	b.must(err)
	b.db = db
	b.index = indexer.New(b.options())
	if got := b.body("a.slow"); got != "first page\n\nsecond page" || reads.Load() != 2 {
		t.Errorf("%q, read %d times", got, reads.Load())
	}
	b.run()
	if got := b.body("a.slow"); got != "first page\n\nsecond page" || reads.Load() != 3 || len(b.keeps()) != 1 {
		t.Errorf("repaired: %q, read %d times, kept %v", got, reads.Load(), b.keeps())
	}
}

// TestPassageHasItsPlace searches for what stands on the second page, of a text that is
// kept and of one that is taken out again.
func TestPassageHasItsPlace(t *testing.T) {
	slowFormat(t)
	b := newBench(t)
	b.write("a.slow", strings.Repeat("plain words fill a page\n", 40)+"\f"+strings.Repeat("the unicorn grazes\n", 40)+"\f"+"last page")
	b.write("b.md", "# Quick\n\nunicorn\n")
	b.run(b.root)
	for _, kept := range []*store.DB{b.db, nil} {
		texts := b.reading()
		texts.Store = kept
		e := search.New(search.Options{Store: b.db, Analyzer: lexical.NewAnalyzer(), Embedder: b.embed, Texts: texts, Vectors: vectorIndex})
		r, err := e.Search(t.Context(), engine.Request{Query: `"unicorn grazes"`, Mode: engine.Lexical}, nil)
		b.must(err)
		if len(r.Passages) == 0 {
			t.Fatal("nothing found")
		}
		for _, p := range r.Passages {
			on := p.At(p.Places, strings.Index(p.Text, "unicorn"))
			if !p.Extracted || p.Locator == nil || on.Page() != 2 {
				t.Errorf("found %+v, places %v", p.Where, p.Places)
			}
		}
		r, err = e.Search(t.Context(), engine.Request{Query: `quick`, Mode: engine.Lexical}, nil)
		b.must(err)
		if len(r.Passages) != 1 || r.Passages[0].Where != (engine.Where{}) || r.Passages[0].LineStart != 1 {
			t.Errorf("of text: %+v", r.Passages)
		}
	}
}
