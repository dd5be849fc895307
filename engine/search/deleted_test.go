package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

// TestDeletedChunksCostNothing is T-L8 through the whole engine, without any
// filter: codes of chunks that are gone are still there, and no search spends
// a recomputed vector on one, nor lets it take the place of a chunk that lives.
func TestDeletedChunksCostNothing(t *testing.T) {
	w, files := grown(t, 81)
	w.settle(48)
	gone, left := files[:len(files)/3], files[len(files)/3:]
	if err := w.replace(gone, nil); err != nil {
		t.Fatal(err)
	}
	for _, f := range gone {
		w.disk.remove(f.path)
	}
	// A note that is saved again and again: all but its first chunk stay as they
	// were, and their old codes are as near to every query as the new ones.
	note := left[0]
	for save := range 20 {
		saved := note
		saved.text = strings.Replace(left[0].text, "\n", fmt.Sprintf(" save%d\n", save), 1)
		w.disk.write(saved.path, saved.text)
		if err := w.replace([]file{note}, []file{saved}); err != nil {
			t.Fatal(err)
		}
		note = saved
		w.settle(48)
	}
	left = append(left[1:], note) // in the order in which they were indexed: equal scores rank by it
	twin := newWorld(t)
	twin.index(left...)
	for i, f := range slices.Concat(gone[:3], left[:2], left[len(left)-1:]) {
		words := strings.Fields(f.text)[1:3]
		for _, mode := range []engine.Mode{engine.Vector, engine.Hybrid, engine.RRF} {
			req := engine.Request{Query: strings.Join(words, " "), Mode: mode, K: 20}
			w.opts.Recompute = 48
			r := w.search(req)
			if s := stage(r, "recompute"); s.In != 48 || s.Out != 48 {
				t.Errorf("%s, query %d: of %d vectors %d were recomputed", mode, i, s.In, s.Out)
			}
			w.opts.Recompute = 2 * manyChunks
			r = w.search(req)
			if r.Stats.Recomputed != r.Stats.Chunks || r.Stats.Chunks != 10*len(left) {
				t.Errorf("%s, query %d: %d of %d chunks were recomputed, %d live", mode, i, r.Stats.Recomputed, r.Stats.Chunks, 10*len(left))
			}
			if got, want := scoresOf(r), scoresOf(twin.search(req)); !slices.Equal(got, want) {
				t.Errorf("%s, query %d: scores %v, of a fresh index %v", mode, i, got, want)
			}
			for _, p := range r.Passages {
				if p.Stale || slices.ContainsFunc(gone, func(f file) bool { return f.path == p.Path }) {
					t.Errorf("%s, query %d: %+v", mode, i, p)
				}
			}
		}
	}
}

func scoresOf(r *engine.Result) (scores []float64) {
	for _, p := range r.Passages {
		scores = append(scores, p.Score)
	}
	return scores
}

// TestScanComparesLiveVectors: the exact reference looks at what lives.
func TestScanComparesLiveVectors(t *testing.T) {
	w := birds(t)
	w.opts.Scan = true
	w.unindex(root + "/birds/heron.md")
	r := w.search(engine.Request{Query: "heron", Mode: engine.Vector})
	if s := stage(r, "vector"); s.In != 2 || len(r.Passages) != 2 {
		t.Errorf("%+v, %d passages", s, len(r.Passages))
	}
}
