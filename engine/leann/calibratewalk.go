package leann

import (
	"math"
	"slices"
)

// Measured is what a search was measured to recompute until it has targetRecall of the
// Wanted best. The zero Measured means that it was not.
type Measured struct {
	Scan int     // vectors, by a scan
	Walk int     // vectors, by a walk with the best Pull
	Pull float32 // of that walk
	// Margin is ErrorModel.Margin for such walks, which find the best sooner than scans; 0
	// where it was not measured.
	Margin float64
}

// Walks reports whether a walk was measured to need so much less than a scan that it is
// more than chance.
func (m Measured) Walks() bool { return m.Walk > 0 && 10*m.Walk <= 9*m.Scan }

// pulls are those that are tried; the first stands for a scan.
var pulls = []float32{0, 0.1, 0.2, 0.3, 0.4}

// measureWalks counts, for each pull, how many vectors a search for each of the probes
// recomputes until it has the truly best chunks, and returns the best pull.
func measureWalks(probes []probed, m ErrorModel, graph *Graph) (best Measured) {
	for _, pull := range pulls {
		var depths []int
		for _, p := range probes {
			taken := p.replay(stopRule{model: m}, Walk{Graph: graph, Pull: pull}, len(p.near))
			for _, h := range p.best.Sorted() {
				depth := slices.Index(taken, h.Chunk) + 1
				if depth == 0 { // not among them
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

// replay searches by what is known of a probe already, and returns the chunks that a
// search recomputes, at most so many, in the order in which it does.
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

// quantile returns what a share of numbers is not above; it sorts them.
func quantile(numbers []int, share float64) int {
	slices.Sort(numbers)
	return numbers[min(int(math.Ceil(share*float64(len(numbers)))), len(numbers))-1]
}
