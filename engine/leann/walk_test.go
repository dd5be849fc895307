package leann

import (
	"context"
	"slices"
	"testing"
)

// walked is a quantized index and its graph.
func walked(t testing.TB, seed uint64, n int) (*cloud, *memory, Walk) {
	t.Helper()
	c := newCloud(seeded(t, seed), n, 24)
	m := newMemory(t, c.dim)
	m.add(seeded(t, seed+1), c, 0, n)
	m.link(LinkOptions{linkBytes: 8})
	m.quantize(QuantizeOptions{CodeBytes: 5})
	return c, m, Walk{Graph: m.graph(), Pull: 0.3}
}

// TestWalkFindsMore: for as many recomputed vectors, a walk finds more than a scan where
// codes are short.
func TestWalkFindsMore(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	c, m, walk := walked(t, 81, 2000)
	queries := c.queries(seeded(t, 83), 80)
	for _, n := range []int{12, 24} {
		var found [2]float64
		for i, w := range []Walk{{}, walk} {
			for _, q := range queries {
				got, err := m.index().Search(t.Context(), m, c, Query{Vector: q, Depth: 10, Recompute: n, Batch: 4, Walk: w})
				if err != nil {
					t.Fatal(err)
				}
				if got.Stats.Recomputed != n || len(got.Hits) != 10 {
					t.Fatalf("%+v, %d hits", got.Stats, len(got.Hits))
				}
				found[i] += recall(got.Hits[:3], c.best(q, 3, nil)) / float64(len(queries))
			}
		}
		t.Logf("%d recomputed: recall@3 %.3f by scan, %.3f by walk", n, found[0], found[1])
		if found[1] < found[0]+0.01 {
			t.Errorf("%d recomputed: recall@3 %.3f by scan, %.3f by walk", n, found[0], found[1])
		}
	}
}

// TestWalkIsExact: hits have exact scores and are allowed; where all that are allowed
// are recomputed, all are found; no chunk comes twice.
func TestWalkIsExact(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	c, m, walk := walked(t, 84, 1200)
	fresh := newCloud(seeded(t, 86), 30, c.dim)
	c.of = append(c.of, fresh.of...)
	m.put(1200, fresh.of)
	for _, allowed := range []Allowed{nil, share(2), share(100), only(3), only(5000)} {
		for _, q := range c.queries(seeded(t, 87), 6) {
			for _, n := range []int{0, 5, 40, 2000} {
				query := Query{Vector: q, Depth: 20, Recompute: n, Batch: 4, Allowed: allowed, Walk: walk}
				if n == 40 { // hybrid search prefers the odd ones
					query.Bonus = func(hits []Hit) []float64 {
						bonus := make([]float64, len(hits))
						for i, h := range hits {
							bonus[i] = float64(h.Chunk % 2)
						}
						return bonus
					}
				}
				got, err := m.index().Search(t.Context(), m, c, query)
				if err != nil {
					t.Fatal(err)
				}
				met := map[uint32]bool{}
				for _, h := range slices.Concat(got.Hits, got.Tail) {
					if met[h.Chunk] || allowed != nil && !allowed.Has(h.Chunk) {
						t.Fatalf("chunk %d", h.Chunk)
					}
					met[h.Chunk] = true
				}
				for _, h := range got.Hits {
					if h.Score != float64(c.score(q, h.Chunk)) {
						t.Fatalf("chunk %d has score %v", h.Chunk, h.Score)
					}
				}
				if want := c.best(q, 20, allowed); n == 2000 && !slices.Equal(got.Hits, want) {
					t.Fatalf("found %v, want %v", got.Hits, want)
				}
			}
		}
	}
}

// TestQuantizeMeasuresWalks: as many vectors as were measured find the share of the best
// that they were measured for, by scan and by walk.
func TestQuantizeMeasuresWalks(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	c := newCloud(seeded(t, 92), 1500, 24)
	m := newMemory(t, c.dim)
	m.add(seeded(t, 93), c, 0, c.size())
	queries := c.queries(seeded(t, 94), 40)
	opts := QuantizeOptions{CodeBytes: 5, Queries: slices.Concat(queries...)}
	if done := m.clone().quantize(opts); done.Measured != (Measured{}) {
		t.Errorf("without a graph there is %+v", done.Measured)
	}
	m.link(LinkOptions{linkBytes: 8})
	quantized := m.quantize(opts)
	done := quantized.Measured
	t.Logf("%+v", done)
	if !done.Walks() || done.Pull <= 0 || done.Pull >= 1 {
		t.Fatalf("%+v", done)
	}
	graph := m.graph()
	for _, way := range []Query{{Recompute: done.Scan}, {Recompute: done.Walk, Walk: Walk{Graph: graph, Pull: done.Pull}}} {
		found := 0.0
		for _, q := range queries {
			way.Vector, way.Depth, way.Batch, way.Errors = q, Wanted, RecomputeBatch, quantized.Errors
			got, err := m.index().Search(t.Context(), m, c, way)
			if err != nil {
				t.Fatal(err)
			}
			found += recall(got.Hits, c.best(q, Wanted, nil)) / float64(len(queries))
		}
		if found < targetRecall-0.005 || found > targetRecall+0.03 {
			t.Errorf("%d recomputed, pull %.1f: recall@%d %.3f", way.Recompute, way.Walk.Pull, Wanted, found)
		}
	}
}

// TestNearByLinks: beyond the sizes that are scanned, links lead to nearly the chunks
// that a scan finds best, past what is not allowed and over tombstones without codes.
func TestNearByLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	c, m, walk := walked(t, 88, 3000)
	if _, err := m.index().Vacuum(t.Context(), m, most{}, 0); err != nil {
		t.Fatal(err)
	}
	for _, allowed := range []Allowed{most{}, share(3)} {
		same, wanted, looked, scanned := 0, 0, 0, 0
		for _, q := range c.queries(seeded(t, 90), 20) {
			query := Query{Vector: q, Allowed: allowed, Walk: walk}
			want, all, err := scan(t.Context(), m, m.library(), q, 20, allowed)
			if err != nil {
				t.Fatal(err)
			}
			got, seen, err := m.index().nearByLinks(t.Context(), m, m.library(), query, 60)
			if err != nil {
				t.Fatal(err)
			}
			looked, scanned = looked+seen, scanned+all
			for _, s := range got {
				if !allowed.Has(s.node) || !(most{}).Has(s.node) {
					t.Fatalf("chunk %d", s.node)
				}
			}
			for _, s := range want {
				wanted++
				same += bitOf(slices.Contains(got, s))
			}
		}
		t.Logf("%d of %d, with %d of %d codes looked at", same, wanted, looked, scanned)
		if float64(same) < 0.95*float64(wanted) || allowed == (most{}) && float64(looked) > 0.95*float64(scanned) {
			t.Errorf("%d of %d are found by links, with %d of %d codes looked at", same, wanted, looked, scanned)
		}
	}
}

// most allows nine of ten nodes.
type most struct{}

func (most) Has(node uint32) bool { return node%10 != 3 }

// TestWalkEnds: a search that is cancelled asks for no more vectors.
func TestWalkEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	c, m, walk := walked(t, 91, 1100)
	ctx, cancel := context.WithCancel(t.Context())
	calls := &failing{c, 3, func() error { cancel(); return nil }}
	_, err := m.index().Search(ctx, m, calls, Query{Vector: c.Vector(5), Depth: 10, Recompute: 40, Batch: 4, Walk: walk})
	if err != context.Canceled || calls.n != 0 { //nolint:errorlint // it is to be the error of ctx itself
		t.Errorf("%v after %d calls too many", err, -calls.n)
	}
}

// TestSearchBeyondscanChunks: a search looks at all codes up to the size, and at few beyond.
func TestSearchBeyondScanChunks(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	rng := seeded(t, 151)
	const n = 1500
	c := newCloud(rng, n, 16)
	m := stored(t, rng, c, n)
	m.link(LinkOptions{linkBytes: 10})
	m.quantize(QuantizeOptions{CodeBytes: 8})
	graph := m.graph()
	for _, query := range c.queries(rng, 3) {
		for size, all := range map[int]bool{n: true, n - 1: false} {
			found := m.find(c, c, Query{Vector: query, Depth: 5, Recompute: 100, Batch: 10, Walk: Walk{Graph: graph, Pull: 0.2, scanChunks: size}})
			if seen := found.Stats.Seen; (seen == n) != all || recall(found.Hits, c.best(query, 5, nil)) < 0.8 {
				t.Errorf("up to %d: %d codes seen, recall %v", size, seen, recall(found.Hits, c.best(query, 5, nil)))
			}
		}
	}
}

// TestDescend: as wide as a level is, a descent finds all of it, in the order of a plain sort;
// narrower, it goes on from no more than it may, the nearest of what it met first.
func TestDescend(t *testing.T) {
	c, m, walk := walked(t, 95, 3000)
	s, b := &space{Index: m.index(), r: m, books: m.library(), blocks: map[uint32]*codeRanks{}}, newBeam(walk.Graph)
	for _, q := range c.queries(seeded(t, 96), 10) {
		p := s.probe(q)
		var all []scored
		for node := range walk.Graph.levels[1].all() {
			score, ok := p.score(node)
			if !ok {
				t.Fatalf("node %d has no code", node)
			}
			all = append(all, scored{node, score})
		}
		slices.SortFunc(all, compareScored)
		var want []uint32
		for _, s := range all {
			want = append(want, s.node)
		}
		if got := b.descend(p, 0, len(want)); len(want) < 50 || !slices.Equal(got, want) {
			t.Fatalf("%d nodes %v, want %d %v", len(got), got, len(want), want)
		}
		narrow := b.descend(p, 0, 4)
		places := make([]int, len(narrow))
		for i, node := range narrow {
			places[i] = slices.Index(want, node)
		}
		if len(narrow) != 4 || !slices.IsSorted(places) || places[0] < 0 {
			t.Errorf("from %v, places %v", narrow, places)
		}
	}
}
