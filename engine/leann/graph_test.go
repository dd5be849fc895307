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
				if x == node || i > 0 && x <= links[i-1] || !g.Has(x) || levelOf(x) < level {
					t.Fatalf("node %d has links %v on level %d", node, links, level)
				}
			}
		}
	})
	if nodes != g.Len() {
		t.Fatalf("%d nodes, Len is %d", nodes, g.Len())
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

// unreached are the nodes to which no links of level 0 lead from the entry.
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
	if g.Has(0) || g.Len() != 0 || g.Size() != 0 || g.top() != 0 || g.Degree() != 0 || len(g.Hubs(1)) != 0 {
		t.Errorf("an empty graph has %d nodes below %d", g.Len(), g.Size())
	}
	g.Nodes(func(node uint32) { t.Errorf("node %d", node) })
}

func TestCloneStandsAlone(t *testing.T) {
	c := newCloud(seeded(t, 41), 600, 8)
	g := c.graph(t, Shape{3, 5, 12})
	clone := g.Clone()
	sameGraph(t, clone, g)
	want := c.graph(t, Shape{3, 5, 12})
	clone.Nodes(func(node uint32) {
		for level := range levelOf(node) + 1 {
			clone.set(node, level, nil)
		}
	})
	clone.add(10_000)
	sameGraph(t, g, want)
}
