package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/store"
)

// TestWordsFindWhatLacksAVector: while vectors come behind words, what words find ranks as it will
// when all are there, and what has one is found by meaning.
func TestWordsFindWhatLacksAVector(t *testing.T) {
	w := newWorld(t)
	rng := rand.New(rand.NewPCG(31, 1))
	for i := range maxBehind {
		text := "harbour"
		for range 1 + rng.IntN(6) {
			text += fmt.Sprintf(" word%d", rng.IntN(9))
		}
		w.index(file{path: fmt.Sprintf("%s/%02d.md", root, i), text: text})
	}
	w.index(file{path: root + "/other.md", text: "quay boats"})
	request := engine.Request{Query: "harbour word3 word5", Mode: engine.Hybrid, K: 20}
	w.memo = leann.NewMemo(1<<20, dim, nil)
	want := w.search(request)
	lacking := 0
	err := w.db.Update(func(tx *store.Tx) error {
		err := tx.Files(func(f store.File) error {
			if f.Path == root+"/other.md" || rng.IntN(3) == 0 {
				return nil
			}
			lacking++
			return tx.DeleteVectors(f.IDs[0].First)
		})
		if err != nil {
			return err
		}
		return layout.NoteLacking(tx, true)
	})
	if err != nil || lacking < 4 {
		t.Fatal(lacking, err)
	}
	w.embedder.documents.Store(0)
	got := w.search(request)
	if !slices.EqualFunc(got.Passages, want.Passages, equalPassages) {
		t.Errorf("got %v\nwant %v", got.Passages, want.Passages)
	}
	if want.Stats.Coming != "" || got.Stats.Coming == "" {
		t.Errorf("%q, %q", want.Stats.Coming, got.Stats.Coming)
	}
	if n := w.embedder.documents.Load(); n != int64(lacking) || got.Stats.Recomputed != lacking {
		t.Errorf("%d were embedded, %d said, for %d that lack a vector", n, got.Stats.Recomputed, lacking)
	}
	if got := w.search(request); got.Stats.Recomputed != 0 {
		t.Errorf("%d were recomputed again", got.Stats.Recomputed)
	}
	request.Estimate = true
	w.memo.Drop()
	if w.search(request); w.embedder.documents.Load() != int64(lacking) {
		t.Error("vectors are computed while somebody types")
	}
}
