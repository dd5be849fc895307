package search

import (
	"slices"
	"testing"

	"dowse/engine"
	"dowse/engine/leann"
	"dowse/engine/lexical"
)

// TestDecisive: what both lists hold comes before what one of them holds, and
// every estimated chunk is named, also those beyond the depth of fusion.
func TestDecisive(t *testing.T) {
	words := lexical.Result{Hits: []lexical.Hit{{Chunk: 7, Score: 9}, {Chunk: 3, Score: 8.9}, {Chunk: 5, Score: 1}}}
	estimated := []leann.Hit{{Chunk: 1, Score: .50}, {Chunk: 3, Score: .48}, {Chunk: 2, Score: .40}, {Chunk: 8, Score: .2}, {Chunk: 5, Score: .1}}
	got := decisive(words, estimated, 3)
	if got[0] != 3 {
		t.Errorf("%v does not begin with the chunk that both lists hold high", got)
	}
	for _, h := range estimated {
		if !slices.Contains(got, h.Chunk) {
			t.Errorf("%v lacks chunk %d", got, h.Chunk)
		}
	}
	if got := decisive(lexical.Result{}, estimated, 5); !slices.Equal(got[:5], []uint32{1, 3, 2, 8, 5}) {
		t.Errorf("without words: %v", got)
	}
}

// TestHybridSpendsVectorsWhereWordsPoint: a chunk found by a rare word has its
// exact vector score, though its estimate is far from the best.
func TestHybridSpendsVectorsWhereWordsPoint(t *testing.T) {
	w, _ := grown(t, 68)
	w.settle(manyChunks)
	req := engine.Request{Query: "chunk337 word1 word2 word3 word4", K: 1}
	want := w.search(req).Passages[0]
	w.opts.Recompute = 4
	got := w.search(req)
	if p := got.Passages[0]; p.ChunkID != want.ChunkID || p.VectorScore != want.VectorScore || got.Stats.Recomputed != 4 {
		t.Errorf("with 4 vectors of %d: %+v, want %+v", got.Stats.Recomputed, p, want)
	}
}
