package leann

import (
	"cmp"
	"context"
)

// Walk says how a search uses the graph; the zero Walk is a scan.
type Walk struct {
	Graph *Graph // nil: candidates come in the order of their estimates
	// Pull is how far an estimate is moved towards a better exact score of a chunk that
	// a link leads to, from 0 to 1.
	Pull float32
	// ScanChunks is the size up to which all codes are scanned; 0 stands for UsualScan.
	ScanChunks int
	// Margin stands in for that of the error model; 0: it does not.
	Margin float64
}

const (
	// walkWidth is how many chunks a walk looks at, at least: those of the best estimates.
	walkWidth = 512

	// UsualScan is up to how many chunks a scan of all codes takes no longer than one
	// recomputed vector, at 20 million codes a second and 26 ms a vector, of machines between
	// those of ten years ago and of now. It follows from no measurement of the machine at hand:
	// a walk finds a little less than a scan, and equal searches would rank otherwise whenever
	// the machine is busy.
	UsualScan = 1 << 19
)

// Scans reports whether a search of an index of n chunks scans all codes.
func (w Walk) Scans(n int) bool { return n <= cmp.Or(w.ScanChunks, UsualScan) }

// near returns the chunks of the best estimates, at least n of them where there are as
// many, and how many codes were looked at: LEANN's first queue. Up to Walk.ScanChunks they
// are found by a scan, beyond by links, from the upper levels down.
func (x Index) near(ctx context.Context, r Reader, q Query, n int) ([]scored, int, error) {
	books, err := readLibrary(r)
	if err != nil {
		return nil, 0, err
	}
	if q.Walk.Graph != nil {
		n = max(n, walkWidth)
		if !q.Walk.Scans(q.Walk.Graph.Nodes()) {
			near, seen, err := x.nearByLinks(ctx, r, books, q, n)
			if err != nil || len(near) == n { // few are left by a filter that is strict
				return near, seen, err
			}
		}
	}
	return scan(ctx, r, books, q.Vector, n, q.Allowed)
}

// nearByLinks walks the graph by estimates alone, passing through what is not allowed.
func (x Index) nearByLinks(ctx context.Context, r Reader, books library, q Query, n int) (near []scored, seen int, err error) {
	s := &space{Index: x, r: r, books: books, blocks: map[uint32]*codeRanks{}}
	p, b := s.probe(q.Vector), newBeam(q.Walk.Graph)
	near = b.search(p, b.descend(p, 0), 0, n, func(node uint32) bool {
		seen++
		return q.Allowed == nil || q.Allowed.Has(node)
	})
	if s.err != nil {
		return nil, seen, s.err
	}
	return near, seen, ctx.Err()
}

// walk is the second queue of a search, by exact scores (LEANN's Algorithm 2): what it
// has found exactly decides what of the first queue is recomputed next. A chunk is as
// good as its estimate says, and better if it is linked to one that is.
type walk struct {
	Walk
	estimates map[uint32]float32 // of the first queue
	pulled    map[uint32]float32 // by chunk, the best exact score that a link leads to
}

func newWalk(w Walk, near []candidate) *walk {
	k := &walk{w, make(map[uint32]float32, len(near)), map[uint32]float32{}}
	for _, c := range near {
		k.estimates[c.node] = c.score
	}
	return k
}

// learn takes exact scores.
func (w *walk) learn(exact []scored) {
	for _, s := range exact {
		for x := range w.Graph.levels[0].each(s.node) {
			if best, known := w.pulled[x]; !known || s.score > best {
				w.pulled[x] = s.score
			}
		}
	}
}

// order sorts what is left of the first queue, most promising first, by estimates that
// are moved by what was learned.
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

// walk returns what puts the first queue in order before each batch.
func (s *Scanned) walk(r *recomputation) func(left []candidate) {
	k, learned := newWalk(s.query.Walk, s.near), 0
	return func(left []candidate) {
		k.learn(r.hits[learned:])
		learned = len(r.hits)
		k.order(left)
	}
}
