package leann

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

// quantizedCloud returns a cloud, the index of its vectors, and that index quantized.
func quantizedCloud(t testing.TB, seed uint64, n, dim int) (c *cloud, kept, quantized *memory) {
	t.Helper()
	rng := seeded(t, seed)
	c, kept = newCloud(rng, n, dim), newMemory(t, dim)
	kept.add(rng, c, 0, n)
	quantized = kept.clone()
	if done := quantized.quantize(QuantizeOptions{CodeBytes: dim / 4}); done.Chunks != n || len(quantized.runs) != 0 {
		t.Fatalf("quantized %+v, %d runs of vectors are left", done, len(quantized.runs))
	}
	return c, kept, quantized
}

// find searches and checks what holds of every search: hits are exact (T-L4),
// sorted, allowed (T-L8) and not stale (T-L7), and with the tail, which is
// sorted too and names other chunks, they are no more than were wanted.
func (m *memory) find(c *cloud, exact Exact, q Query) Found {
	m.t.Helper()
	found, err := m.index().Search(m.t.Context(), m, exact, q)
	if err != nil {
		m.t.Fatal(err)
	}
	met := map[uint32]bool{}
	for i, h := range found.Hits {
		if h.Score != float64(c.score(q.Vector, h.Chunk)) || c.stale[h.Chunk] && len(m.runs) == 0 {
			m.t.Fatalf("hit %+v, exact is %v, stale %t", h, c.score(q.Vector, h.Chunk), c.stale[h.Chunk])
		}
		if i > 0 && Better(found.Hits[i-1], h) >= 0 {
			m.t.Fatalf("hits in the order %v", found.Hits)
		}
		met[h.Chunk] = true
	}
	for i, h := range found.Tail {
		if i > 0 && found.Tail[i-1].Score < h.Score || met[h.Chunk] {
			m.t.Fatalf("hits %v, estimates in the order %v", found.Hits, found.Tail)
		}
		met[h.Chunk] = true
	}
	for chunk := range met {
		if q.Allowed != nil && !q.Allowed.Has(chunk) {
			m.t.Fatalf("chunk %d is not allowed", chunk)
		}
	}
	if len(met) > q.Depth {
		m.t.Fatalf("%d chunks, at most %d were wanted", len(met), q.Depth)
	}
	return found
}

// flat is the slow twin: it compares all vectors.
func (m *memory) flat(q []float32, k int, allowed Allowed) []Hit {
	m.t.Helper()
	hits, _, err := m.index().Flat().Search(m.t.Context(), q, k, allowed, m.Vectors)
	if err != nil {
		m.t.Fatal(err)
	}
	return hits
}

// TestQuantizedIndexIsFlat is T-L1: when all vectors are recomputed, a quantized
// index finds what comparing the stored ones finds, whatever the batch and the
// filter, and a memo changes nothing but the count.
func TestQuantizedIndexIsFlat(t *testing.T) {
	c, kept, quantized := quantizedCloud(t, 101, 1100, 12)
	filters := []Allowed{nil, evens{}, share(40), only(77), only(99999)}
	for i, vector := range c.queries(seeded(t, 102), 6) {
		for _, allowed := range filters {
			for _, depth := range []int{0, 1, 10, 5000} {
				q := Query{Vector: vector, Depth: depth, Recompute: 1100, Allowed: allowed, Batch: []int{0, 1, 7, 64, 5000}[i%5]}
				memo := &remembering{Exact: c, memo: NewMemo(1<<20, c.dim, nil)}
				want := kept.flat(vector, depth, allowed)
				for range 2 {
					found := quantized.find(c, memo, q)
					if !slices.Equal(found.Hits, want) || len(found.Tail) != 0 {
						t.Fatalf("query %d, depth %d, filter %v: hits %v and %v, want %v", i, depth, allowed, found.Hits, found.Tail, want)
					}
					if plain := quantized.find(c, c, q); plain.Stats != found.Stats || !slices.Equal(plain.Hits, found.Hits) {
						t.Fatalf("with a memo %+v, without %+v", found, plain)
					}
				}
				if memo.missed*2 != memo.asked {
					t.Fatalf("%d vectors were asked for in two equal searches, %d recomputed", memo.asked, memo.missed)
				}
			}
		}
	}
}

// remembering puts a Memo before an Exact, as searching an engine does.
type remembering struct {
	Exact
	memo          *Memo
	asked, missed int
}

func (e *remembering) Vectors(ctx context.Context, nodes []uint32, dst []float32, ok []bool) error {
	dim := len(dst) / max(len(nodes), 1)
	for i, node := range nodes {
		e.asked++
		to := dst[i*dim : (i+1)*dim]
		if ok[i] = e.memo.Get(MemoKey{Chunk: node}, to); ok[i] {
			continue
		}
		e.missed++
		if err := e.Exact.Vectors(ctx, nodes[i:i+1], to, ok[i:i+1]); err != nil {
			return err
		}
		if ok[i] {
			e.memo.Put(MemoKey{Chunk: node}, to)
		}
	}
	return nil
}

// TestBonusChoosesWhatIsRecomputed: what speaks for chunks besides their estimates decides
// which vectors are recomputed, and nothing else. Scores are the same ones.
func TestBonusChoosesWhatIsRecomputed(t *testing.T) {
	c, kept, quantized := quantizedCloud(t, 105, 1200, 12)
	for _, q := range c.queries(seeded(t, 106), 8) {
		var given []Hit
		found := quantized.find(c, c, Query{Vector: q, Depth: 40, Recompute: 10, Batch: 4, Bonus: func(hits []Hit) []float64 {
			given = slices.Clone(hits)
			bonus := make([]float64, len(hits))
			for i, h := range hits {
				bonus[i] = -2 * h.Score // the worst first
			}
			return bonus
		}})
		if len(given) != 50 || !slices.IsSortedFunc(given, Better) || found.Stats.Recomputed != 10 {
			t.Fatalf("%d estimates, %+v", len(given), found.Stats)
		}
		exact := kept.flat(q, 1200, nil)
		for _, h := range found.Hits {
			if !slices.ContainsFunc(given[40:], func(e Hit) bool { return e.Chunk == h.Chunk }) || !slices.Contains(exact, h) {
				t.Errorf("%v is not among the last ten %v, or not exact", h, given[40:])
			}
		}
		for i, h := range found.Tail {
			if h.Chunk != given[i].Chunk {
				t.Errorf("estimate %d is of chunk %d, want %d", i, h.Chunk, given[i].Chunk)
			}
		}
		if len(found.Hits) != 10 || len(found.Tail) != 30 {
			t.Errorf("%d hits and %d estimates", len(found.Hits), len(found.Tail))
		}
	}
}

// TestRecomputeFindsMore is T-L4 for the scan: every score is exact (see find),
// and no query finds less when more is recomputed.
func TestRecomputeFindsMore(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	c, kept, quantized := quantizedCloud(t, 103, 1500, 24)
	queries := c.queries(seeded(t, 104), 40)
	last, mean := make([]float64, len(queries)), 0.0
	for step, recompute := range []int{0, 3, 8, 24, 80, 1500} {
		sum := 0.0
		for i, q := range queries {
			found := quantized.find(c, c, Query{Vector: q, Depth: 10, Recompute: recompute, Batch: 16})
			if n := min(recompute, 1500); found.Stats.Recomputed != n || found.Stats.Seen != 1500 {
				t.Fatalf("stats %+v", found.Stats)
			}
			if len(found.Hits)+len(found.Tail) != 10 {
				t.Fatalf("%d hits and %d estimates", len(found.Hits), len(found.Tail))
			}
			now := recall(found.Hits, kept.flat(q, 3, nil))
			if now < last[i] {
				t.Fatalf("query %d: recall %.2f with %d recomputed, %.2f with fewer", i, now, recompute, last[i])
			}
			last[i], sum = now, sum+now
		}
		sum /= float64(len(queries))
		t.Logf("%4d recomputed: recall@3 %.3f", recompute, sum)
		if step > 0 && mean < 1 && sum <= mean {
			t.Errorf("recall %.3f with %d recomputed, no more than with fewer", sum, recompute)
		}
		mean = sum
	}
	if mean != 1 {
		t.Errorf("recall %.3f with all recomputed", mean)
	}
}

// TestFreshAndCoded: chunks with a vector and chunks with a code are found
// alike.
func TestFreshAndCoded(t *testing.T) {
	rng := seeded(t, 105)
	c := newCloud(rng, 1800, 12)
	kept, mixed := newMemory(t, 12), newMemory(t, 12)
	kept.add(rng, c, 0, 1800)
	mixed.add(rng, c, 0, 600)
	mixed.add(rng, c, 900, 1500)
	mixed.quantize(QuantizeOptions{CodeBytes: 3})
	mixed.add(rng, c, 600, 900) // in the middle of a block
	mixed.add(rng, c, 1500, 1800)
	estimated := 0
	for _, q := range c.queries(rng, 20) {
		for _, allowed := range []Allowed{nil, evens{}, share(9), below(700), without{3: true}} {
			found := mixed.find(c, c, Query{Vector: q, Depth: 12, Recompute: 1200, Allowed: allowed, Batch: 50})
			if want := kept.flat(q, 12, allowed); !slices.Equal(found.Hits, want) {
				t.Fatalf("hits %v, want %v", found.Hits, want)
			}
			// With nothing recomputed the fresh ones are still exact, and the others compete
			// with them by their estimates.
			found = mixed.find(c, c, Query{Vector: q, Depth: 12, Allowed: allowed})
			fresh, n := mixed.flat(q, 12, allowed), len(found.Hits)
			if !slices.Equal(found.Hits, fresh[:n]) || found.Stats.Recomputed != 0 {
				t.Fatalf("hits %v, want the best of the fresh ones %v", found.Hits, fresh)
			}
			estimated += len(found.Tail)
			if n < len(fresh) && (len(found.Tail) == 0 || found.Tail[len(found.Tail)-1].Score < fresh[n].Score) {
				t.Fatalf("%+v is left out for %v", fresh[n], found.Tail)
			}
		}
	}
	if estimated == 0 {
		t.Error("no chunk with a code is among the best")
	}
}

// TestFewAllowed: where no more chunks are allowed than are recomputed, the
// search is exact, however few of all they are.
func TestFewAllowed(t *testing.T) {
	c, kept, quantized := quantizedCloud(t, 106, 1300, 24)
	for _, allowed := range []Allowed{share(60), only(1299), below(24), below(0)} {
		for _, q := range c.queries(seeded(t, 107), 10) {
			found := quantized.find(c, c, Query{Vector: q, Depth: 50, Recompute: 60, Allowed: allowed, Batch: 16})
			if want := kept.flat(q, 50, allowed); !slices.Equal(found.Hits, want) || len(found.Tail) != 0 {
				t.Fatalf("filter %v: hits %v, want %v", allowed, found.Hits, want)
			}
		}
	}
}

// TestStaleCodes is T-L7: a chunk whose text is not the one that was indexed
// takes part neither as a hit nor as an estimate once that is known.
func TestStaleCodes(t *testing.T) {
	rng := seeded(t, 108)
	c, _, quantized := quantizedCloud(t, 109, 1100, 16)
	for _, q := range c.queries(rng, 20) {
		c.stale = map[uint32]bool{}
		for _, h := range c.best(q, 5, nil) {
			c.stale[h.Chunk] = true
		}
		found := quantized.find(c, c, Query{Vector: q, Depth: 10, Recompute: 1100, Batch: 16})
		if want := c.best(q, 10, nil); !slices.Equal(found.Hits, want) || found.Stats.Stale != 5 {
			t.Fatalf("hits %v, want %v; %d stale", found.Hits, want, found.Stats.Stale)
		}
	}
	c.stale = map[uint32]bool{}
	for _, node := range c.nodes() {
		c.stale[node] = true
	}
	if found := quantized.find(c, c, Query{Vector: c.Vector(0), Depth: 10, Recompute: 50, Batch: 16}); len(found.Hits) != 0 || len(found.Tail) != 10 {
		t.Errorf("nothing could be recomputed, yet %+v", found)
	}
}

// TestUnboundedQuery: any depth and any number of recomputed vectors mean all
// there are.
func TestUnboundedQuery(t *testing.T) {
	c, kept, quantized := quantizedCloud(t, 110, 1024, 8)
	q := c.queries(seeded(t, 111), 1)[0]
	all := kept.flat(q, 2000, nil)
	found := quantized.find(c, c, Query{Vector: q, Depth: math.MaxInt, Recompute: 64, Batch: 16})
	if len(found.Hits) != 64 || len(found.Tail) != 1024-64 {
		t.Errorf("%d hits and %d estimates of 1024 chunks", len(found.Hits), len(found.Tail))
	}
	found = quantized.find(c, c, Query{Vector: q, Depth: math.MaxInt, Recompute: math.MaxInt, Batch: math.MaxInt})
	if !slices.Equal(found.Hits, all) {
		t.Errorf("%d hits of 1024 chunks", len(found.Hits))
	}
	if found = newMemory(t, 8).find(c, c, Query{Vector: q, Depth: 5, Recompute: 5}); len(found.Hits)+len(found.Tail) > 0 {
		t.Errorf("an empty index gave %+v", found)
	}
}

// ending cancels a search while it recomputes.
type ending struct {
	Exact
	cancel func()
	asked  int
	err    error
}

func (e *ending) Vectors(ctx context.Context, nodes []uint32, dst []float32, ok []bool) error {
	e.asked++
	if e.cancel != nil {
		e.cancel()
	}
	return errors.Join(e.err, e.Exact.Vectors(ctx, nodes, dst, ok))
}

func TestIndexSearchEnds(t *testing.T) {
	c, _, quantized := quantizedCloud(t, 112, 1024, 8)
	q := Query{Vector: c.Vector(1), Depth: 10, Recompute: 64, Batch: 16}
	ctx, cancel := context.WithCancel(t.Context())
	e := &ending{Exact: c, cancel: cancel}
	if _, err := quantized.index().Search(ctx, quantized, e, q); !errors.Is(err, context.Canceled) || e.asked != 1 {
		t.Errorf("cancelled while recomputing: %v after %d batches", err, e.asked)
	}
	if _, err := quantized.index().Search(ctx, quantized, e, q); !errors.Is(err, context.Canceled) || e.asked != 1 {
		t.Errorf("cancelled before: %v after %d batches", err, e.asked)
	}
	broken := errors.New("the embedder broke")
	if _, err := quantized.index().Search(t.Context(), quantized, &ending{Exact: c, err: broken}, q); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	q.Vector = q.Vector[:7]
	if _, err := quantized.index().Search(t.Context(), quantized, c, q); err == nil {
		t.Error("a query of the wrong dimension was taken")
	}
	q.Vector = c.Vector(1)
	quantized.blocks[CodeRuns][0] = quantized.blocks[CodeRuns][0][:100]
	if _, err := quantized.index().Search(t.Context(), quantized, c, q); !errors.Is(err, errCodes) {
		t.Errorf("a torn block gave %v", err)
	}
}
