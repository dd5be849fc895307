package leann

import (
	"context"
	"slices"
)

// Measured is what a search was measured to recompute for a recall@10 of targetRecall.
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

// walkBatch is how many vectors a measured walk recomputes at a time.
const walkBatch = 16

// walkMeasure gathers, for a number of queries, how many vectors each pull recomputes
// until it has the truly best chunks.
type walkMeasure struct {
	graph  *Graph
	space  *space
	depths [][]int // by pull
}

func (s *quantizing) newWalkMeasure() (*walkMeasure, error) {
	graph, err := ReadGraph(s.w)
	if err != nil || graph == nil {
		return nil, err
	}
	space, err := newSpace(s.Index, s.w)
	return &walkMeasure{graph: graph, space: space, depths: make([][]int, len(pulls))}, err
}

// add follows a query, whose best chunks are known, with each pull.
func (m *walkMeasure) add(ctx context.Context, query []float32, truth []Hit, books library, live Allowed) error {
	if m == nil {
		return nil
	}
	near, _, err := scan(ctx, m.space.r, books, query, walkWidth, live)
	if err != nil {
		return err
	}
	p, exact := m.space.probe(query), map[uint32]float32{}
	for _, s := range near {
		if raw := m.space.vector(s.node); raw != nil {
			exact[s.node], _ = p.score(s.node)
		}
	}
	for i, pull := range pulls {
		k, left := newWalk(Walk{Graph: m.graph, Pull: pull}, near), slices.Clone(near)
		at := map[uint32]int{}
		for done := 0; len(left) > 0; {
			n := min(walkBatch, len(left))
			computed := make([]scored, 0, n)
			for _, s := range left[:n] {
				done++
				at[s.node] = done
				if score, ok := exact[s.node]; ok {
					computed = append(computed, scored{s.node, score})
				}
			}
			k.learn(computed)
			left = k.order(left[n:])
		}
		for _, h := range truth {
			depth, found := at[h.Chunk]
			if !found {
				depth = walkWidth + 1
			}
			m.depths[i] = append(m.depths[i], depth)
		}
	}
	return m.space.err
}

// result returns the best pull.
func (m *walkMeasure) result() (best Measured) {
	if m == nil {
		return best
	}
	best.Scan = quantile(m.depths[0], targetRecall)
	for i, depths := range m.depths[1:] {
		if n := quantile(depths, targetRecall); best.Walk == 0 || n < best.Walk {
			best.Walk, best.Pull = n, pulls[i+1]
		}
	}
	return best
}
