package fusion_test

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"dowse/engine/fusion"
)

// pair is a document and its score as the recorded lists hold it.
type pair [2]float64

// recorded is a query with its two lists, from the collections that the
// weights were fitted on, and what the research code made of them.
type recorded struct {
	Set     string  `json:"set"`
	Terms   int     `json:"terms"`
	Unknown int     `json:"unknown"`
	Lexical []pair  `json:"lexical"`
	Vector  []pair  `json:"vector"`
	Weight  float64 `json:"weight"` // of the lexical list
	Fused   []pair  `json:"fused"`  // the first 20
}

func scored(pairs []pair) []fusion.Scored {
	list := make([]fusion.Scored, len(pairs))
	for i, p := range pairs {
		list[i] = fusion.Scored{ID: uint32(p[0]), Score: p[1]}
	}
	return list
}

func readRecorded(t testing.TB) []recorded {
	t.Helper()
	file, err := os.Open("testdata/lists.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []recorded
	if err := json.NewDecoder(unzipped).Decode(&cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// The research code is the slow twin: plain loops over dictionaries.
func TestAdaptiveEqualsResearchCode(t *testing.T) {
	cases := readRecorded(t)
	if len(cases) < 100 {
		t.Fatalf("%d recorded queries, want at least 100", len(cases))
	}
	for i, c := range cases {
		fused, w := fusion.Adaptive(scored(c.Lexical), scored(c.Vector), fusion.Features{Terms: c.Terms, Unknown: c.Unknown})
		if !near(w.Lexical, c.Weight) {
			t.Errorf("query %d of %s: lexical weight %v, want %v", i, c.Set, w.Lexical, c.Weight)
		}
		for rank, want := range scored(c.Fused) {
			if got := fused[rank]; got.ID != want.ID || !near(got.Score, want.Score) {
				t.Errorf("query %d of %s: rank %d is %v, want %v", i, c.Set, rank+1, got, want)
				break
			}
		}
	}
}

func TestAdaptiveHoldsEachDocumentOnce(t *testing.T) {
	r := random(t)
	for range trials {
		lexical, vector := randomLists(r)
		fused, w := fusion.Adaptive(lexical, vector, randomFeatures(r))
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

func TestAdaptiveKeepsTheOrderOfIdenticalLists(t *testing.T) {
	r := random(t)
	for range trials {
		list := randomList(r, 1+r.IntN(150), 0.25, 0.25)
		fused, _ := fusion.Adaptive(list, list, randomFeatures(r))
		if want := inOrder(list); !slices.Equal(ids(fused), want) {
			t.Fatalf("order %v, want %v", ids(fused), want)
		}
	}
}

func TestAdaptiveOfOneListIsThatList(t *testing.T) {
	r := random(t)
	for range trials {
		lexical, vector := randomList(r, 1+r.IntN(150), 0, 0.25), randomList(r, 1+r.IntN(150), -0.5, 1.0/64)
		query := randomFeatures(r)
		fused, w := fusion.Adaptive(lexical, nil, query)
		if want := inOrder(lexical); !slices.Equal(ids(fused), want) && slices.ContainsFunc(lexical, positive) {
			t.Fatalf("lexical alone: %v, want %v", ids(fused), want)
		}
		if w != (fusion.Weights{Lexical: 1}) {
			t.Fatalf("lexical alone: weights %v", w)
		}
		fused, w = fusion.Adaptive(nil, vector, query)
		if want := inOrder(vector); !slices.Equal(ids(fused), want) {
			t.Fatalf("vector alone: %v, want %v", ids(fused), want)
		}
		if w != (fusion.Weights{Vector: 1}) {
			t.Fatalf("vector alone: weights %v", w)
		}
	}
	if fused, _ := fusion.Adaptive(nil, nil, fusion.Features{}); len(fused) != 0 {
		t.Fatalf("two empty lists gave %v", fused)
	}
}

func positive(s fusion.Scored) bool { return s.Score > 0 }

func TestAdaptiveIgnoresTheOrderOfItsInput(t *testing.T) {
	r := random(t)
	for range trials {
		lexical, vector := randomLists(r)
		query := randomFeatures(r)
		want, wantWeights := fusion.Adaptive(lexical, vector, query)
		got, weights := fusion.Adaptive(shuffled(r, lexical), shuffled(r, vector), query)
		if !slices.Equal(got, want) || weights != wantWeights {
			t.Fatalf("another order of input gave %v %v, want %v %v", got, weights, want, wantWeights)
		}
	}
}

func TestAdaptiveLeavesItsInputAlone(t *testing.T) {
	r := random(t)
	lexical, vector := randomLists(r)
	lexicalBefore, vectorBefore := slices.Clone(lexical), slices.Clone(vector)
	fusion.Adaptive(lexical, vector, fusion.Features{Terms: 1})
	if !slices.Equal(lexical, lexicalBefore) || !slices.Equal(vector, vectorBefore) {
		t.Fatal("the lists changed")
	}
}

// A document that both lists prefer is preferred, whatever the weights.
func TestAdaptiveRespectsWhatBothListsAgreeOn(t *testing.T) {
	r := random(t)
	pairs := 0
	for range trials {
		lexical, vector := randomLists(r)
		fused, _ := fusion.Adaptive(lexical, vector, randomFeatures(r))
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

func TestWeightsFollowTheFeatures(t *testing.T) {
	lexical := []fusion.Scored{{ID: 1, Score: 9}, {ID: 2, Score: 8}, {ID: 3, Score: 2}}
	flat := []fusion.Scored{{ID: 4, Score: 0.43}, {ID: 5, Score: 0.42}, {ID: 6, Score: 0.41}, {ID: 7, Score: 0.40}}
	sharp := []fusion.Scored{{ID: 4, Score: 0.83}, {ID: 5, Score: 0.42}, {ID: 6, Score: 0.41}, {ID: 7, Score: 0.40}}
	_, known := fusion.Adaptive(lexical, flat, fusion.Features{Terms: 4})
	_, standing := fusion.Adaptive(lexical, sharp, fusion.Features{Terms: 4})
	_, unknown := fusion.Adaptive(lexical, flat, fusion.Features{Terms: 4, Unknown: 2})
	if standing.Vector <= known.Vector {
		t.Errorf("a vector list with a clear winner weighs %v, a flat one %v", standing.Vector, known.Vector)
	}
	if unknown.Lexical >= known.Lexical {
		t.Errorf("BM25 weighs %v with half of the words unknown, %v with all known", unknown.Lexical, known.Lexical)
	}
	if _, foreign := fusion.Adaptive(lexical, flat, fusion.Features{Terms: 4, Foreign: true}); foreign.Vector >= known.Vector {
		t.Errorf("vectors of a script that the model does not know weigh %v, of one that it knows %v", foreign.Vector, known.Vector)
	}
	if _, code := fusion.Adaptive(lexical, flat, fusion.Features{Terms: 4, Code: 1}); code.Lexical >= known.Lexical {
		t.Errorf("BM25 weighs %v among code, %v among prose", code.Lexical, known.Lexical)
	}
	if _, none := fusion.Adaptive(lexical, flat, fusion.Features{}); none != known {
		t.Errorf("no features weigh %v, no unknown word %v", none, known)
	}
}

func TestStandoutDependsOnTheBestDocumentsOnly(t *testing.T) {
	r := random(t)
	long := randomList(r, fusion.Depth, 0.5, 1.0/64)
	want := fusion.Standout(long)
	for i := range 80 {
		long = append(long, fusion.Scored{ID: uint32(1000 + i), Score: 0.25})
	}
	if got := fusion.Standout(long); got != want {
		t.Errorf("standout %v of a longer list, want %v", got, want)
	}
	if got := fusion.Standout([]fusion.Scored{{ID: 1, Score: 0.5}, {ID: 2, Score: 0.5}}); got != 0 {
		t.Errorf("standout %v of equal scores, want 0", got)
	}
}

func BenchmarkAdaptive(b *testing.B) {
	c := readRecorded(b)[0]
	lexical, vector := scored(c.Lexical), scored(c.Vector)
	for b.Loop() {
		fusion.Adaptive(lexical, vector, fusion.Features{Terms: c.Terms, Unknown: c.Unknown})
	}
}
