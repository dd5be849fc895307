package leann

import (
	"context"
	"slices"
)

// Repair makes every node reachable from the entry over level 0, and returns
// the number of nodes that were not. Lists are bounded and links directed, so
// while others are inserted a node can lose the last link that leads to it: a
// few in a thousand do, and most copies of a vector that occurs very often.
// Each gets a link from a near node that is reached, in the place of one that
// no node depends on; no list grows beyond its bound.
func (b *Builder) Repair(ctx context.Context) (repaired int, err error) {
	g := b.graph
	if g.entry == none {
		return 0, nil
	}
	tree := reach{graph: g, parent: make([]uint32, g.Size())}
	for i := range tree.parent {
		tree.parent[i] = none
	}
	tree.grow(g.entry, g.entry)
	for node := range uint32(g.Size()) {
		if !g.has(node) || tree.has(node) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return repaired, err
		}
		tree.grow(b.adopt(&tree, node), node)
		repaired++
	}
	return repaired, nil
}

// adopt links the nearest node that can take one more to node, and returns
// it. There always is one: a tree has fewer links than nodes.
func (b *Builder) adopt(tree *reach, node uint32) uint32 {
	g := b.graph
	query := slices.Clone(b.space.Vector(node))
	entry := scored{g.entry, b.space.Dot(query, b.space.Vector(g.entry))}
	for width := max(b.shape(node).Beam, 1); ; width *= 2 {
		for _, s := range b.search(query, entry, 0, width) { // meets none but reached nodes
			links := g.Links(s.node, 0)
			if len(links) >= b.shape(s.node).Cap {
				links = b.release(tree, s.node)
			}
			if links != nil {
				g.set(s.node, 0, append(slices.Clone(links), node))
				return s.node
			}
		}
	}
}

// release returns the links of a node without the one to the farthest node
// that does not depend on it; nil if all do.
func (b *Builder) release(tree *reach, node uint32) []uint32 {
	links := b.graph.Links(node, 0)
	vector := slices.Clone(b.space.Vector(node))
	farthest := queue{worst: true}
	for _, x := range links {
		if tree.parent[x] != node {
			farthest.push(scored{x, b.space.Dot(vector, b.space.Vector(x))})
		}
	}
	if farthest.len() == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(links), func(x uint32) bool { return x == farthest.root().node })
}

// reach is a tree of links of level 0 that lead from the entry to all nodes
// that can be reached.
type reach struct {
	graph  *Graph
	parent []uint32 // by node; none: not reached
}

func (r *reach) has(node uint32) bool { return r.parent[node] != none }

// grow adds a node below its parent, and all that can be reached from it.
func (r *reach) grow(parent, node uint32) {
	r.parent[node] = parent
	for open := []uint32{node}; len(open) > 0; {
		at := open[0]
		open = open[1:]
		for _, x := range r.graph.Links(at, 0) {
			if !r.has(x) {
				r.parent[x] = at
				open = append(open, x)
			}
		}
	}
}
