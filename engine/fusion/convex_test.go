package fusion_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/fusion"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// slowly is the slow twin: each document is looked up in both lists by itself.
func slowly(lexical, vector []fusion.Scored, w fusion.Weights) map[uint32]float64 {
	best, lowestCosine := 0.0, math.Inf(1)
	lowestWord := math.Inf(1)
	for _, s := range lexical {
		best, lowestWord = max(best, s.Score), min(lowestWord, s.Score)
	}
	for _, s := range vector {
		lowestCosine = min(lowestCosine, s.Score)
	}
	if len(lexical) < fusion.Depth {
		lowestWord = 0
	}
	find := func(list []fusion.Scored, id uint32, missing float64) float64 {
		for _, s := range list {
			if s.ID == id {
				return s.Score
			}
		}
		return missing
	}
	out := map[uint32]float64{}
	for _, list := range [][]fusion.Scored{lexical, vector} {
		for _, s := range list {
			out[s.ID] = w.Lexical*find(lexical, s.ID, lowestWord)/best + w.Vector*find(vector, s.ID, lowestCosine)
		}
	}
	return out
}

func TestConvexEqualsSlowTwin(t *testing.T) {
	r := random(t)
	for range trials {
		lexical := randomList(r, 1+r.IntN(150), 0.25, 0.25)
		vector := randomList(r, 1+r.IntN(150), -0.125, 1.0/64)
		fused, w := fusion.Convex(lexical, vector)
		want := slowly(lexical, vector, w)
		for _, s := range fused {
			if !near(s.Score, want[s.ID]) {
				t.Fatalf("document %d has the score %v, want %v", s.ID, s.Score, want[s.ID])
			}
		}
		if len(fused) != len(want) || !near(w.Lexical+w.Vector, 1) || w.Lexical <= 0 || w.Vector <= 0 {
			t.Fatalf("%d documents with the weights %v, want %d", len(fused), w, len(want))
		}
	}
}

func TestConvexHoldsEachDocumentOnce(t *testing.T) {
	r := random(t)
	for range trials {
		lexical, vector := randomLists(r)
		fused, w := fusion.Convex(lexical, vector)
		got := ids(fused)
		slices.Sort(got)
		want := slices.Concat(ids(lexical), ids(vector))
		slices.Sort(want)
		want = slices.Compact(want)
		if !slices.Equal(got, want) {
			t.Fatalf("documents %v, want %v", got, want)
		}
		if w.Lexical < 0 || w.Vector < 0 || !near(w.Lexical+w.Vector, 1) {
			t.Fatalf("weights %v do not share 1", w)
		}
		if !slices.Equal(ids(fused), inOrder(fused)) {
			t.Fatalf("not best first: %v", fused)
		}
	}
}

func TestConvexKeepsTheOrderOfIdenticalLists(t *testing.T) {
	r := random(t)
	for range trials {
		list := randomList(r, 1+r.IntN(150), 0.25, 0.25)
		fused, _ := fusion.Convex(list, list)
		if want := inOrder(list); !slices.Equal(ids(fused), want) {
			t.Fatalf("order %v, want %v", ids(fused), want)
		}
	}
}

func TestConvexOfOneListIsThatList(t *testing.T) {
	r := random(t)
	for range trials {
		lexical, vector := randomList(r, 1+r.IntN(150), 0, 0.25), randomList(r, 1+r.IntN(150), -0.5, 1.0/64)
		fused, w := fusion.Convex(lexical, nil)
		if want := inOrder(lexical); !slices.Equal(ids(fused), want) && slices.ContainsFunc(lexical, positive) {
			t.Fatalf("lexical alone: %v, want %v", ids(fused), want)
		}
		if w != (fusion.Weights{Lexical: 1}) {
			t.Fatalf("lexical alone: weights %v", w)
		}
		fused, w = fusion.Convex(nil, vector)
		if want := inOrder(vector); !slices.Equal(ids(fused), want) {
			t.Fatalf("vector alone: %v, want %v", ids(fused), want)
		}
		if w != (fusion.Weights{Vector: 1}) {
			t.Fatalf("vector alone: weights %v", w)
		}
	}
	if fused, _ := fusion.Convex(nil, nil); len(fused) != 0 {
		t.Fatalf("two empty lists gave %v", fused)
	}
}

func positive(s fusion.Scored) bool { return s.Score > 0 }

func TestConvexIgnoresTheOrderOfItsInput(t *testing.T) {
	r := random(t)
	for range trials {
		lexical, vector := randomLists(r)
		want, wantWeights := fusion.Convex(lexical, vector)
		got, weights := fusion.Convex(shuffled(r, lexical), shuffled(r, vector))
		if !slices.Equal(got, want) || weights != wantWeights {
			t.Fatalf("another order of input gave %v %v, want %v %v", got, weights, want, wantWeights)
		}
	}
}

func TestConvexLeavesItsInputAlone(t *testing.T) {
	r := random(t)
	lexical, vector := randomLists(r)
	lexicalBefore, vectorBefore := slices.Clone(lexical), slices.Clone(vector)
	fusion.Convex(lexical, vector)
	if !slices.Equal(lexical, lexicalBefore) || !slices.Equal(vector, vectorBefore) {
		t.Fatal("the lists changed")
	}
}

// A document that both lists prefer is preferred, whatever the weights.
func TestConvexRespectsWhatBothListsAgreeOn(t *testing.T) {
	r := random(t)
	pairs := 0
	for range trials {
		lexical, vector := randomLists(r)
		fused, _ := fusion.Convex(lexical, vector)
		score, bm25, cosine := scores(fused), scores(lexical), scores(vector)
		for a := range bm25 {
			for b := range bm25 {
				_, aInBoth := cosine[a]
				_, bInBoth := cosine[b]
				if !aInBoth || !bInBoth || bm25[a] < bm25[b] || cosine[a] < cosine[b] {
					continue
				}
				pairs++
				if score[a] < score[b] {
					t.Fatalf("%d is at least as good as %d in both lists, but %v < %v", a, b, score[a], score[b])
				}
			}
		}
	}
	if pairs < trials {
		t.Fatalf("only %d pairs compared", pairs)
	}
}

func scores(list []fusion.Scored) map[uint32]float64 {
	out := make(map[uint32]float64, len(list))
	for _, s := range list {
		out[s.ID] = s.Score
	}
	return out
}

// Under given weights a better score in one list, all else equal, never
// costs a document ranks.
func TestCombineIsMonotoneInEachScore(t *testing.T) {
	r := random(t)
	for range trials {
		lexical := randomList(r, 2+r.IntN(150), 0.25, 0.25)
		vector := randomList(r, 2+r.IntN(150), -0.125, 1.0/64)
		share := r.Float64()
		w := fusion.Weights{Lexical: share, Vector: 1 - share}
		before := ids(fusion.Combine(lexical, vector, w))
		for _, list := range [][]fusion.Scored{lexical, vector} {
			raised := &list[r.IntN(len(list))]
			old := raised.Score
			raised.Score += 0.25
			after := ids(fusion.Combine(lexical, vector, w))
			if slices.Index(after, raised.ID) > slices.Index(before, raised.ID) {
				t.Fatalf("raising %d from %v to %v cost it ranks", raised.ID, old, raised.Score)
			}
			raised.Score = old
		}
	}
}

func BenchmarkConvex(b *testing.B) {
	r := rand.New(rand.NewPCG(20261121, 1))
	lexical, vector := randomList(r, fusion.Depth, 0.25, 0.25), randomList(r, fusion.Depth, -0.125, 1.0/64)
	for b.Loop() {
		fusion.Convex(lexical, vector)
	}
}
