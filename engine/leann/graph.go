package leann

import (
	"math/bits"
	"slices"
)

// none is no node.
const none = ^uint32(0)

// levelShare is the ratio between levels. HNSW's rule of thumb is the number of links; here
// few long hops do, because a descent costs no embedding and each upper link costs bytes.
const levelShare = 32

// maxLevel bounds the height: 32^6 nodes are more than ids can count.
const maxLevel = 6

// levelOf returns the highest level of a node. It is a function of the number, so that the
// same nodes make the same graph, and is not stored.
func levelOf(node uint32) int {
	return min(bits.TrailingZeros64(mix(node))/bits.TrailingZeros(levelShare), maxLevel)
}

// mix is SplitMix64.
func mix(node uint32) uint64 {
	h := uint64(node) + 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Graph is an index's graph in memory: HNSW levels in which each node owns the few links
// that it chose. A link leads both ways and is stored once, with its owner. A Graph that
// ReadGraph returned does not change, so searches share it.
type Graph struct {
	levels [maxLevel + 1]layer
	size   uint32 // all nodes are below it
}

func newGraph() *Graph {
	g := &Graph{}
	for level := range g.levels {
		g.levels[level].half = make([]halfLink, lonely+1)
	}
	for level := 1; level <= maxLevel; level++ {
		g.levels[level].sparse = map[uint32]uint32{}
	}
	return g
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return g.levels[0].nodes }

// Links returns the number of links, each counted once.
func (g *Graph) Links() int {
	n := 0
	for i := range g.levels {
		n += g.levels[i].links
	}
	return n
}

// Hubs returns the number of nodes with at least hubLinks times the mean links.
func (g *Graph) Hubs() int {
	l := &g.levels[0]
	least, n := hubLinks*2*l.links/max(l.nodes, 1), 0
	for node := range l.all() {
		if l.degree(node) >= least && least > 0 {
			n++
		}
	}
	return n
}

// hubLinks is the multiple of the mean links from which a node is a hub.
const hubLinks = 4

// Has reports whether a chunk is a node.
func (g *Graph) Has(node uint32) bool { return g.levels[0].has(node) }

// MemoryBytes returns about how many bytes the graph takes in memory.
func (g *Graph) MemoryBytes() int64 {
	n := int64(0)
	for i := range g.levels {
		l := &g.levels[i]
		n += 4*int64(cap(l.dense)) + 8*int64(cap(l.half)) + 16*int64(len(l.sparse))
	}
	return n
}

// entry returns the start node of searches, the lowest number on the highest level; none in
// an empty graph.
func (g *Graph) entry() uint32 {
	for level := maxLevel; level >= 0; level-- {
		if l := &g.levels[level]; l.nodes > 0 {
			first := none
			for node := range l.all() {
				first = min(first, node)
				if level == 0 {
					break
				}
			}
			return first
		}
	}
	return none
}

// top returns the highest level that has nodes.
func (g *Graph) top() int {
	for level := maxLevel; level > 0; level-- {
		if g.levels[level].nodes > 0 {
			return level
		}
	}
	return 0
}

// add puts a node without links on all its levels.
func (g *Graph) add(node uint32) {
	g.size = max(g.size, node+1)
	for level := range levelOf(node) + 1 {
		g.levels[level].add(node)
	}
}

// onAllLevels reports whether a node is on every level up to its own.
func (g *Graph) onAllLevels(node uint32) bool {
	for level := range levelOf(node) + 1 {
		if !g.levels[level].has(node) {
			return false
		}
	}
	return true
}

// remove takes a node and its links out.
func (g *Graph) remove(node uint32) {
	for level := range levelOf(node) + 1 {
		l := &g.levels[level]
		if !l.has(node) {
			continue
		}
		for _, x := range l.neighbours(node) {
			l.unlink(node, x)
			l.unlink(x, node)
		}
		l.set(node, 0)
		l.nodes--
	}
}

// unreached returns the nodes of a level that no path from the entry reaches, ascending.
func (g *Graph) unreached(level int) (left []uint32) {
	r := newReach(g, level)
	if entry := g.entry(); entry != none && g.levels[level].has(entry) {
		r.grow(entry)
	}
	for node := range g.levels[level].all() {
		if !r.has(node) {
			left = append(left, node)
		}
	}
	slices.Sort(left)
	return left
}

// reach is the set of reachable nodes of a level.
type reach struct {
	layer *layer
	met   marks
	open  []uint32
}

func newReach(g *Graph, level int) *reach {
	r := &reach{layer: &g.levels[level]}
	r.met.reset(int(g.size))
	return r
}

func (r *reach) has(node uint32) bool { return r.met.has(node) }

// grow adds a node and all nodes reachable from it.
func (r *reach) grow(node uint32) {
	r.met.add(node)
	r.open = append(r.open, node)
	for len(r.open) > 0 {
		at := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		for x := range r.layer.each(at) {
			if r.met.add(x) {
				r.open = append(r.open, x)
			}
		}
	}
}
