package indexbench

import (
	"cmp"
	"context"
	"slices"

	"dowse/engine/leann"
)

// hubCache marks the nodes whose vectors are kept: all that stand above level
// 0, if upper, and the share of all that has the most links.
func hubCache(g *leann.Graph, upper bool, share float64) []bool {
	kept := make([]bool, g.Size())
	g.Nodes(func(node uint32) { kept[node] = upper && g.Level(node) > 0 })
	for _, node := range g.Hubs(share) {
		kept[node] = true
	}
	return kept
}

// visitedCache marks the share of the nodes that searches visit most.
func visitedCache(visits []int, share float64) []bool {
	kept := make([]bool, len(visits))
	nodes := make([]uint32, len(visits))
	for i := range nodes {
		nodes[i] = uint32(i)
	}
	slices.SortStableFunc(nodes, func(a, b uint32) int { return cmp.Compare(visits[b], visits[a]) })
	for _, node := range nodes[:int(share*float64(len(nodes)))] {
		kept[node] = true
	}
	return kept
}

// visitor counts how often the vector of each node is asked for.
type visitor struct {
	meter
	visits []int
}

// Vectors implements leann.Exact.
func (v *visitor) Vectors(ctx context.Context, nodes []uint32, dst []float32, ok []bool) error {
	for _, node := range nodes {
		v.visits[node]++
	}
	return v.meter.Vectors(ctx, nodes, dst, ok)
}

// countVisits asks queries and returns how often they needed each vector.
func countVisits(ctx context.Context, c *Collection, m *method, s Setting, queries [][]float32) ([]int, error) {
	visitors, searches := make([]*visitor, workers()), make([]search, workers())
	err := each(ctx, len(queries), workers(), func(ctx context.Context, i, g int) error {
		if visitors[g] == nil {
			searches[g] = m.open()
			visitors[g] = &visitor{meter{vectors: c.Vectors}, make([]int, c.Vectors.Len())}
		}
		_, err := searches[g](ctx, queries[i], s, visitors[g])
		return err
	})
	total := make([]int, c.Vectors.Len())
	for _, v := range visitors {
		if v == nil {
			continue
		}
		for node, n := range v.visits {
			total[node] += n
		}
	}
	return total, err
}

// cacheBytes is what a cache takes: the vectors, and a bit of every node.
func (v *Vectors) cacheBytes(kept []bool) float64 {
	n := 0
	for _, k := range kept {
		if k {
			n++
		}
	}
	return v.vectorBytes(n) + float64((len(kept)+7)/8)
}
