package snapshot

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/internal/testenv"
	"dowse/store"
)

func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }

// world is an index over a store of its own.
type world struct {
	t        testing.TB
	db       *store.DB
	index    *Index
	analyzer *lexical.Analyzer
	ledger   *memory.Ledger
}

// root is the folder that is indexed.
const root = "/home/ada"

// file is one to be indexed; its chunks are its paragraphs.
type file struct {
	path, text string
	modified   time.Time
}

func newWorld(t testing.TB) *world {
	t.Helper()
	db, err := store.Open(filepath.Join(t.TempDir(), "index.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	ledger := &memory.Ledger{}
	return &world{t, db, New(Options{Store: db, Ledger: ledger}), lexical.NewAnalyzer(), ledger}
}

// put indexes one file.
func (w *world) put(tx *store.Tx, builder *lexical.Builder, f file) error {
	record := store.File{Path: f.path, Root: root, ModTime: f.modified.UnixNano(), Plain: true}
	var chunks []store.Chunk
	for paragraph := range strings.SplitAfterSeq(f.text, "\n\n") {
		if paragraph != "" {
			start := int64(0)
			if n := len(chunks); n > 0 {
				start = chunks[n-1].End
			}
			chunks = append(chunks, store.Chunk{Start: start, End: start + int64(len(paragraph))})
		}
	}
	if err := tx.PutFile(&record, chunks); err != nil {
		return err
	}
	for i, id := range record.IDs.All() {
		builder.Add(id, w.analyzer.Document(nil, f.text[chunks[i].Start:chunks[i].End], ""))
	}
	return nil
}

// add indexes files in one commit.
func (w *world) add(files ...file) {
	w.t.Helper()
	w.update(func(tx *store.Tx) error {
		builder := lexical.NewBuilder()
		for _, f := range files {
			if err := w.put(tx, builder, f); err != nil {
				return err
			}
		}
		_, err := builder.Write(tx.Postings())
		return err
	})
}

// remove takes a file out of the index.
func (w *world) remove(path string) {
	w.t.Helper()
	w.update(func(tx *store.Tx) error {
		f, err := tx.FileByPath(path)
		if err != nil {
			return err
		}
		return tx.DeleteFile(f.ID)
	})
}

func (w *world) update(fn func(tx *store.Tx) error) {
	w.t.Helper()
	if err := w.db.Update(fn); err != nil {
		w.t.Fatal(err)
	}
}

// view runs fn with the snapshot of the newest commit.
func (w *world) view(fn func(tx *store.Tx, s *Snapshot) error) {
	w.t.Helper()
	err := w.index.View(func(tx *store.Tx) error {
		s, err := w.index.At(tx)
		if err != nil {
			return err
		}
		return fn(tx, s)
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// birds are three files.
func birds(t testing.TB) *world {
	w := newWorld(t)
	w.add(file{root + "/heron.md", "A heron.\n\nIt waits.", on(1, 1)},
		file{root + "/kingfisher.md", "A kingfisher.", on(1, 2)}, file{root + "/reeds.md", "Reeds.", on(1, 3)})
	return w
}

// on is noon of a day of 2026.
func on(month time.Month, day int) time.Time {
	return time.Date(2026, month, day, 12, 0, 0, 0, time.Local)
}

// testNow is the moment that tests search at.
var testNow = time.Date(2026, 11, 21, 15, 4, 5, 0, time.UTC)

// day is the beginning of a day.
func day(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

// randomText is paragraphs of few words.
func randomText(rng *rand.Rand, paragraphs int) string {
	words := strings.Fields("resolver router dns name server lentils stew carrots heron reeds river Zürich 東京都 naïve run running ran")
	var b strings.Builder
	for range paragraphs {
		for range 4 + rng.IntN(10) {
			b.WriteString(words[rng.IntN(len(words))] + " ")
		}
		b.WriteString("end\n\n")
	}
	return b.String()
}
