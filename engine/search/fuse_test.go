package search

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/leann"
	"dowse/engine/lexical"
)

// TestWordsBonus: cosines and bonuses together rank as fusion does, so that what both lists
// hold comes before what one of them holds, and without words nothing speaks for a chunk.
func TestWordsBonus(t *testing.T) {
	words := lexical.Result{Hits: []lexical.Hit{{Chunk: 7, Score: 9}, {Chunk: 3, Score: 8.9}, {Chunk: 5, Score: 1}}}
	hits := []leann.Hit{{Chunk: 1, Score: .50}, {Chunk: 3, Score: .48}, {Chunk: 2, Score: .40}, {Chunk: 8, Score: .2}, {Chunk: 5, Score: .1}}
	bonus := wordsBonus(words, hits, fusion.Features{}, fusion.Scale{})
	var order []uint32
	for _, c := range fuseLists(engine.Hybrid, words, hits, fusion.Features{}, fusion.Scale{}, &recorder{}) {
		if c.chunk != 7 { // which has no cosine
			order = append(order, c.chunk)
		}
	}
	sum := map[uint32]float64{}
	for i, h := range hits {
		sum[h.Chunk] = h.Score + bonus[i]
	}
	if !slices.IsSortedFunc(order, func(a, b uint32) int { return cmp.Compare(sum[b], sum[a]) }) || order[0] != 3 {
		t.Errorf("fusion ranks %v, cosines with bonuses are %v", order, sum)
	}
	for i, b := range wordsBonus(lexical.Result{}, hits, fusion.Features{}, fusion.Scale{}) {
		if math.Abs(b) > 1e-12 {
			t.Errorf("without words chunk %d has a bonus of %v", hits[i].Chunk, b)
		}
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

// TestEqualSumsOfRanksDoNotDependOnIDs: first and second in two lists make as much as second
// and first. Which comes first is the same however the chunks are numbered.
func TestEqualSumsOfRanksDoNotDependOnIDs(t *testing.T) {
	for _, ids := range [][]uint32{{1, 2, 3, 4}, {4, 3, 2, 1}, {2, 4, 1, 3}} {
		words := lexical.Result{Hits: []lexical.Hit{{Chunk: ids[0], Score: 9}, {Chunk: ids[1], Score: 8}, {Chunk: ids[2], Score: 7}}}
		meaning := []leann.Hit{{Chunk: ids[1], Score: .9}, {Chunk: ids[0], Score: .8}, {Chunk: ids[3], Score: .7}}
		var order []uint32
		for _, c := range fuseLists(engine.RRF, words, meaning, fusion.Features{}, fusion.Scale{}, &recorder{}) {
			order = append(order, c.chunk)
		}
		if want := []uint32{ids[1], ids[0], ids[3], ids[2]}; !slices.Equal(order, want) {
			t.Errorf("chunks %v are ranked %v, want %v", ids, order, want)
		}
	}
}

// spelling is an embedder that does not know letters beyond ASCII.
type spelling struct{ *embedder }

func (spelling) Spelled(text string) float64 {
	letters, spelled := 0, 0
	for _, r := range text {
		if r != ' ' {
			letters++
		}
		if r >= 0x80 {
			spelled++
		}
	}
	return float64(spelled) / float64(letters)
}

// TestVectorsOfForeignScriptsCountForLess: in a query whose script the embedder does not
// know, and in no other.
func TestVectorsOfForeignScriptsCountForLess(t *testing.T) {
	w := birds(t)
	weights := func(query string) [2]float64 {
		stats := w.search(engine.Request{Query: query, Mode: engine.Hybrid}).Stats
		return [2]float64{stats.LexicalWeight, stats.VectorWeight}
	}
	english, letter, russian := "heron reeds", "heron reeds ц", "heron цапля"
	known := map[string][2]float64{english: weights(english), letter: weights(letter)}
	knownRussian := weights(russian)
	w.opts.Embedder = spelling{w.embedder}
	for query, want := range known {
		if got := weights(query); got != want {
			t.Errorf("%q weighs %v, without Spelled %v", query, got, want)
		}
	}
	got := weights(russian)
	odds := got[0] / got[1] / (knownRussian[0] / knownRussian[1])
	if math.Abs(odds-math.Exp(fusion.Fitted.Foreign)) > 1e-9 {
		t.Errorf("%q weighs %v, %v where the script is known: odds by %v", russian, got, knownRussian, odds)
	}
}
