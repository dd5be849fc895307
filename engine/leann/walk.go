package leann

import (
	"cmp"
	"context"
)

// Walk says how a search uses the graph; the zero Walk is a scan.
type Walk struct {
	Graph *Graph // nil: candidates come in the order of their estimates
	// Pull is the share, from 0 to 1, by which an estimate moves towards a better exact
	// score of a linked chunk.
	Pull float32
	// Margin replaces that of the error model unless it is 0.
	Margin float64

	scanChunks int // most chunks whose codes are all scanned; 0: usualScan
}

const (
	// walkWidth is the least number of best estimates that a walk looks at.
	walkWidth = 512
	// upperWidth is how many of the best estimates on each upper level a walk goes on from.
	upperWidth = 256

	// usualScan is the number of chunks up to which scanning all codes takes no longer than
	// recomputing one vector, at 45 million codes a second and 26 ms a vector, as machines of
	// the last ten years have. It is not measured on the machine at hand: a walk finds
	// less than a scan, and equal searches would rank differently whenever the machine is busy.
	usualScan = 1 << 20
)

// Scans reports whether a search of an index of n chunks scans all codes.
func (w Walk) Scans(n int) bool { return n <= cmp.Or(w.scanChunks, usualScan) }

// near returns the chunks of the best estimates, at least n where there are as many, and
// how many codes were compared: LEANN's first queue. Small indexes are scanned, larger
// ones walked by links from the upper levels down.
func (x Index) near(ctx context.Context, r Reader, q Query, n int) ([]scored, int, error) {
	books, err := readLibrary(r)
	if err != nil {
		return nil, 0, err
	}
	if q.Walk.Graph != nil {
		n = max(n, walkWidth)
		if !q.Walk.Scans(q.Walk.Graph.Nodes()) {
			near, seen, err := x.nearByLinks(ctx, r, books, q, n)
			if err != nil || len(near) == n { // else a strict filter left few
				return near, seen, err
			}
		}
	}
	return scan(ctx, r, books, q.Vector, n, q.Allowed)
}

// nearByLinks walks the graph by estimates alone. Chunks that are not allowed lead on.
func (x Index) nearByLinks(ctx context.Context, r Reader, books library, q Query, n int) (near []scored, seen int, err error) {
	s := &space{Index: x, r: r, books: books, blocks: map[uint32]*codeRanks{}}
	p, b := s.probe(q.Vector), newBeam(q.Walk.Graph)
	near = b.search(p, b.descend(p, 0, upperWidth), 0, n, func(node uint32) bool {
		seen++
		return q.Allowed == nil || q.Allowed.Has(node)
	})
	if s.err != nil {
		return nil, seen, s.err
	}
	return near, seen, ctx.Err()
}

// walk is the second queue of a search, by exact scores (LEANN's Algorithm 2). It decides
// which chunk of the first queue is recomputed next: a chunk ranks by its estimate, and
// higher if it is linked to one with a better exact score.
type walk struct {
	Walk
	estimates map[uint32]float32 // of the first queue
	pulled    map[uint32]float32 // by chunk, the best exact score of its linked chunks
}

func newWalk(w Walk, near []candidate) *walk {
	k := &walk{w, make(map[uint32]float32, len(near)), map[uint32]float32{}}
	for _, c := range near {
		k.estimates[c.node] = c.score
	}
	return k
}

// learn notes exact scores for the chunks linked to them.
func (w *walk) learn(exact []scored) {
	for _, s := range exact {
		for x := range w.Graph.levels[0].each(s.node) {
			if best, known := w.pulled[x]; !known || s.score > best {
				w.pulled[x] = s.score
			}
		}
	}
}

// order sorts the rest of the first queue, most promising first, by pulled estimates.
func (w *walk) order(left []candidate) {
	for i, c := range left {
		estimate := w.estimates[c.node]
		if best, known := w.pulled[c.node]; known && best > estimate {
			estimate += w.Pull * (best - estimate)
		}
		left[i].score = estimate
	}
	sortByRank(left)
}

// walk returns a function that orders the first queue before each batch.
func (s *Scanned) walk(r *recomputation) func(left []candidate) {
	k, learned := newWalk(s.query.Walk, s.near), 0
	return func(left []candidate) {
		k.learn(r.hits[learned:])
		learned = len(r.hits)
		k.order(left)
	}
}
