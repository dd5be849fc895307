package leann

import (
	"maps"
	"math"
	"slices"

	"dowse/engine/internal/topk"
)

// Wanted is how many of the best chunks a search is to find before it ends, and
// targetRecall the share of them that the margin is chosen for. Ten would cost twice as
// much as three; with three, sentences of the files themselves turn out so easy that what
// follows is found worse than need be (of 4,922 pages of documentation, nDCG@10 was .437
// with three, .444 with five and .442 by exact scan).
const (
	Wanted       = 5
	targetRecall = 0.90
)

// MaxRecompute is how many vectors a search recomputes at most: more would keep people
// waiting. maxMean bounds the mean, where estimates are so poor that the target is too far.
const (
	MaxRecompute = 160
	maxMean      = 80
)

// Margins that are tried. The least one keeps what is chosen from hanging on the queries
// that happened to be measured.
const (
	minMargin  = 2.0
	maxMargin  = 3.5
	marginStep = 0.1
)

// RecomputeBatch is how many vectors a search recomputes between two looks at whether it
// may end: enough for the cores of most machines, and few that were not needed.
const RecomputeBatch = 8

// probed is a query whose exact scores are known.
type probed struct {
	near  []scored  // estimates, best first, as many as a walk looks at
	exact []float32 // of near; NaN where the vector is not stored any more
	best  *topk.Top[Hit]
}

// recomputed returns the part of a probe that a scan may recompute.
func (p probed) recomputed() probed {
	n := min(MaxRecompute, len(p.near))
	p.near, p.exact = p.near[:n], p.exact[:n]
	return p
}

// measure learns how estimates err and what searches need: it ranks all codes for each
// query and compares estimates with exact scores.
func (s *quantizing) measure(queries []float32) error {
	all, err := s.encode(math.MaxInt)
	if err != nil {
		return err
	}
	probes, err := s.probe(queries, codedReader{s.r, all.blocks})
	if err != nil {
		return err
	}
	graph, err := ReadGraph(s.r)
	if err != nil {
		return err
	}
	s.done.Errors, s.done.Measured = calibrate(probes, graph)
	return nil
}

// calibrate learns the error model from probes, and where there is a graph, what walks
// need. A scan and a walk recompute in another order, so that each has a margin of its own.
func calibrate(probes []probed, graph *Graph) (m ErrorModel, measured Measured) {
	scanned := make([]probed, len(probes))
	for i, p := range probes {
		scanned[i] = p.recomputed()
	}
	m = fitErrors(scanned)
	m.Margin = leastMargin(scanned, m, Walk{})
	if graph != nil {
		measured = measureWalks(probes, m, graph)
		measured.Margin = leastMargin(probes, m, Walk{Graph: graph, Pull: measured.Pull})
	}
	return m, measured
}

// leastMargin returns the least margin with which searches find enough of the truly best.
func leastMargin(probes []probed, m ErrorModel, walk Walk) float64 {
	for m.Margin = minMargin; m.Margin < maxMargin; m.Margin += marginStep {
		recall, mean := tryMargin(probes, m, walk)
		if mean > maxMean && m.Margin > minMargin {
			return m.Margin - marginStep
		}
		if recall >= targetRecall {
			break
		}
	}
	return m.Margin
}

// probe finds estimates and exact scores for queries, in one pass over the vectors.
func (s *quantizing) probe(queries []float32, coded Reader) ([]probed, error) {
	probes := make([]probed, len(queries)/s.Dim)
	type place struct{ probe, rank int }
	places := map[uint32][]place{}
	for i := range probes {
		near, _, err := scan(s.ctx, coded, s.books, queries[i*s.Dim:(i+1)*s.Dim], walkWidth, s.live)
		if err != nil {
			return nil, err
		}
		probes[i] = probed{near: near, exact: make([]float32, len(near)), best: topk.New(Wanted, better)}
		for rank, c := range near {
			probes[i].exact[rank] = float32(math.NaN())
			places[c.node] = append(places[c.node], place{i, rank})
		}
	}
	var scores []float32 // [probes, vectors of a run]
	err := s.r.Vectors(func(first uint32, raw []byte) error {
		n := len(raw) / (4 * s.Dim)
		scores = slices.Grow(scores[:0], n*len(probes))[:n*len(probes)]
		for p := range probes {
			s.Dot.DotMany(scores[p*n:(p+1)*n], queries[p*s.Dim:(p+1)*s.Dim], raw)
		}
		for i := range n {
			id := first + uint32(i)
			if s.live != nil && !s.live.Has(id) {
				continue
			}
			for p := range probes {
				probes[p].best.Offer(Hit{id, float64(scores[p*n+i])})
			}
			for _, at := range places[id] {
				probes[at.probe].exact[at.rank] = scores[at.probe*n+i]
			}
		}
		return s.ctx.Err()
	})
	return probes, err
}

// codedReader is an index as if blocks of codes were written already.
type codedReader struct {
	Reader
	blocks map[uint32][]byte
}

// EachBlock implements Reader.
func (c codedReader) EachBlock(part Part, f func(key uint32, value []byte) error) error {
	if part != CodeRuns {
		return c.Reader.EachBlock(part, f)
	}
	err := c.Reader.EachBlock(part, func(key uint32, value []byte) error {
		if c.blocks[key] != nil {
			return nil // below
		}
		return f(key, value)
	})
	for _, key := range slices.Sorted(maps.Keys(c.blocks)) {
		if err == nil {
			err = f(key, c.blocks[key])
		}
	}
	return err
}

// fitErrors fits the line of exact scores over estimates by least squares.
func fitErrors(probes []probed) ErrorModel {
	var n, x, y, xx, xy, yy float64
	for _, p := range probes {
		for i, c := range p.near {
			estimate, exact := float64(c.score), float64(p.exact[i])
			if math.IsNaN(exact) {
				continue
			}
			n, x, y = n+1, x+estimate, y+exact
			xx, xy, yy = xx+estimate*estimate, xy+estimate*exact, yy+exact*exact
		}
	}
	if n == 0 {
		return ErrorModel{Slope: 1}
	}
	xx, xy, yy = xx-x*x/n, xy-x*y/n, yy-y*y/n // about the means
	m := ErrorModel{Slope: 1}
	if xx > 1e-9 {
		m.Slope = min(max(xy/xx, minSlope), maxSlope)
	}
	m.Intercept = (y - m.Slope*x) / n
	m.Deviation = math.Sqrt(max(yy-2*m.Slope*xy+m.Slope*m.Slope*xx, 0) / n)
	return m
}

// Bounds of what is taken for a slope.
const (
	minSlope = 0.1
	maxSlope = 2
)

// tryMargin returns the recall of the best at the margin of a model, and how many vectors
// a search recomputes for it in the mean.
func tryMargin(probes []probed, m ErrorModel, walk Walk) (recall, mean float64) {
	found, best := 0, 0
	for _, p := range probes {
		taken := p.replay(stopRule{model: m, wanted: Wanted}, walk, MaxRecompute)
		for _, h := range p.best.Sorted() {
			best++
			if slices.Contains(taken, h.Chunk) {
				found++
			}
		}
		mean += float64(len(taken)) / float64(len(probes))
	}
	return float64(found) / float64(max(best, 1)), mean
}
