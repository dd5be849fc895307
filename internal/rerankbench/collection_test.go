package rerankbench

import (
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/internal/eval"
)

// The blocks of a segment are found as by looking at all of them.
func TestPostingsFindBlocks(t *testing.T) {
	const seed = 9
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	word := func() string {
		b := make([]byte, 1+rng.IntN(3))
		for i := range b {
			b[i] = 'a' + byte(rng.IntN(5))
		}
		return string(b)
	}
	firsts := []string{""}
	for range 60 {
		firsts = append(firsts, word())
	}
	slices.Sort(firsts)
	firsts = slices.Compact(firsts)[rng.IntN(2):]
	var p postings
	for _, first := range firsts {
		if err := p.PutBlock(onlySegment, first, []byte("block "+first)); err != nil {
			t.Fatal(err)
		}
	}
	if p.PutBlock(onlySegment, firsts[0], nil) == nil {
		t.Error("a block was taken out of order")
	}
	for range 300 {
		term := word()
		at, after := "none", "none"
		for _, first := range firsts {
			if first <= term {
				at = "block " + first
			}
			if first > term && after == "none" {
				after = "block " + first
			}
		}
		for what, found := range map[string]struct {
			find func(uint32, string) (string, []byte, error)
			want string
		}{"seek": {p.Seek, at}, "next": {p.Next, after}} {
			first, block, err := found.find(onlySegment, term)
			got := "none"
			if block != nil {
				got = "block " + first
			}
			if err != nil || got != found.want || block != nil && string(block) != got {
				t.Errorf("%s %q: %q, %q, %v, want %q", what, term, first, block, err, found.want)
			}
		}
	}
}

func TestCandidates(t *testing.T) {
	b := opened(t, tinyOptions(t, tinyCollection(t, "birds", 3, 50, 40), tinyCollection(t, "stars", 4, 50, 20)))
	if len(b.queries) < 50 {
		t.Fatalf("%d queries", len(b.queries))
	}
	for i, q := range b.queries {
		if len(q.pairs) < 2 || len(q.pairs) > 14 || len(q.prior) != len(q.pairs) || q.prior[0] != 1 {
			t.Errorf("query %d: %d candidates, priors %v", i, len(q.pairs), q.prior)
		}
		if !slices.IsSortedFunc(q.prior, func(x, y float64) int { return int(2 * (y - x) / max(y-x, x-y, 1e-300)) }) {
			t.Errorf("query %d: priors %v", i, q.prior)
		}
	}
}

// A document that holds both words of a query comes before those with one.
func TestBM25(t *testing.T) {
	x, err := newBM25([]eval.Document{{Text: "heron"}, {Text: "gull"}, {Text: "heron lake"}, {Text: "boat lake"}, {Text: "lake"}})
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.collection.Search(t.Context(), x.postings, x.analyzer.Query("heron lake"), 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	var ids []uint32
	for _, h := range found.Hits {
		ids = append(ids, h.Chunk)
	}
	if !slices.Equal(ids, []uint32{2, 0, 4}) {
		t.Errorf("found %v", ids)
	}
}

func TestQueriesAreSpreadOverCollections(t *testing.T) {
	folders := []string{tinyCollection(t, "birds", 3, 50, 40), tinyCollection(t, "stars", 4, 50, 6), tinyCollection(t, "boats", 5, 50, 40)}
	opts := tinyOptions(t, folders...)
	opts.Queries = 30
	b := &bench{opts: opts, report: func(string, int, int) {}}
	collections, err := b.open(t.Context(), newKernel(t))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	total := 0
	for i, c := range collections {
		names = append(names, c.Name)
		total += c.Queries
		if c.Queries > 10 || c.Queries < 4 || c.Documents != 50 {
			t.Errorf("collection %d: %+v", i, c)
		}
	}
	if !slices.Equal(names, []string{"birds", "stars", "boats"}) || total != len(b.queries) {
		t.Errorf("%v, %d queries of %d", names, len(b.queries), total)
	}
}
