package leann

import (
	"maps"
	"math"
	"slices"

	"dowse/engine/internal/topk"
)

// Wanted is how many of the best chunks a search looks for, and targetRecall the share of
// them for which the margin is chosen. Ten would cost twice as much as three. With three,
// questions made of the files' own sentences are so easy that ranks below are found worse
// than need be: on 4,922 pages of documentation nDCG@10 was .437 with three, .444 with five
// and .442 by exact scan.
const (
	Wanted       = 5
	targetRecall = 0.90
)

// MaxRecompute is the most vectors that a search recomputes, to stay interactive. maxMean
// bounds the mean where estimates are too poor for the target.
const (
	MaxRecompute = 160
	maxMean      = 80
)

// Margins that are tried. The lower bound limits overfitting to the measured queries.
const (
	minMargin  = 2.0
	maxMargin  = 3.5
	marginStep = 0.1
)

// RecomputeBatch is how many vectors are recomputed between checks of the stop rule: enough
// for the cores of most machines, and few wasted ones.
const RecomputeBatch = 8

// probed is a query with known exact scores.
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

// measure learns the errors of estimates and the cost of searches: it scores all codes for
// each query and compares estimates with exact scores.
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

// calibrate fits the error model to probes and measures walks if there is a graph. Scans and
// walks recompute in different orders, so each has its own margin.
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

// leastMargin returns the least margin with which searches reach targetRecall.
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

// probe collects estimates and exact scores for queries in one pass over the vectors.
func (s *quantizing) probe(queries []float32, coded Reader) ([]probed, error) {
	probes := make([]probed, len(queries)/s.Dim)
	type place struct{ probe, rank int }
	places := map[uint32][]place{}
	for i := range probes {
		near, _, err := scan(s.ctx, coded, s.books, queries[i*s.Dim:(i+1)*s.Dim], walkWidth, s.live)
		if err != nil {
			return nil, err
		}
		probes[i] = probed{near: near, exact: make([]float32, len(near)), best: topk.New(Wanted, Better)}
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

// codedReader shows an index as if blocks of codes were written already.
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

// Bounds of Slope.
const (
	minSlope = 0.1
	maxSlope = 2
)

// tryMargin returns the recall of a model's margin and the mean number of vectors that a
// search recomputes with it.
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

// Measured is how many vectors a search recomputes until it has targetRecall of the Wanted
// best. The zero Measured means that it was not measured.
type Measured struct {
	Scan   int     // vectors, by a scan
	Walk   int     // vectors, by a walk with the best Pull
	Pull   float32 // of that walk
	Margin float64 // ErrorModel.Margin of such walks, which find the best sooner than scans; 0: not measured
}

// Walks reports whether a walk needs so much less than a scan that it is not chance.
func (m Measured) Walks() bool { return m.Walk > 0 && 10*m.Walk <= 9*m.Scan }

// pulls are the pulls that are tried; the first stands for a scan.
var pulls = []float32{0, 0.1, 0.2, 0.3, 0.4}

// measureWalks counts for each pull how many vectors a search recomputes until it has the
// truly best chunks, and returns the best pull.
func measureWalks(probes []probed, m ErrorModel, graph *Graph) (best Measured) {
	for _, pull := range pulls {
		var depths []int
		for _, p := range probes {
			taken := p.replay(stopRule{model: m}, Walk{Graph: graph, Pull: pull}, len(p.near))
			for _, h := range p.best.Sorted() {
				depth := slices.Index(taken, h.Chunk) + 1
				if depth == 0 { // beyond the estimates looked at
					depth = walkWidth + 1
				}
				depths = append(depths, depth)
			}
		}
		switch n := quantile(depths, targetRecall); {
		case pull == 0:
			best.Scan = n
		case best.Walk == 0 || n < best.Walk:
			best.Walk, best.Pull = n, pull
		}
	}
	return best
}

// replay searches with a probe's known scores and returns the chunks recomputed, at most
// most, in order.
func (p probed) replay(rule stopRule, w Walk, most int) (taken []uint32) {
	left, exact := make([]candidate, len(p.near)), make(map[uint32]float32, len(p.near))
	for i, s := range p.near {
		left[i].scored = scored{s.node, rule.model.expected(s.score)}
		if score := p.exact[i]; score == score { // a number
			exact[s.node] = score
		}
	}
	k := newWalk(w, left)
	for most = min(most, len(left)); len(taken) < most; {
		if w.Graph != nil {
			k.order(left)
		}
		if rule.enough(left[0].rank()) {
			break
		}
		n := min(RecomputeBatch, most-len(taken))
		var computed []scored
		for _, c := range left[:n] {
			taken = append(taken, c.node)
			if score, known := exact[c.node]; known {
				rule.found(c.score, score, 0)
				computed = append(computed, scored{c.node, score})
			}
		}
		if w.Graph != nil {
			k.learn(computed)
		}
		left = left[n:]
	}
	return taken
}

// quantile returns the number below or at which a share of the numbers lie; it sorts them.
func quantile(numbers []int, share float64) int {
	slices.Sort(numbers)
	return numbers[min(int(math.Ceil(share*float64(len(numbers)))), len(numbers))-1]
}
