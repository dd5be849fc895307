package leann

import (
	"context"
	"math"
	"slices"
)

// Exact gives the exact vectors of chunks, as a rule by embedding their text
// again.
type Exact interface {
	// Vectors writes the vector of chunks[i] to dst[i*dim:] and sets ok[i], or
	// clears ok[i] when the text is not the one that was indexed any more.
	Vectors(ctx context.Context, chunks []uint32, dst []float32, ok []bool) error
}

// Stats count the work of a search.
type Stats struct {
	Fresh      int // stored vectors compared
	Seen       int // codes compared
	Recomputed int // vectors asked of Exact
	Stale      int // of those, the ones it could not give
	Batches    int
}

// Found is the outcome of a search.
type Found struct {
	Hits  []Hit // exact scores, best first
	Tail  []Hit // chunks that were not recomputed, by estimated score
	Stats Stats
}

// Index searches a stored index. It holds nothing of it: all comes from the
// Reader, so that one Index serves every state of the store.
type Index struct {
	Dim int
	Dot Dotter
}

// Query is what is searched for in an Index.
type Query struct {
	Vector    []float32
	Depth     int     // results wanted; those beyond the exact ones are estimates
	Recompute int     // codes whose vectors are recomputed
	Allowed   Allowed // nil admits every chunk that has a code or a vector, dead ones too
	Batch     int     // vectors recomputed at a time
	Walk      Walk    // over the graph
	// Order puts estimated chunks, given best first, in the order in which their
	// vectors are to be recomputed; chunks that were not given, or twice, are
	// passed over. nil leaves them as they are. A search that ranks by more than
	// vectors spends them where its own ranking is decided.
	Order func(estimated []Hit) []uint32
}

// Search finds the chunks nearest to a query. Fresh chunks are compared
// exactly. Of the others all codes are scanned, and the vectors of the Recompute
// most promising chunks are recomputed (LEANN's Algorithm 2, with all of the
// index as its first approximate queue). Where Recompute or fewer chunks are
// allowed, the search is exact.
//
// Hits are exact. Tail are the next best by estimate, with the scores that
// estimates like theirs turned out to have; some may be above the last of
// Hits. They are at most Depth together.
func (x Index) Search(ctx context.Context, r Reader, exact Exact, q Query) (Found, error) {
	s, err := x.Scan(ctx, r, q)
	if err != nil {
		return Found{}, err
	}
	return s.Recompute(ctx, exact)
}

// Scanned is a search that has read what it needs of the stored index. It
// holds nothing of the Reader.
type Scanned struct {
	query  Query
	dot    Dotter
	hits   []scored // fresh chunks, exact
	chosen []scored // to be recomputed, most urgent first
	others []scored // estimates that stay, best first
	stats  Stats
}

// Scan is the first half of Search, all that reads the stored index: fresh
// vectors are compared, codes scanned, and the chunks to recompute chosen.
func (x Index) Scan(ctx context.Context, r Reader, q Query) (*Scanned, error) {
	fresh, compared, err := Flat(x).Search(ctx, q.Vector, q.Depth, q.Allowed, r.Vectors)
	if err != nil {
		return nil, err
	}
	near, codes, err := x.near(ctx, r, q, q.Recompute+min(q.Depth, math.MaxInt-q.Recompute))
	if err != nil {
		return nil, err
	}
	s := &Scanned{query: q, dot: x.Dot, stats: Stats{Fresh: compared, Seen: codes}}
	for _, h := range fresh {
		s.hits = append(s.hits, scored{h.Chunk, float32(h.Score)})
	}
	s.chosen, s.others = q.choose(near)
	return s, nil
}

// Chunks returns those that Recompute will ask for and those that it may return.
func (s *Scanned) Chunks() []uint32 {
	chunks := make([]uint32, 0, len(s.hits)+len(s.chosen)+len(s.others))
	for _, list := range [][]scored{s.chosen, s.hits, s.others} {
		for _, c := range list {
			chunks = append(chunks, c.node)
		}
	}
	return chunks
}

// Recompute is the second half of Search: it asks exact for vectors, and
// needs the stored index no more. It may be called once.
func (s *Scanned) Recompute(ctx context.Context, exact Exact) (Found, error) {
	found, q := Found{Stats: s.stats}, s.query
	w := recomputation{query: q.Vector, batch: max(q.Batch, 1), exact: exact, dot: s.dot, stats: &found.Stats, hits: s.hits}
	if q.Walk.Graph != nil {
		w.next = s.walk(&w)
	}
	others, err := w.run(ctx, slices.Concat(s.chosen, s.others), len(s.chosen))
	if err != nil {
		return Found{}, err
	}
	slices.SortFunc(others, compareScored)
	slices.SortFunc(w.hits, compareScored)
	for _, s := range w.hits[:min(q.Depth, len(w.hits))] {
		found.Hits = append(found.Hits, Hit{s.node, float64(s.score)})
	}
	for _, s := range others[:min(q.Depth-len(found.Hits), len(others))] {
		found.Tail = append(found.Tail, Hit{s.node, w.line.at(float64(s.score))})
	}
	return found, nil
}

// choose divides estimated chunks into those to recompute, most urgent first,
// and the others, best first.
func (q Query) choose(near []scored) (chosen, others []scored) {
	n := min(q.Recompute, len(near))
	if q.Order == nil || n == 0 || n == len(near) {
		return near[:n], near[n:]
	}
	hits := make([]Hit, len(near))
	at := make(map[uint32]scored, len(near))
	for i, s := range near {
		hits[i], at[s.node] = Hit{s.node, float64(s.score)}, s
	}
	for _, chunk := range q.Order(hits) {
		s, ok := at[chunk]
		if ok && len(chosen) < n {
			chosen = append(chosen, s)
			delete(at, chunk)
		}
	}
	for _, s := range near {
		if _, left := at[s.node]; left {
			others = append(others, s)
		}
	}
	return chosen, others
}
