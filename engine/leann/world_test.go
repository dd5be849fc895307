package leann

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// bestFirst is the slow twin of an exact search (LEANN's Algorithm 1 below
// HNSW's descent): plain slices that are sorted at every step, and vectors
// that are simply there.
func bestFirst(c *cloud, g *Graph, q []float32, k, keep int, allowed Allowed) []Hit {
	at := scored{g.entry(), c.score(q, g.entry())}
	for level := g.top(); level > 0; level-- {
		for {
			next := at
			for _, x := range g.levels[level].neighbours(at.node) {
				if s := (scored{x, c.score(q, x)}); s.before(next) {
					next = s
				}
			}
			if next == at {
				break
			}
			at = next
		}
	}
	visited := map[uint32]bool{at.node: true}
	candidates := []scored{at}
	var results []scored
	if allowed == nil || allowed.Has(at.node) {
		results = []scored{at}
	}
	for len(candidates) > 0 {
		slices.SortFunc(candidates, compareScored)
		at, candidates = candidates[0], candidates[1:]
		if len(results) >= keep && results[len(results)-1].before(at) {
			break
		}
		for _, x := range g.levels[0].neighbours(at.node) {
			if visited[x] {
				continue
			}
			visited[x] = true
			s := scored{x, c.score(q, x)}
			candidates = append(candidates, s)
			if allowed == nil || allowed.Has(x) {
				results = append(results, s)
			}
		}
		slices.SortFunc(results, compareScored)
		results = results[:min(keep, len(results))]
	}
	var hits []Hit
	for _, s := range results[:min(k, len(results))] {
		hits = append(hits, Hit{s.node, float64(s.score)})
	}
	return hits
}

// cached is an Exact that remembers what it was asked, as a hub cache does.
type cached struct {
	Exact
	dim  int
	kept map[uint32][]float32
}

func (e *cached) Vectors(ctx context.Context, nodes []uint32, dst []float32, ok []bool) error {
	for i, node := range nodes {
		to := dst[i*e.dim : (i+1)*e.dim]
		if v, known := e.kept[node]; known {
			copy(to, v)
			ok[i] = true
			continue
		}
		if err := e.Exact.Vectors(ctx, nodes[i:i+1], to, ok[i:i+1]); err != nil {
			return err
		}
		if ok[i] {
			e.kept[node] = slices.Clone(to)
		}
	}
	return nil
}

// share allows about every n-th node.
type share uint32

func (s share) Has(node uint32) bool { return node*2654435761>>7%uint32(s) == 0 }

// only allows one node.
type only uint32

func (o only) Has(node uint32) bool { return node == uint32(o) }

// world is what searches are tested on.
type world struct {
	*cloud
	rng     *rand.Rand
	graph   *Graph
	codes   *Codes
	queries [][]float32
}

func newWorld(t testing.TB, seed uint64, n int) *world {
	t.Helper()
	rng := seeded(t, seed)
	w := &world{cloud: newCloud(rng, n, 24), rng: rng}
	w.graph = w.cloud.graph(t, 10)
	w.codes = w.cloud.codes(t, 12)
	w.queries = w.cloud.queries(rng, 40)
	return w
}

func (w *world) searcher() *Searcher {
	return &Searcher{Graph: w.graph, Codes: w.codes, Exact: w.cloud, Dot: plainDot{}}
}

// search searches and checks what holds of every search: hits are exact,
// sorted, allowed, not stale and at most K.
func (w *world) search(t testing.TB, s *Searcher, req Request) Found {
	t.Helper()
	found, err := s.Search(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Hits) > req.K || len(found.Tail) > req.Tail {
		t.Fatalf("%d hits and %d more, want at most %d and %d", len(found.Hits), len(found.Tail), req.K, req.Tail)
	}
	met := map[uint32]bool{}
	for i, h := range found.Hits {
		if h.Score != float64(w.score(req.Query, h.Chunk)) {
			t.Fatalf("node %d has score %v, want %v", h.Chunk, h.Score, w.score(req.Query, h.Chunk))
		}
		if i > 0 && better(found.Hits[i-1], h) >= 0 {
			t.Fatalf("hits in the order %v", found.Hits)
		}
		if w.stale[h.Chunk] {
			t.Fatalf("node %d is stale", h.Chunk)
		}
		met[h.Chunk] = true
	}
	for i, h := range found.Tail {
		if i > 0 && better(found.Tail[i-1], h) >= 0 || met[h.Chunk] {
			t.Fatalf("hits %v, estimates in the order %v", found.Hits, found.Tail)
		}
	}
	for _, h := range slices.Concat(found.Hits, found.Tail) {
		if req.Allowed != nil && !req.Allowed.Has(h.Chunk) {
			t.Fatalf("node %d is not allowed", h.Chunk)
		}
	}
	return found
}

// mean searches with all queries and returns the recall of the best k and the
// vectors recomputed for each.
func (w *world) mean(t testing.TB, k int, p Params) (found, recomputed float64) {
	t.Helper()
	s := w.searcher()
	for _, q := range w.queries {
		got := w.search(t, s, Request{Query: q, K: k, Params: p})
		found += recall(got.Hits, w.best(q, k, nil))
		recomputed += float64(got.Stats.Recomputed)
	}
	n := float64(len(w.queries))
	return found / n, recomputed / n
}
