package search

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/store"
)

// spoil changes a byte of what the index holds of some record, wherever it lies in the file.
func (w *world) spoil(record func(leann.Reader) ([]byte, error)) {
	w.t.Helper()
	var value []byte
	err := w.db.View(func(tx *store.Tx) error {
		found, err := record(layout.VectorIndex{Tx: tx})
		value = bytes.Clone(found)
		return err
	})
	if err != nil || len(value) < 8 {
		w.t.Fatalf("%d bytes to spoil, %v", len(value), err)
	}
	image, err := os.ReadFile(w.db.Path())
	if err != nil {
		w.t.Fatal(err)
	}
	f, err := os.OpenFile(w.db.Path(), os.O_WRONLY, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	for at := bytes.Index(image, value); at >= 0; at = bytes.Index(image, value) {
		image[at+len(value)/2] ^= 4
		if _, err := f.WriteAt(image[at+len(value)/2:][:1], int64(at+len(value)/2)); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		w.t.Fatal(err)
	}
}

// codes returns a block of codes, to be spoilt.
func codes(key uint32) func(leann.Reader) ([]byte, error) {
	return func(r leann.Reader) ([]byte, error) { return r.Block(leann.CodeRuns, key) }
}

// twoBlocks is a grown index some of whose files have ids of a second block of codes.
func twoBlocks(t *testing.T, seed uint64) (w *world, first, second []file) {
	t.Helper()
	w, first = grown(t, seed)
	filler := file{root + "/filler.md", strings.Repeat("filler\n\n", 4096-manyChunks), on(1, 1)}
	w.index(filler)
	w.unindex(filler.path)
	for _, f := range first[:20] {
		second = append(second, file{strings.Replace(f.path, ".md", ".txt", 1), strings.ReplaceAll(f.text, "word1", "other"), on(1, 1)})
	}
	w.index(second...)
	return w, first, second
}

// TestRelatedWithDamagedCodes: what a passage is like is found among what is sound. The
// passage itself is embedded again where its code is damaged, even where estimates will do.
func TestRelatedWithDamagedCodes(t *testing.T) {
	for _, tt := range []struct {
		name     string
		block    uint32
		estimate bool
		embedded int64 // of the origin
	}{
		{"its own, exactly", 0, false, 1},
		{"its own, estimated", 0, true, 1},
		{"those of others", 1, false, 1},
		{"those of others, estimated", 1, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, first, second := twoBlocks(t, 75)
			w.settle(2 * manyChunks)
			told := 0
			w.opts.Damaged = func() { told++ }
			w.spoil(codes(tt.block))
			sound := [][]file{second, first}[tt.block]
			of := first[4]
			before := w.embedder.documents.Load()
			r := w.related(engine.RelatedRequest{Path: of.path, Line: 5, K: 25, Estimate: tt.estimate})
			embedded := w.embedder.documents.Load() - before
			if len(r.Passages) != 25 || told != 1 || r.Stats.Damage == "" || !strings.Contains(r.Stats.Damage, "dowse index") {
				t.Errorf("%d passages, told %d times, %+v", len(r.Passages), told, r.Stats)
			}
			for _, p := range r.Passages {
				if !slices.ContainsFunc(sound, func(f file) bool { return f.path == p.Path }) {
					t.Fatalf("%s is among them, whose codes are damaged", p.Path)
				}
			}
			if tt.estimate {
				if embedded != tt.embedded {
					t.Errorf("%d texts embedded, want %d", embedded, tt.embedded)
				}
				return
			}
			parts := paragraphs(of.text)
			agree(t, r, bruteLike(sound, of.path, false, of.text[parts[2].Start:parts[2].End]))
			if embedded < tt.embedded {
				t.Errorf("%d texts embedded, want %d or more", embedded, tt.embedded)
			}
		})
	}
}

// TestRelatedWithDamagedVectors: the same while vectors are stored.
func TestRelatedWithDamagedVectors(t *testing.T) {
	w, files := grown(t, 76)
	of := files[7]
	w.spoil(func(r leann.Reader) ([]byte, error) {
		_, raw, err := r.Run(70) // files have 10 chunks each
		return raw, err
	})
	r := w.related(engine.RelatedRequest{Path: of.path, Line: 1, K: 25})
	parts := paragraphs(of.text)
	agree(t, r, bruteLike(files, of.path, false, of.text[parts[0].Start:parts[0].End]))
	if r.Stats.Damage == "" || r.Stats.Recomputed != 0 || w.embedder.documents.Load() != 1 {
		t.Errorf("%d texts embedded, %+v", w.embedder.documents.Load(), r.Stats)
	}
}

// TestRelatedWithoutCodes: a passage of which the index holds nothing is embedded again;
// where its text changed as well nothing can be done, and who asks is told what mends it.
func TestRelatedWithoutCodes(t *testing.T) {
	w, first, _ := twoBlocks(t, 77)
	w.settle(2 * manyChunks)
	err := w.db.Update(func(tx *store.Tx) error { return tx.DeleteBlock(store.CodeBlocks, 0) })
	if err != nil {
		t.Fatal(err)
	}
	for _, estimate := range []bool{false, true} {
		r := w.related(engine.RelatedRequest{Path: first[4].path, K: 5, Estimate: estimate})
		if len(r.Passages) != 5 || slices.ContainsFunc(r.Passages, func(p engine.Passage) bool { return filepath.Ext(p.Path) != ".txt" }) {
			t.Errorf("estimate %v: %+v", estimate, r.Passages)
		}
	}
	w.disk.write(first[4].path, "changed\n\n")
	_, err = w.Related(t.Context(), engine.RelatedRequest{Path: first[4].path}, nil)
	if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "dowse index repairs it") {
		t.Errorf("without codes and text: %v", err)
	}
}
