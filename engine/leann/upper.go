package leann

import (
	"errors"
	"fmt"
	"slices"
)

var errUpper = errors.New("upper levels cannot be read")

// appendUpper appends the coded levels above 0 of a graph and its entry. Which
// nodes reach how high follows from their numbers (see levelOf) and is not
// stored; links name a node by its rank on its level.
func appendUpper(dst []byte, g *Graph) []byte {
	w := newRangeWriter(dst)
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
	return w.finish()
}

// parseUpper completes a graph of which only level 0 is there: it counts the
// nodes and reads the entry and the upper levels that appendUpper wrote for
// the same nodes. It refuses a graph with a link to a node that is missing,
// and after an error has changed nothing.
func parseUpper(b []byte, g *Graph) error {
	if err := g.dangling(); err != nil {
		return err
	}
	r := newRangeReader(b)
	m := newLinkModel()
	levels := g.ranks()
	entry := none
	if top := levels[len(levels)-1]; len(top) > 0 {
		rank := m.nodes.code(r, 0)
		if rank >= uint64(len(top)) {
			return fmt.Errorf("entry of rank %d among %d nodes: %w", rank, len(top), errUpper)
		}
		entry = top[rank]
	}
	upper := make(map[uint32][][]uint32)
	for level := 1; level < len(levels); level++ {
		if err := parseLevel(r, m, levels[level], upper); err != nil {
			return fmt.Errorf("level %d: %w", level, err)
		}
	}
	if err := r.finish(); err != nil {
		return fmt.Errorf("upper levels: %w", err)
	}
	g.entry, g.upper, g.nodes = entry, upper, len(levels[0])
	return nil
}

// parseLevel reads the links of all nodes of one level.
func parseLevel(r *rangeReader, m *linkModel, nodes []uint32, upper map[uint32][][]uint32) error {
	c := newLinkCoder(r, m, 0, len(nodes))
	for _, node := range nodes {
		if c.list(nil); c.bad || r.bad {
			return fmt.Errorf("links of node %d: %w", node, errUpper)
		}
		links := slices.Clone(c.got) // the coder goes on to look at its own
		for i, rank := range links {
			if int64(rank) >= int64(len(nodes)) {
				return fmt.Errorf("link of node %d to rank %d of %d: %w", node, rank, len(nodes), errUpper)
			}
			links[i] = nodes[rank]
		}
		upper[node] = append(upper[node], links)
	}
	return nil
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

// dangling returns an error if a link of level 0 leads to a node that is not
// in the graph.
func (g *Graph) dangling() error {
	for node, links := range g.base {
		for _, x := range links {
			if !g.Has(x) {
				return fmt.Errorf("node %d is linked to node %d, which is missing", node, x)
			}
		}
	}
	return nil
}
