package leann

import "slices"

// appendUpper appends the coded levels above 0 of a graph and its entry. Which
// nodes reach how high follows from their numbers (see levelOf) and is not
// stored; links name a node by its rank on its level.
func appendUpper(dst []byte, g *Graph) []byte {
	w := newLinkWriter(dst)
	m := newLinkModel()
	levels := g.ranks()
	if top := levels[len(levels)-1]; len(top) > 0 {
		rank, _ := slices.BinarySearch(top, g.entry)
		m.nodes.code(w, uint64(rank))
	}
	for level := 1; level < len(levels); level++ {
		nodes := levels[level]
		c := newLinkCoder(w, m, 0, len(nodes))
		for _, node := range nodes {
			links := slices.Clone(g.Links(node, level))
			for i, x := range links {
				rank, _ := slices.BinarySearch(nodes, x)
				links[i] = uint32(rank)
			}
			c.list(links)
		}
	}
	return w.Close()
}

// ranks returns the nodes of each level, ascending: a node's rank on a level
// is its place there. The last level has nodes, unless the graph is empty.
func (g *Graph) ranks() [][]uint32 {
	levels := [][]uint32{nil}
	g.Nodes(func(node uint32) {
		for level := range levelOf(node) + 1 {
			if level == len(levels) {
				levels = append(levels, nil)
			}
			levels[level] = append(levels[level], node)
		}
	})
	return levels
}
