package store_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine/lexical" //nolint:depguard // tests the two halves of the postings together: the store knows nothing of them otherwise
	"dowse/store"
)

var _ lexical.ReadWriter = (*store.Postings)(nil)

// corpus gives pieces of about 1,000 bytes of the notes in a folder.
func corpus(t testing.TB, folder string) (pieces []string, bytes int64) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".md") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		bytes += int64(len(text))
		for len(text) > 1500 {
			cut := 1000 + strings.IndexByte(string(text[1000:])+"\n", '\n')
			pieces, text = append(pieces, string(text[:cut])), text[cut:]
		}
		pieces = append(pieces, string(text))
		return nil
	})
	if err != nil {
		t.Skipf("the corpus is not here: %v", err)
	}
	return pieces, bytes
}

// TestPostingsSize writes a folder of notes in batches, as the indexer does,
// and holds the lexical index to a tenth of the text plus page overhead.
func TestPostingsSize(t *testing.T) {
	pieces, bytes := corpus(t, "../../shared/data/corpus/til")
	db := openNew(t)
	analyzer, builder := lexical.NewAnalyzer(), lexical.NewBuilder()
	commit := func() {
		err := db.Update(func(tx *store.Tx) error {
			if _, err := builder.Write(tx.Postings()); err != nil {
				return err
			}
			_, err := lexical.MergeDue(context.Background(), tx.Postings(), nil)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, piece := range pieces {
		builder.Add(uint32(i), analyzer.Append(nil, piece))
		if i%200 == 199 {
			commit()
		}
	}
	commit()
	report := func(label string) (indexed int64) {
		err := db.View(func(tx *store.Tx) error {
			sizes, err := tx.Sizes()
			if err != nil {
				return err
			}
			c, err := lexical.NewCollection(tx.Postings(), nil)
			if err != nil {
				return err
			}
			indexed = sizes["postings"] + sizes["dictionary"]
			t.Logf("%s: %d pieces, %d bytes of text: %d segments, encoded %d (%.1f%%), pages: postings %d, dictionary %d (%.1f%%), total %d", label, len(pieces), bytes,
				c.Stats().Segments, c.Stats().Bytes, 100*float64(c.Stats().Bytes)/float64(bytes),
				sizes["postings"], sizes["dictionary"], 100*float64(indexed)/float64(bytes), sizes["total"])
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return indexed
	}
	report("in batches")
	err := db.Update(func(tx *store.Tx) error {
		ids, err := tx.Postings().Segments()
		if err != nil {
			return err
		}
		return lexical.Merge(context.Background(), tx.Postings(), ids, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	if indexed := report("merged"); indexed*100 > bytes*15 {
		t.Errorf("the lexical index takes %d bytes of pages for %d bytes of text", indexed, bytes)
	}
}

func openNew(t testing.TB) *store.DB {
	t.Helper()
	db, err := store.Open(filepath.Join(t.TempDir(), "index.db"), store.Options{Fingerprint: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// TestCheckWithVerifier runs the lexical index's check inside the store's.
func TestCheckWithVerifier(t *testing.T) {
	db := openNew(t)
	b := lexical.NewBuilder()
	err := db.Update(func(tx *store.Tx) error {
		f := store.File{Path: "/a/one.md", Root: "/a"}
		if err := tx.PutFile(&f, []store.Chunk{{End: 5}, {Start: 5, End: 9}}); err != nil {
			return err
		}
		b.Add(f.IDs[0].First, []string{"some", "words"})
		_, err := b.Write(tx.Postings())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var found []store.Problem
	summary, err := db.Check(context.Background(), func(p store.Problem) { found = append(found, p) }, verifyPostings)
	if err != nil || len(found) != 1 || summary.Segments != 1 {
		t.Errorf("%+v, problems %v, error %v; want the one chunk that is in no segment", summary, found, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := db.Check(ctx, func(store.Problem) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled check: %v", err)
	}
}

func verifyPostings(ctx context.Context, tx *store.Tx, report func(store.Problem)) error {
	live := lexical.NewSet(tx.NextChunk())
	err := tx.LiveChunks(func(first, n uint32) error { live.AddRange(first, n); return nil })
	if err != nil {
		return err
	}
	_, err = lexical.Check(ctx, tx.Postings(), live, tx.NextChunk(), func(what string) {
		report(store.Problem{Where: "postings", What: what})
	})
	return err
}
