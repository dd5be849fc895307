package indexbench

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/leann"
)

// bySorting is the slow twin of every search: all scores, sorted.
func bySorting(v *Vectors, query []float32, k int) []leann.Hit {
	var all []leann.Hit
	for _, node := range v.nodes() {
		all = append(all, leann.Hit{Chunk: node, Score: float64(v.Dot(query, v.Vector(node)))})
	}
	slices.SortFunc(all, func(a, b leann.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
	})
	return all[:min(k, len(all))]
}

func TestNearestAgainstSorting(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		v := &Vectors{Dim: 1, Dotter: plainDot{}}
		for range rng.IntN(40) {
			v.Values = append(v.Values, float32(rng.IntN(8)))
		}
		q := nearest{n: rng.IntN(12)}
		for _, node := range v.nodes() {
			q.offer(leann.Hit{Chunk: node, Score: float64(v.Vector(node)[0])})
		}
		if got, want := q.sorted(), bySorting(v, []float32{1}, q.n); !slices.Equal(got, want) {
			t.Fatalf("best %d of %v: got %v, want %v", q.n, v.Values, got, want)
		}
	}
}

func TestTruth(t *testing.T) {
	c := clustered(t, 300, 20)
	for i, query := range c.Queries {
		want := bySorting(c.Vectors, query, truthDepth)
		if !slices.Equal(c.Truth[i], numbers(want)) {
			t.Errorf("query %d: truth %v, want %v", i, c.Truth[i], want)
		}
		if n := c.recalled(i, want); n != truthDepth {
			t.Errorf("query %d: %d recalled of the truth", i, n)
		}
		if n := c.recalled(i, append(want[:1:1], leann.Hit{Chunk: 1 << 20})); n != 1 {
			t.Errorf("query %d: %d recalled, want 1", i, n)
		}
	}
	if c.wanted() != 60 {
		t.Errorf("%d wanted of 20 queries", c.wanted())
	}
}

// exhaustive checks that a method with a setting finds what sorting finds.
func exhaustive(t *testing.T, c *Collection, m *method, s Setting) {
	t.Helper()
	find := m.open()
	for i, query := range c.Queries {
		got, err := find(t.Context(), query, s, &meter{vectors: c.Vectors})
		if want := bySorting(c.Vectors, query, truthDepth); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s, query %d: got %v, want %v: %v", m.name, i, got, want, err)
		}
	}
}

func TestInvertedFileOfAllLists(t *testing.T) {
	c := clustered(t, 400, 20)
	f, err := NewInvertedFile(t.Context(), c.Vectors, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	var members []uint32
	for _, list := range f.lists {
		members = append(members, list...)
	}
	slices.Sort(members)
	if !slices.Equal(members, c.Vectors.nodes()) || len(f.lists) != 20 {
		t.Fatalf("%d lists hold %d nodes", len(f.lists), len(members))
	}
	m := probedLists(f)
	exhaustive(t, c, m, Setting{Probes: len(f.lists)})
	// One list of twenty holds most of a query's cluster.
	o, err := quiet().evaluate(t.Context(), c, m, Setting{Probes: 2}, 2)
	if err != nil || o.Recall < 0.5 || o.Recomputes > 150 || o.Recomputes < 2 {
		t.Errorf("two lists: %+v, %v", o, err)
	}
}

func TestScannedCodesOfAll(t *testing.T) {
	c := clustered(t, 300, 10)
	q, err := NewQuantized(t.Context(), c.Vectors, testDim/2, false)
	if err != nil {
		t.Fatal(err)
	}
	exhaustive(t, c, scannedCodes(c, q), Setting{Rerank: 300})
	for _, h := range q.Scan(c.Queries[0], 20) {
		back := make([]float32, testDim)
		q.book.Decode(back, q.code(h.Chunk))
		if want := float64(c.Vectors.Dot(c.Queries[0], back)); max(h.Score-want, want-h.Score) > 1e-4 {
			t.Errorf("estimate %v, want %v", h.Score, want)
		}
	}
}

func TestOwnIndexOfAll(t *testing.T) {
	c := clustered(t, 2000, 10)
	m, err := quiet().ownIndex(t.Context(), c.Vectors, false)
	if err != nil {
		t.Fatal(err)
	}
	if m.bytes > 2000*20 {
		t.Errorf("%v bytes for 2000 codes of 8: vectors are still there", m.bytes)
	}
	exhaustive(t, c, m, Setting{Rerank: 2000, Batch: 16})
}

// A comparison of methods is one of codebooks where these differ.
func TestMethodsShareTheirCodebook(t *testing.T) {
	v := clustered(t, 2000, 1).Vectors
	for _, rotated := range []bool{false, true} {
		q, err := NewQuantized(t.Context(), v, testDim/4, rotated)
		if err != nil {
			t.Fatal(err)
		}
		own, err := settled(t.Context(), leann.Index{Dim: v.Dim, Dot: v.Dotter}, v, testDim/4, rotated)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(own.blocks[leann.Books][0], q.book.Append(nil)) {
			t.Errorf("rotated %v: dowse's index and the scan of codes have other codebooks", rotated)
		}
	}
	large := &Collection{Vectors: &Vectors{Dim: 1, Values: make([]float32, leann.RotateChunks)}}
	small := &Collection{Vectors: &Vectors{Dim: 1, Values: make([]float32, leann.RotateChunks-1)}}
	if !rotates(large) || rotates(small) {
		t.Error("codes are rotated at another size than dowse's own are")
	}
}

func TestMeterCounts(t *testing.T) {
	c := clustered(t, 10, 1)
	m := &meter{vectors: c.Vectors, cached: make([]bool, 10), cost: EmbedCost{{1, 10}, {2, 4}}}
	m.cached[7] = true
	dst, ok := make([]float32, 4*testDim), make([]bool, 4)
	if err := m.Vectors(t.Context(), []uint32{3, 7, 9, 4}, dst, ok); err != nil || slices.Contains(ok, false) {
		t.Fatal(err, ok)
	}
	if !slices.Equal(dst[2*testDim:3*testDim], c.Vectors.Vector(9)) {
		t.Error("another vector was handed out")
	}
	if m.asked != 4 || m.hits != 1 || m.millis != 12 {
		t.Errorf("asked %d, hits %d, %v ms", m.asked, m.hits, m.millis)
	}
}
