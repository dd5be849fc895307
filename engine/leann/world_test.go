package leann

import (
	"context"
	"slices"
)

// bestFirst searches a graph by exact scores (LEANN's Algorithm 1 below HNSW's
// descent): plain slices that are sorted at every step, and vectors
// that are simply there.
func bestFirst(c *cloud, g *Graph, q []float32, k, keep int, allowed Allowed) []Hit {
	at := scored{g.entry(), c.score(q, g.entry())}
	for level := g.top(); level > 0; level-- {
		for {
			next := at
			for _, x := range g.levels[level].neighbours(at.node) {
				if s := (scored{x, c.score(q, x)}); s.before(next) {
					next = s
				}
			}
			if next == at {
				break
			}
			at = next
		}
	}
	visited := map[uint32]bool{at.node: true}
	candidates := []scored{at}
	var results []scored
	if allowed == nil || allowed.Has(at.node) {
		results = []scored{at}
	}
	for len(candidates) > 0 {
		slices.SortFunc(candidates, compareScored)
		at, candidates = candidates[0], candidates[1:]
		if len(results) >= keep && results[len(results)-1].before(at) {
			break
		}
		for _, x := range g.levels[0].neighbours(at.node) {
			if visited[x] {
				continue
			}
			visited[x] = true
			s := scored{x, c.score(q, x)}
			candidates = append(candidates, s)
			if allowed == nil || allowed.Has(x) {
				results = append(results, s)
			}
		}
		slices.SortFunc(results, compareScored)
		results = results[:min(keep, len(results))]
	}
	var hits []Hit
	for _, s := range results[:min(k, len(results))] {
		hits = append(hits, Hit{s.node, float64(s.score)})
	}
	return hits
}

// share allows about every n-th node.
type share uint32

func (s share) Has(node uint32) bool { return node*2654435761>>7%uint32(s) == 0 }

// only allows one node.
type only uint32

func (o only) Has(node uint32) bool { return node == uint32(o) }

// failing is an Exact that does something at its n-th call.
type failing struct {
	Exact
	n  int
	do func() error
}

func (e *failing) Vectors(ctx context.Context, nodes []uint32, dst []float32, ok []bool) error {
	if e.n--; e.n == 0 {
		if err := e.do(); err != nil {
			return err
		}
	}
	return e.Exact.Vectors(ctx, nodes, dst, ok)
}
