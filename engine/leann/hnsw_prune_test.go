package leann

import (
	"cmp"
	"context"
	"slices"
)

// hubShare is the part of the nodes that keeps its links when a graph is
// pruned: LEANN's 2% of highest degree.
const hubShare = 0.02

// Hubs returns the share of nodes of highest degree, highest first: links
// that lead to a node count as those that leave it.
func (g *Graph) Hubs(share float64) []uint32 {
	degree := make([]int, g.Size())
	nodes := make([]uint32, 0, g.nodes)
	g.Nodes(func(node uint32) {
		nodes = append(nodes, node)
		degree[node] += len(g.base[node])
		for _, n := range g.base[node] {
			degree[n]++
		}
	})
	slices.SortFunc(nodes, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(degree[b], degree[a]), cmp.Compare(a, b))
	})
	return nodes[:int(share*float64(len(nodes))+0.5)]
}

// PruneHubs builds a graph anew with fewer links (LEANN, Algorithm 3): hubs,
// the nodes of highest degree in the full graph, keep its shape, all others
// get the lesser one. Every node is inserted again in the order of numbers.
func PruneHubs(ctx context.Context, full *Graph, space Space, hub, other Shape, step func(done int)) (*Graph, error) {
	isHub := make([]bool, full.Size())
	for _, node := range full.Hubs(hubShare) {
		isHub[node] = true
	}
	var nodes []uint32
	full.Nodes(func(node uint32) { nodes = append(nodes, node) })
	g := NewGraph()
	b := newBuilder(g, space, func(node uint32) Shape {
		if isHub[node] {
			return hub
		}
		return other
	})
	return g, b.Insert(ctx, nodes, step)
}
