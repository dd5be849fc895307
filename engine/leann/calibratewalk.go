package leann

import (
	"math"
	"slices"
)

// Measured is what a search was measured to recompute until it has targetRecall of the
// Wanted best.
// The zero Measured means that it was not.
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
	space  *space
	depths [][]int // by pull
}

// measureWalks compares walks with a scan where there is a graph.
func (s *quantizing) measureWalks(queries []float32, probes []probed, coded Reader) error {
	graph, err := ReadGraph(s.r)
	if err != nil || graph == nil {
		return err
	}
	space, err := newSpace(s.Index, s.r)
	if err != nil {
		return err
	}
	m := walkMeasure{graph: graph, space: space, depths: make([][]int, len(pulls))}
	for i, p := range probes {
		near, _, err := scan(s.ctx, coded, s.books, queries[i*s.Dim:(i+1)*s.Dim], walkWidth, s.live)
		if err != nil {
			return err
		}
		m.add(queries[i*s.Dim:(i+1)*s.Dim], s.done.Errors, near, p.best.Sorted())
	}
	s.done.Measured = m.result()
	return space.err
}

// add follows a query, whose estimates and best chunks are known, with each pull.
func (m *walkMeasure) add(query []float32, errors ErrorModel, near []scored, truth []Hit) {
	p, exact := m.space.probe(query), map[uint32]float32{}
	first := make([]candidate, len(near))
	for i, s := range near {
		first[i].scored = scored{s.node, errors.expected(s.score)}
		if raw := m.space.vector(s.node); raw != nil {
			exact[s.node], _ = p.score(s.node)
		}
	}
	for i, pull := range pulls {
		at := walkOrder(Walk{Graph: m.graph, Pull: pull}, slices.Clone(first), exact)
		for _, h := range truth {
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
