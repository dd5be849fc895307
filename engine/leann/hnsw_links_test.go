package leann

import (
	"math/bits"
	"slices"
)

// A graph is written as blocks of linkBlock consecutive node numbers for level 0,
// and one blob for the levels above.
const (
	linkBlock  = 4096
	maxDegree  = linkBlock - 1 // links of a node on a level
	maxGuesses = 1024          // links of neighbours that are guessed for a node
)

// appendLinks appends the coded links of level 0 of the nodes from first on,
// at most linkBlock of them: nil for a node that is not in the graph, or at
// most maxDegree links, ascending, without the node itself.
func appendLinks(dst []byte, first uint32, links [][]uint32) []byte {
	w := newLinkWriter(dst)
	m := newLinkModel()
	m.nodes.code(w, uint64(len(links)))
	c := newLinkCoder(w, m, first, len(links))
	for _, l := range links {
		c.optional(l)
	}
	return w.Close()
}

// linkModel is what the coding of links has learned so far.
type linkModel struct {
	nodes   numbers    // nodes of a block, or the rank of one
	absent  [2]chance  // is a node missing, by whether the one before it is
	degrees numbers    // links of a node
	back    [33]chance // is a link returned, by the bits of its length
	// Is a neighbour's neighbour a neighbour, by where it lies, how many
	// links lead there, and how many links are still to be told.
	friend [4][4][4]chance
	below  [16]numbers    // links to lower numbers, of how many that are left
	first  [2][8]numbers  // the least gap, by side and links on that side
	next   [2][34]numbers // the others, by side and bits of the gap before
}

func newLinkModel() *linkModel {
	m := &linkModel{}
	for _, n := range []*numbers{&m.nodes, &m.degrees} {
		n.renew()
	}
	renew(m.absent[:])
	renew(m.back[:])
	for i := range m.friend {
		for j := range m.friend[i] {
			renew(m.friend[i][j][:])
		}
	}
	for i := range m.below {
		m.below[i].renew()
	}
	for side := range 2 {
		for i := range m.first[side] {
			m.first[side][i].renew()
		}
		for i := range m.next[side] {
			m.next[side][i].renew()
		}
	}
	return m
}

// linkCoder passes the links of consecutive nodes through a coder. A node's
// links are told in three steps, the cheap ones first: which of the nodes
// that link to it are linked back; which neighbours of those neighbours, and
// of the node before, are its own; and, as gaps, the others. Chunks of one
// file lie side by side and resemble each other, so most links take one of
// the first two steps or a small gap.
type linkCoder struct {
	coder
	*linkModel
	base  uint32     // number of the first node
	links [][]uint32 // of the nodes done
	to    [][]uint32 // by node, from base on: nodes done that link to it

	node    uint32
	degree  int
	got     []uint32 // links of the node told so far
	guesses []uint32
}

func newLinkCoder(c coder, m *linkModel, base uint32, nodes int) *linkCoder {
	return &linkCoder{coder: c, linkModel: m, base: base, links: make([][]uint32, 0, nodes), to: make([][]uint32, nodes)}
}

// optional passes the links of a node that may be missing.
func (c *linkCoder) optional(links []uint32) {
	before := 0
	if n := len(c.links); n > 0 && c.links[n-1] == nil {
		before = 1
	}
	if c.code(&c.absent[before], bitOf(links == nil)) == 1 {
		c.links = append(c.links, nil)
		return
	}
	c.list(links)
}

// list passes the links of the next node. A reader ignores its argument.
func (c *linkCoder) list(links []uint32) {
	c.node = c.base + uint32(len(c.links))
	degree := c.degrees.code(c.coder, uint64(len(links)))
	c.degree = int(degree)
	c.got = make([]uint32, 0, degree)
	c.returned(links)
	c.shared(links)
	c.others(links)
	slices.Sort(c.got)
	for _, x := range c.got {
		if x > c.node && int64(x-c.base) < int64(len(c.to)) {
			c.to[x-c.base] = append(c.to[x-c.base], c.node)
		}
	}
	c.links = append(c.links, c.got)
}

// returned tells which nodes that link to this one it links to.
func (c *linkCoder) returned(links []uint32) {
	for _, x := range c.to[len(c.links)] {
		if len(c.got) == c.degree {
			return
		}
		if c.code(&c.back[bits.Len32(c.node-x)], has(links, x)) == 1 {
			c.got = append(c.got, x)
		}
	}
}

// shared tells which links this node shares with the neighbours told so far
// and with the node before it.
func (c *linkCoder) shared(links []uint32) {
	left := c.degree - len(c.got)
	if left == 0 {
		return
	}
	asked := c.to[len(c.links)]
	c.guess()
	for rest := c.guesses; len(rest) > 0 && len(c.got) < c.degree; {
		x, times := rest[0], 1
		for times < len(rest) && rest[times] == x {
			times++
		}
		rest = rest[times:]
		if x == c.node || has(asked, x) == 1 {
			continue
		}
		p := &c.friend[c.where(x)][min(times-1, 3)][min(left/2, 3)]
		if c.code(p, has(links, x)) == 1 {
			c.got = append(c.got, x)
		}
	}
}

// guess gathers links that this node may share, sorted.
func (c *linkCoder) guess() {
	guesses := c.guesses[:0]
	if n := len(c.links); n > 0 {
		guesses = append(guesses, c.links[n-1]...)
	}
	for _, x := range c.got {
		if len(guesses) < maxGuesses {
			guesses = append(guesses, c.links[x-c.base]...)
		}
	}
	slices.Sort(guesses)
	c.guesses = guesses
}

// where says on which side of the node x lies, and whether in the block.
func (c *linkCoder) where(x uint32) int {
	return 2*bitOf(x > c.node) + bitOf(int64(x)-int64(c.base) >= 0 && int64(x)-int64(c.base) < int64(len(c.to)))
}

// others tells the links that are still missing.
func (c *linkCoder) others(links []uint32) {
	var below, above []uint32 // gaps, for a writer
	low, high := c.node, c.node
	for i := len(links) - 1; i >= 0; i-- {
		if x := links[i]; x < c.node && !slices.Contains(c.got, x) {
			below = append(below, low-x-1)
			low = x
		}
	}
	for _, x := range links {
		if x > c.node && !slices.Contains(c.got, x) {
			above = append(above, x-high-1)
			high = x
		}
	}
	left := c.degree - len(c.got)
	n := c.below[min(left, 15)].code(c.coder, uint64(len(below)))
	c.gaps(0, int(n), below)
	c.gaps(1, left-int(n), above)
}

// gaps tells n links on one side of the node, the nearest first, by how many
// nodes lie between one and the next.
func (c *linkCoder) gaps(side, n int, gaps []uint32) {
	at, model := int64(c.node), &c.first[side][min(n, 7)]
	for i := range n {
		gap := uint64(0)
		if i < len(gaps) {
			gap = uint64(gaps[i])
		}
		gap = model.code(c.coder, gap)
		model = &c.next[side][bits.Len64(gap)]
		if side == 0 {
			at -= int64(gap) + 1
		} else {
			at += int64(gap) + 1
		}
		c.got = append(c.got, uint32(at))
	}
}

func has(sorted []uint32, x uint32) int {
	_, ok := slices.BinarySearch(sorted, x)
	return bitOf(ok)
}

func bitOf(b bool) int {
	if b {
		return 1
	}
	return 0
}
