package leann

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// TestSearchIsBestFirst is T-L1: recomputing all that is met, one node at a
// time, finds what Algorithm 1 finds with stored vectors.
func TestSearchIsBestFirst(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	w := newWorld(t, 71, 500)
	exact := Params{Ratio: 1, Batch: 1}
	cache := &cached{w.cloud, w.dim, map[uint32][]float32{}}
	for i, q := range w.queries {
		for _, keep := range []int{1, 10, 40} {
			for _, allowed := range []Allowed{nil, share(3)} {
				k := 1 + i%10
				exact.Keep = keep
				want := bestFirst(w.cloud, w.graph, q, k, max(k, keep), allowed)
				req := Request{Query: q, K: k, Allowed: allowed, Params: exact}
				if got := w.search(t, w.searcher(), req); !slices.Equal(got.Hits, want) {
					t.Fatalf("keep %d: found %v, want %v", keep, got.Hits, want)
				}
				s := w.searcher()
				s.Codes, s.Exact = nil, cache
				if got := w.search(t, s, req); !slices.Equal(got.Hits, want) {
					t.Fatalf("keep %d, cached: found %v, want %v", keep, got.Hits, want)
				}
			}
		}
	}
}

// TestTwoLevels is T-L4: with estimates, scores stay exact (see search), fewer
// vectors are recomputed, and recall stays near.
func TestTwoLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	w := newWorld(t, 72, 700)
	for _, keep := range []int{10, 30} {
		all, most := w.mean(t, 5, Params{Keep: keep, Ratio: 1, Batch: 1})
		t.Logf("keep %d ratio 1:    recall@5 %.3f, %.1f recomputed", keep, all, most)
		for _, ratio := range []float64{0.5, 0.2, 0.05} {
			found, recomputed := w.mean(t, 5, Params{Keep: keep, Ratio: ratio, Batch: 1, Beam: 20})
			t.Logf("keep %d ratio %.2f: recall@5 %.3f, %.1f recomputed", keep, ratio, found, recomputed)
			if recomputed > most {
				t.Errorf("keep %d ratio %.2f: %.1f vectors recomputed, without estimates %.1f", keep, ratio, recomputed, most)
			}
			if keep == 30 && found < all-0.08 {
				t.Errorf("keep %d ratio %.2f: recall %.3f, without estimates %.3f", keep, ratio, found, all)
			}
		}
	}
}

// TestBatches is T-L5.
func TestBatches(t *testing.T) {
	w := newWorld(t, 73, 700)
	for _, p := range []Params{{Keep: 20, Ratio: 1}, {Keep: 20, Ratio: 0.3, Beam: 20}} {
		p.Batch = 1
		one, few := w.mean(t, 5, p)
		t.Logf("ratio %.1f batch  1: recall@5 %.3f, %.1f recomputed", p.Ratio, one, few)
		for _, batch := range []int{4, 16} {
			p.Batch = batch
			found, recomputed := w.mean(t, 5, p)
			t.Logf("ratio %.1f batch %2d: recall@5 %.3f, %.1f recomputed", p.Ratio, batch, found, recomputed)
			if found < one-0.01 {
				t.Errorf("ratio %.1f batch %d: recall %.3f, one at a time %.3f", p.Ratio, batch, found, one)
			}
		}
	}
}

// TestFilters is T-L8: what is not allowed, as a deleted chunk is not, is
// never returned (see search), and all that is allowed is found.
func TestFilters(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	w := newWorld(t, 74, 500)
	for _, ratio := range []float64{1, 0.3} {
		for _, allowed := range []Allowed{nil, share(1), share(2), share(10), share(100), only(3), only(5000)} {
			for _, q := range w.queries[:10] {
				want := w.best(q, 10, allowed)
				got := w.search(t, w.searcher(), Request{Query: q, K: 10, Tail: 5, Allowed: allowed, Params: Params{Keep: w.size(), Ratio: ratio, Batch: 4, Beam: 20}})
				if !slices.Equal(got.Hits, want) {
					t.Fatalf("ratio %.1f, %v: found %v, want %v", ratio, allowed, got.Hits, want)
				}
				w.search(t, w.searcher(), Request{Query: q, K: 5, Tail: 5, Allowed: allowed, Params: Params{Keep: 5, Ratio: ratio, Batch: 2, Beam: 5}})
			}
		}
	}
}

// TestStale: nodes whose text has changed are passed through, never returned.
func TestStale(t *testing.T) {
	w := newWorld(t, 76, 400)
	w.stale = map[uint32]bool{}
	for _, q := range w.queries {
		for _, h := range w.best(q, 3, nil) {
			w.stale[h.Chunk] = true
		}
	}
	for _, ratio := range []float64{1, 0.3} {
		asked := 0
		for _, q := range w.queries {
			got := w.search(t, w.searcher(), Request{Query: q, K: 5, Params: Params{Keep: w.size(), Ratio: ratio, Batch: 4, Beam: 20}})
			if want := w.best(q, 5, nil); !slices.Equal(got.Hits, want) {
				t.Fatalf("ratio %.1f: found %v, want %v", ratio, got.Hits, want)
			}
			asked += got.Stats.Stale
		}
		if asked < len(w.queries)*len(w.stale) {
			t.Errorf("ratio %.1f: %d stale vectors counted, want %d for each query", ratio, asked, len(w.stale))
		}
	}
}

// TestAllStale: an index whose files have all changed finds nothing.
func TestAllStale(t *testing.T) {
	for _, n := range []int{1, 40, 200} {
		w := newWorld(t, 77, n)
		w.stale = map[uint32]bool{}
		for _, node := range w.nodes() {
			w.stale[node] = true
		}
		for _, ratio := range []float64{1, 0.3} {
			if got := w.search(t, w.searcher(), Request{Query: w.queries[0], K: 5, Params: Params{Keep: 10, Ratio: ratio, Batch: 2, Beam: 5}}); len(got.Hits) != 0 {
				t.Errorf("%d nodes, ratio %.1f: found %v", n, ratio, got.Hits)
			}
		}
	}
}

func TestSearchOfLittle(t *testing.T) {
	w := newWorld(t, 78, 1)
	q := w.queries[0]
	for _, ratio := range []float64{1, 0.3} {
		p := Params{Keep: 5, Ratio: ratio, Batch: 3, Beam: 4}
		if got := w.search(t, w.searcher(), Request{Query: q, K: 5, Params: p}); !slices.Equal(got.Hits, w.best(q, 5, nil)) {
			t.Errorf("one node: found %v", got.Hits)
		}
		if got := w.search(t, w.searcher(), Request{Query: q, K: 0, Params: p}); len(got.Hits) != 0 {
			t.Errorf("nothing wanted, found %v", got.Hits)
		}
		empty := w.searcher()
		empty.Graph = newGraph()
		if got := w.search(t, empty, Request{Query: q, K: 5, Params: p}); len(got.Hits) != 0 {
			t.Errorf("empty graph: found %v", got.Hits)
		}
		if got := w.search(t, w.searcher(), Request{Query: q, K: 5, Params: Params{Ratio: ratio}}); !slices.Equal(got.Hits, w.best(q, 5, nil)) {
			t.Errorf("no parameters: found %v", got.Hits)
		}
	}
}

// failing is an Exact that does something at its n-th call.
type failing struct {
	Exact
	n  int
	do func() error
}

func (e *failing) Vectors(ctx context.Context, nodes []uint32, dst []float32, ok []bool) error {
	if e.n--; e.n == 0 {
		if err := e.do(); err != nil {
			return err
		}
	}
	return e.Exact.Vectors(ctx, nodes, dst, ok)
}

// TestSearchEnds: a cancelled search asks for no more vectors, and an error of
// Exact is passed on.
func TestSearchEnds(t *testing.T) {
	w := newWorld(t, 79, 200)
	for _, ratio := range []float64{1, 0.3} {
		req := Request{Query: w.queries[0], K: 5, Params: Params{Keep: 50, Ratio: ratio, Batch: 1, Beam: 5}}
		for _, after := range []int{0, 1, 4} {
			ctx, cancel := context.WithCancel(t.Context())
			s := w.searcher()
			calls := &failing{w.cloud, after, func() error { cancel(); return nil }}
			s.Exact = calls
			if after == 0 {
				cancel()
			}
			if _, err := s.Search(ctx, req); err != context.Canceled { //nolint:errorlint // it is to be the error of ctx itself
				t.Errorf("ratio %.1f: cancelled in call %d: %v", ratio, after, err)
			}
			if calls.n != 0 {
				t.Errorf("ratio %.1f: cancelled in call %d, %d calls followed", ratio, after, -calls.n)
			}
			cancel()
		}
		s, gone := w.searcher(), errors.New("the model is gone")
		s.Exact = &failing{w.cloud, 3, func() error { return gone }}
		if _, err := s.Search(t.Context(), req); !errors.Is(err, gone) {
			t.Errorf("ratio %.1f: the error became %v", ratio, err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	w := newWorld(b, 80, 2000)
	s := w.searcher()
	i := 0
	for b.Loop() {
		w.search(b, s, Request{Query: w.queries[i%len(w.queries)], K: 5, Params: Params{Keep: 20, Ratio: 0.3, Beam: 20, Batch: 4}})
		i++
	}
}
