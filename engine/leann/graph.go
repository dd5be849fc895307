package leann

import (
	"iter"
	"math/bits"
	"slices"
)

// none stands for no node.
const none = ^uint32(0)

// levelShare is the factor by which levels thin out. HNSW's rule of thumb is
// the number of links; few long hops are enough here, because a descent costs no
// embedding, and each upper link costs bytes.
const levelShare = 32

// maxLevel bounds the height: 32^6 nodes are more than ids can count.
const maxLevel = 6

// levelOf returns the highest level of a node: it follows from the number alone,
// so that the same nodes make the same graph, and is not stored.
func levelOf(node uint32) int {
	return min(bits.TrailingZeros64(mix(node))/bits.TrailingZeros(levelShare), maxLevel)
}

// mix returns bits that look random and follow from a number (SplitMix64).
func mix(node uint32) uint64 {
	h := uint64(node) + 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Graph is the graph of an index in memory, as ReadGraph returns it: levels as
// HNSW has them, in which each node owns the few links that it chose. Links lead
// both ways and are stored once, with their owner. Searches may share a Graph, as
// none changes it.
type Graph struct {
	levels [maxLevel + 1]layer
	size   uint32 // all nodes are below it
}

// layer is one level: by node the links that it owns, and all by which it can be
// left. A link is two half links, one for each direction.
type layer struct {
	dense  []uint32          // by node, for level 0: as sparse
	sparse map[uint32]uint32 // where the first half link is, lonely where there is none; 0: no node
	half   []halfLink        // those at even places leave the owner, and the other half follows
	free   uint32            // places of half links to use again, linked by next; 0: none
	nodes  int
	links  int
}

// halfLink leads from one node to another.
type halfLink struct {
	to   uint32
	next uint32 // where the next one of the same node is; lonely: nowhere
}

// lonely is the place of no half link, as is 0.
const lonely = 1

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

// Links returns the number of links, each of which leads both ways.
func (g *Graph) Links() int {
	n := 0
	for i := range g.levels {
		n += g.levels[i].links
	}
	return n
}

// Hubs returns how many nodes have at least hubLinks times as many links as nodes
// have in the mean.
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

// hubLinks is from how many times the mean number of links on a node is a hub.
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

// entry returns the node where searches begin, the first one of the highest level;
// none where there are no nodes.
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

// add puts a node without links into all levels that it reaches.
func (g *Graph) add(node uint32) {
	g.size = max(g.size, node+1)
	for level := range levelOf(node) + 1 {
		g.levels[level].add(node)
	}
}

// onAllLevels reports whether a node is on all levels that it reaches.
func (g *Graph) onAllLevels(node uint32) bool {
	for level := range levelOf(node) + 1 {
		if !g.levels[level].has(node) {
			return false
		}
	}
	return true
}

// remove takes a node and all its links out.
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

func (l *layer) at(node uint32) uint32 {
	if l.sparse != nil {
		return l.sparse[node]
	}
	if int(node) < len(l.dense) {
		return l.dense[node]
	}
	return 0
}

func (l *layer) set(node, at uint32) {
	switch {
	case l.sparse == nil:
		if n := int(node) + 1; n > len(l.dense) {
			l.dense = append(l.dense, make([]uint32, n-len(l.dense))...)
		}
		l.dense[node] = at
	case at == 0:
		delete(l.sparse, node)
	default:
		l.sparse[node] = at
	}
}

func (l *layer) has(node uint32) bool { return l.at(node) != 0 }

func (l *layer) add(node uint32) {
	l.set(node, lonely)
	l.nodes++
}

// all yields the nodes, in ascending order on level 0.
func (l *layer) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for node, at := range l.dense {
			if at != 0 && !yield(uint32(node)) {
				return
			}
		}
		for node := range l.sparse {
			if !yield(node) {
				return
			}
		}
	}
}

// each yields the nodes that links of a node lead to, in no order.
func (l *layer) each(node uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for at := l.at(node); at > lonely; at = l.half[at].next {
			if !yield(l.half[at].to) {
				return
			}
		}
	}
}

// neighbours returns what each yields, ascending.
func (l *layer) neighbours(node uint32) []uint32 {
	return slices.Sorted(l.each(node))
}

// own returns the nodes that a node chose, ascending.
func (l *layer) own(node uint32) []uint32 {
	own := []uint32{}
	for at := l.at(node); at > lonely; at = l.half[at].next {
		if at%2 == 0 {
			own = append(own, l.half[at].to)
		}
	}
	slices.Sort(own)
	return own
}

func (l *layer) degree(node uint32) (n int) {
	for range l.each(node) {
		n++
	}
	return n
}

// linked reports whether a link joins two nodes, and who owns it.
func (l *layer) linked(a, b uint32) (linked bool, owner uint32) {
	for at := l.at(a); at > lonely; at = l.half[at].next {
		if l.half[at].to == b {
			if at%2 == 0 {
				return true, a
			}
			return true, b
		}
	}
	return false, none
}

// link joins two nodes that are not linked.
func (l *layer) link(owner, to uint32) {
	place := l.free
	if place == 0 {
		place = uint32(len(l.half))
		l.half = append(l.half, halfLink{}, halfLink{})
	} else {
		l.free = l.half[place].next
	}
	l.half[place] = halfLink{to, l.at(owner)}
	l.half[place+1] = halfLink{owner, l.at(to)}
	l.set(owner, place)
	l.set(to, place+1)
	l.links++
}

// unlink removes the link that a node owns to another; none is no error.
func (l *layer) unlink(owner, to uint32) {
	place := uint32(0)
	for at := l.at(owner); at > lonely; at = l.half[at].next {
		if at%2 == 0 && l.half[at].to == to {
			place = at
		}
	}
	if place == 0 {
		return
	}
	l.cut(owner, place)
	l.cut(to, place+1)
	l.half[place].next = l.free
	l.free = place
	l.links--
}

// cut takes a half link out of those of a node.
func (l *layer) cut(node, place uint32) {
	next := l.half[place].next
	if l.at(node) == place {
		l.set(node, next)
		return
	}
	at := l.at(node)
	for l.half[at].next != place {
		at = l.half[at].next
	}
	l.half[at].next = next
}

// unreached returns the nodes of a level to which no links lead from the entry.
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

// reach is the set of nodes of a level that links lead to.
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

// grow adds a node and all that can be reached from it.
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
