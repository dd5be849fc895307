package leann

import (
	"math/bits"
	"slices"
)

// none stands for no node.
const none = ^uint32(0)

// Graph is a hierarchical navigable small-world graph (HNSW) over numbered
// nodes. Level 0 links every node, each level above a share of 1/levelShare
// of the level below. Links are directed and sorted by node.
type Graph struct {
	entry uint32     // a node of the highest level; none while empty
	base  [][]uint32 // links of level 0 by node; nil: not in the graph
	upper map[uint32][][]uint32
	nodes int
}

// levelShare is the factor by which levels thin out. HNSW's rule of thumb is
// the number of links; few long hops are enough here, because the descent
// costs no embedding, and each upper link costs bytes.
const levelShare = 32

// maxLevel bounds the height: 32^6 nodes are more than ids can count.
const maxLevel = 6

// NewGraph returns an empty graph.
func NewGraph() *Graph { return &Graph{entry: none, upper: map[uint32][][]uint32{}} }

// levelOf returns the highest level of a node: it follows from the number alone,
// so that the same nodes make the same graph.
func levelOf(node uint32) int {
	h := uint64(node) + 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	h ^= h >> 31
	return min(bits.TrailingZeros64(h)/bits.TrailingZeros(levelShare), maxLevel)
}

// has reports whether a node is in the graph.
func (g *Graph) has(node uint32) bool { return int(node) < len(g.base) && g.base[node] != nil }

// Size returns a bound of the node numbers: all are below it.
func (g *Graph) Size() int { return len(g.base) }

// Links returns the neighbours of a node on a level, sorted. Not to be changed.
func (g *Graph) Links(node uint32, level int) []uint32 {
	if level == 0 {
		return g.base[node]
	}
	levels := g.upper[node]
	if level > len(levels) {
		return nil
	}
	return levels[level-1]
}

// StoredBytes returns the length of the graph as it is stored.
func (g *Graph) StoredBytes() int {
	n := len(appendUpper(nil, g))
	for first := 0; first < len(g.base); first += linkBlock {
		n += len(appendLinks(nil, uint32(first), g.base[first:min(first+linkBlock, len(g.base))]))
	}
	return n
}

// top returns the highest level that has nodes.
func (g *Graph) top() int {
	if g.entry == none {
		return 0
	}
	return len(g.upper[g.entry])
}

// add puts a node without links into the graph.
func (g *Graph) add(node uint32) {
	if n := int(node) + 1; n > len(g.base) {
		g.base = append(g.base, make([][]uint32, n-len(g.base))...)
	}
	g.base[node] = []uint32{}
	g.nodes++
	if level := levelOf(node); level > 0 {
		g.upper[node] = make([][]uint32, level)
	}
}

// set stores the links of a node, sorted.
func (g *Graph) set(node uint32, level int, links []uint32) {
	kept := slices.Clone(links)
	slices.Sort(kept)
	if kept == nil {
		kept = []uint32{}
	}
	if level == 0 {
		g.base[node] = kept
		return
	}
	g.upper[node][level-1] = kept
}

// raise makes node the entry if it reaches higher than the present one.
func (g *Graph) raise(node uint32) {
	if g.entry == none || len(g.upper[node]) > len(g.upper[g.entry]) {
		g.entry = node
	}
}

// Nodes calls f for every node in ascending order.
func (g *Graph) Nodes(f func(node uint32)) {
	for node, links := range g.base {
		if links != nil {
			f(uint32(node))
		}
	}
}
