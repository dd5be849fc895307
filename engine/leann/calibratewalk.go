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
}

// Walks reports whether a walk was measured to need so much less than a scan that it is
// more than chance.
func (m Measured) Walks() bool { return m.Walk > 0 && 10*m.Walk <= 9*m.Scan }

// pulls are those that are tried; the first stands for a scan.
var pulls = []float32{0, 0.1, 0.2, 0.3, 0.4}

// walkMeasure gathers, for a number of queries, how many vectors each pull recomputes
// until it has the truly best chunks.
type walkMeasure struct {
	graph  *Graph
	depths [][]int // by pull
}

// measureWalks compares walks with a scan where there is a graph.
func (s *quantizing) measureWalks(probes []probed) error {
	graph, err := ReadGraph(s.r)
	if err != nil || graph == nil {
		return err
	}
	m := walkMeasure{graph: graph, depths: make([][]int, len(pulls))}
	for _, p := range probes {
		m.add(p, s.done.Errors)
	}
	s.done.Measured = m.result()
	return nil
}

// add follows a query with each pull.
func (m *walkMeasure) add(p probed, errors ErrorModel) {
	first, exact := make([]candidate, len(p.near)), make(map[uint32]float32, len(p.near))
	for i, s := range p.near {
		first[i].scored = scored{s.node, errors.expected(s.score)}
		if score := p.exact[i]; score == score { // a number
			exact[s.node] = score
		}
	}
	best := p.best.Sorted()
	for i, pull := range pulls {
		at := walkOrder(Walk{Graph: m.graph, Pull: pull}, slices.Clone(first), exact)
		for _, h := range best {
			depth, found := at[h.Chunk]
			if !found {
				depth = walkWidth + 1
			}
			m.depths[i] = append(m.depths[i], depth)
		}
	}
}

// walkOrder returns as which one a walk recomputes each of the candidates.
func walkOrder(w Walk, left []candidate, exact map[uint32]float32) map[uint32]int {
	k, at := newWalk(w, left), make(map[uint32]int, len(left))
	for len(left) > 0 {
		n := min(RecomputeBatch, len(left))
		computed := make([]scored, 0, n)
		for _, c := range left[:n] {
			at[c.node] = len(at) + 1
			if score, ok := exact[c.node]; ok {
				computed = append(computed, scored{c.node, score})
			}
		}
		k.learn(computed)
		left = left[n:]
		k.order(left)
	}
	return at
}

// result returns the best pull.
func (m *walkMeasure) result() (best Measured) {
	best.Scan = quantile(m.depths[0], targetRecall)
	for i, depths := range m.depths[1:] {
		if n := quantile(depths, targetRecall); best.Walk == 0 || n < best.Walk {
			best.Walk, best.Pull = n, pulls[i+1]
		}
	}
	return best
}

// quantile returns what a share of numbers is not above; it sorts them.
func quantile(numbers []int, share float64) int {
	slices.Sort(numbers)
	return numbers[min(int(math.Ceil(share*float64(len(numbers)))), len(numbers))-1]
}
