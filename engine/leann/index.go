package leann

import (
	"context"
	"math"
	"slices"
)

// Exact gives exact vectors of chunks, as a rule by embedding their text again.
type Exact interface {
	// Vectors writes the vector of chunks[i] to dst[i*dim:] and sets ok[i], or
	// clears ok[i] when the text is no longer the one that was indexed.
	Vectors(ctx context.Context, chunks []uint32, dst []float32, ok []bool) error
}

// Stats count the work of a search.
type Stats struct {
	Fresh      int // stored vectors compared
	Seen       int // codes compared
	Recomputed int // vectors asked of Exact
	Stale      int // recomputed vectors whose text had changed
}

// Found is the outcome of a search.
type Found struct {
	Hits  []Hit // exact scores, best first
	Tail  []Hit // chunks that were not recomputed, by estimated score
	Stats Stats
}

// Index searches a stored index. It holds no part of it: everything comes from the
// Reader, so one Index serves every state of the store.
type Index struct {
	Dim int
	Dot Dotter
	// Rotate is the least number of chunks for which a codebook has a rotation; 0: 65,536.
	Rotate int
}

// Flat returns the scan of stored vectors.
func (x Index) Flat() Flat { return Flat{x.Dim, x.Dot} }

// Query is one search of an Index.
type Query struct {
	Vector    []float32
	Depth     int // results wanted; estimates fill the places behind the exact ones
	Recompute int // most vectors to recompute
	Wanted    int // stop once this many are found, as Errors tells; 0: recompute all of Recompute
	Errors    ErrorModel
	Allowed   Allowed // nil admits every chunk that has a code or a vector, dead ones too
	Batch     int     // vectors recomputed at a time
	Walk      Walk    // over the graph
	// Rough are chunks that have neither a code nor a vector, with the scores that these are expected to have, best
	// first. They are recomputed as others are.
	Rough []Hit
	// Bonus returns what to add to the score of each hit, exact or estimated; nil: nothing.
	// A search that ranks by more than vectors recomputes those that decide its own ranking.
	Bonus func(hits []Hit) []float64
}

// Search finds the chunks nearest to a query. Fresh chunks are compared exactly. All codes
// are scanned, and vectors are recomputed, of the most promising chunk first, until the
// Wanted best or Recompute vectors are found (LEANN's Algorithm 2, with the whole index as
// its first approximate queue). The search is exact where Wanted is 0 and at most
// Recompute chunks are allowed.
//
// Hits are exact. Tail are the next best by estimate, corrected by the mean error of this
// query's estimates, so some may score above the last of Hits. Both together are at most Depth.
func (x Index) Search(ctx context.Context, r Reader, exact Exact, q Query) (Found, error) {
	s, err := x.Scan(ctx, r, q)
	if err != nil {
		return Found{}, err
	}
	return s.Recompute(ctx, exact)
}

// Scanned is a search that has read all it needs of the stored index. It keeps no
// reference to the Reader.
type Scanned struct {
	query Query
	dot   Dotter
	rule  stopRule
	hits  []scored    // fresh chunks, exact
	near  []candidate // the best estimates, most promising first
	stats Stats
}

// Scan is the first half of Search: it reads the stored index, compares fresh vectors,
// scans codes and puts the chunks to recompute in order.
func (x Index) Scan(ctx context.Context, r Reader, q Query) (*Scanned, error) {
	fresh, compared, err := x.Flat().Search(ctx, q.Vector, q.Depth, q.Allowed, r.Vectors)
	if err != nil {
		return nil, err
	}
	near, codes, err := x.near(ctx, r, q, q.Recompute+min(q.Depth, math.MaxInt-q.Recompute))
	if err != nil {
		return nil, err
	}
	return q.scanned(x.Dot, fresh, near, Stats{Fresh: compared, Seen: codes}), nil
}

// scanned makes a search of fresh chunks and estimates, both best first.
func (q Query) scanned(dot Dotter, fresh []Hit, near []scored, stats Stats) *Scanned {
	if q.Walk.Graph != nil && q.Walk.Margin > 0 {
		q.Errors.Margin = q.Walk.Margin
	}
	s := &Scanned{query: q, dot: dot, stats: stats, rule: stopRule{model: q.Errors, wanted: q.Wanted}}
	hits := slices.Clone(fresh)
	for i, c := range near {
		near[i].score = q.Errors.expected(c.score)
	}
	for _, h := range q.Rough {
		near = append(near, scored{h.Chunk, float32(h.Score)})
	}
	for _, c := range near {
		hits = append(hits, Hit{c.node, float64(c.score)})
	}
	bonus := make([]float64, len(hits))
	if q.Bonus != nil && q.Recompute > 0 && len(near) > 0 {
		copy(bonus, q.Bonus(hits))
	}
	for i, h := range fresh {
		s.hits = append(s.hits, scored{h.Chunk, float32(h.Score)})
		s.rule.rank(float32(h.Score + bonus[i]))
	}
	s.near = make([]candidate, len(near))
	for i, c := range near {
		s.near[i] = candidate{c, float32(bonus[len(fresh)+i])}
	}
	sortByRank(s.near)
	return s
}

// estimates returns the estimates of candidates, best first.
func estimates(left []candidate) []scored {
	list := make([]scored, len(left))
	for i, c := range left {
		list[i] = c.scored
	}
	slices.SortFunc(list, compareScored)
	return list
}

// Chunks returns the chunks that Recompute may ask for or return.
func (s *Scanned) Chunks() []uint32 {
	chunks := make([]uint32, 0, len(s.hits)+len(s.near))
	for _, c := range s.near {
		chunks = append(chunks, c.node)
	}
	for _, c := range s.hits {
		chunks = append(chunks, c.node)
	}
	return chunks
}

// Recompute is the second half of Search. It does not read the stored index and may be
// called once.
func (s *Scanned) Recompute(ctx context.Context, exact Exact) (Found, error) {
	found, q := Found{Stats: s.stats}, s.query
	w := recomputation{query: q.Vector, batch: max(q.Batch, 1), exact: exact, dot: s.dot, stats: &found.Stats, hits: s.hits, rule: s.rule}
	if q.Walk.Graph != nil {
		w.next = s.walk(&w)
	}
	left, err := w.run(ctx, s.near, q.Recompute)
	if err != nil {
		return Found{}, err
	}
	slices.SortFunc(w.hits, compareScored)
	tail, shift := estimates(left), float32(w.rule.errors.mean())
	hits := min(q.Depth, len(w.hits))
	if q.Recompute == 0 { // no exact scores: fresh chunks and estimates compete
		hits = sharedPlaces(w.hits[:hits], tail, q.Depth)
	}
	for _, s := range w.hits[:hits] {
		found.Hits = append(found.Hits, Hit{s.node, float64(s.score)})
	}
	for _, s := range tail[:min(q.Depth-hits, len(tail))] {
		found.Tail = append(found.Tail, Hit{s.node, float64(s.score + shift)})
	}
	return found, nil
}

// sharedPlaces returns how many of depth places go to hits when estimates, best first like
// them, compete for these by score.
func sharedPlaces(hits, estimates []scored, depth int) int {
	n := 0
	for n < len(hits) && n < depth {
		if other := depth - n - 1; other < len(estimates) && estimates[other].before(hits[n]) {
			break // the estimates up to this one are better
		}
		n++
	}
	return n
}
