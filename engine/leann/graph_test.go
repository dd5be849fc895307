package leann

import (
	"slices"
	"testing"
)

// checkGraph is T-L2: lists are sorted, without the node itself, without
// duplicates, within their bounds, and lead to nodes of their level.
func checkGraph(t *testing.T, g *Graph, shape func(node uint32) Shape) {
	t.Helper()
	nodes := 0
	g.Nodes(func(node uint32) {
		nodes++
		if got := len(g.upper[node]); got != levelOf(node) {
			t.Fatalf("node %d reaches level %d, want %d", node, got, levelOf(node))
		}
		for level := range levelOf(node) + 1 {
			links := g.Links(node, level)
			most := shape(node).Own
			if level == 0 {
				most = shape(node).Cap
			}
			if len(links) > most {
				t.Fatalf("node %d has %d links on level %d, at most %d are allowed", node, len(links), level, most)
			}
			for i, x := range links {
				if x == node || i > 0 && x <= links[i-1] || !g.has(x) || levelOf(x) < level {
					t.Fatalf("node %d has links %v on level %d", node, links, level)
				}
			}
		}
	})
	if nodes != g.nodes {
		t.Fatalf("%d nodes, want %d", nodes, g.nodes)
	}
	if g.entry == none || g.top() != slices.Max(heights(g)) {
		t.Fatalf("the entry %d is on level %d of %d", g.entry, g.top(), slices.Max(heights(g)))
	}
}

func heights(g *Graph) []int {
	var h []int
	g.Nodes(func(node uint32) { h = append(h, levelOf(node)) })
	return h
}

// unreached returns the nodes to which no links of level 0 lead from the entry.
func unreached(g *Graph) []uint32 {
	var m marks
	m.reset(g.Size())
	m.add(g.entry)
	for open := []uint32{g.entry}; len(open) > 0; {
		node := open[len(open)-1]
		open = open[:len(open)-1]
		for _, x := range g.Links(node, 0) {
			if m.add(x) {
				open = append(open, x)
			}
		}
	}
	var left []uint32
	g.Nodes(func(node uint32) {
		if !m.has(node) {
			left = append(left, node)
		}
	})
	return left
}

func TestLevels(t *testing.T) {
	const n = 1 << 20
	var count [maxLevel + 1]int
	for node := range uint32(n) {
		for level := range levelOf(node) + 1 {
			count[level]++
		}
	}
	for level, want := 1, n/levelShare; want > 100; level, want = level+1, want/levelShare {
		if got := count[level]; got < want*8/10 || got > want*12/10 {
			t.Errorf("%d of %d nodes on level %d, want about %d", got, n, level, want)
		}
	}
}

func TestGraphOfNothing(t *testing.T) {
	g := NewGraph()
	if g.has(0) || g.nodes != 0 || g.Size() != 0 || g.top() != 0 || len(g.Hubs(1)) != 0 {
		t.Errorf("an empty graph has %d nodes below %d", g.nodes, g.Size())
	}
	g.Nodes(func(node uint32) { t.Errorf("node %d", node) })
}

// degree returns the mean number of links on level 0.
func degree(g *Graph) float64 {
	links := 0
	for _, l := range g.base {
		links += len(l)
	}
	return float64(links) / float64(max(g.nodes, 1))
}

// clone returns a copy that shares link slices: set replaces them whole, so
// neither copy sees the other's changes.
func clone(g *Graph) *Graph {
	c := &Graph{entry: g.entry, base: slices.Clone(g.base), upper: make(map[uint32][][]uint32, len(g.upper)), nodes: g.nodes}
	for node, levels := range g.upper {
		c.upper[node] = slices.Clone(levels)
	}
	return c
}
