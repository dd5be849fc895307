package leann

import (
	"slices"
)

// beam is the best-first search of one level, HNSW's Algorithm 2 (Malkov and Yashunin). It
// reuses its queues.
type beam struct {
	graph *Graph
	seen  marks
	open  queue // to be expanded, best first
	found queue // best so far, worst at the root
}

func newBeam(g *Graph) *beam { return &beam{graph: g, found: queue{worst: true}} }

// descend searches the levels above one from the top down and returns the nodes to start from
// there, best first: at most width, the nearest that it finds on the level above.
func (b *beam) descend(p *probe, level, width int) []uint32 {
	entry := b.graph.entry()
	if entry == none {
		return nil
	}
	from := []uint32{entry}
	for l := b.graph.top(); l > level; l-- {
		near := b.search(p, from, l, width, nil)
		if len(near) == 0 {
			continue // all that it met have lost their codes
		}
		from = from[:0]
		for _, s := range near {
			from = append(from, s.node)
		}
	}
	return from
}

// unknownScore, below any cosine, scores a node with neither vector nor code.
const unknownScore = -2

// search returns the nearest nodes of a level that it finds from some nodes on, at most
// width, best first. A node that admit refuses or that has no score leads on but is left
// out; nil admits all.
func (b *beam) search(p *probe, from []uint32, level, width int, admit func(node uint32) bool) []scored {
	l := &b.graph.levels[level]
	b.seen.reset(int(b.graph.size))
	b.open.clear()
	b.found.clear()
	for _, node := range from {
		if b.seen.add(node) {
			b.meet(p, node, unknownScore, width, admit)
		}
	}
	for b.open.len() > 0 {
		at := b.open.pop()
		if b.found.len() >= width && b.found.root().before(at) {
			break
		}
		for n := range l.each(at.node) {
			if b.seen.add(n) {
				b.meet(p, n, at.score, width, admit)
			}
		}
	}
	return b.found.sorted()
}

// hopScore is how far below its predecessor a node without a score is placed, so that a
// search passes through few of them.
const hopScore = 0.05

// meet adds a node to the queues.
func (b *beam) meet(p *probe, node uint32, before float32, width int, admit func(node uint32) bool) {
	score, ok := p.score(node)
	switch {
	case !ok:
		b.open.push(scored{node, before - hopScore})
	case admit != nil && !admit(node):
		if s := (scored{node, score}); b.found.len() < width || s.before(b.found.root()) {
			b.open.push(s)
		}
	default:
		if s := (scored{node, score}); b.found.offer(s, width) {
			b.open.push(s)
		}
	}
}

// queue is a binary heap of nodes with the best at the root, or with worst set, the worst.
// It is typed because graph walks spend their time here: with an order function, as in
// package topk, they take a third longer.
type queue struct {
	items []scored
	worst bool
}

func (q *queue) above(a, b scored) bool {
	if q.worst {
		return b.before(a)
	}
	return a.before(b)
}

func (q *queue) len() int     { return len(q.items) }
func (q *queue) root() scored { return q.items[0] }
func (q *queue) clear()       { q.items = q.items[:0] }

// sorted returns what is in the queue, best first.
func (q *queue) sorted() []scored {
	all := slices.Clone(q.items)
	slices.SortFunc(all, compareScored)
	return all
}

func (q *queue) push(s scored) {
	q.items = append(q.items, s)
	at := len(q.items) - 1
	for at > 0 {
		parent := (at - 1) / 2
		if !q.above(s, q.items[parent]) {
			break
		}
		q.items[at] = q.items[parent]
		at = parent
	}
	q.items[at] = s
}

func (q *queue) pop() scored {
	root, last := q.items[0], q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	if len(q.items) > 0 {
		q.sink(last)
	}
	return root
}

// replace puts s in the place of the root and returns the old root.
func (q *queue) replace(s scored) scored {
	root := q.items[0]
	q.sink(s)
	return root
}

// sink moves s down from the root to its place.
func (q *queue) sink(s scored) {
	at := 0
	for {
		child := 2*at + 1
		if child >= len(q.items) {
			break
		}
		if child+1 < len(q.items) && q.above(q.items[child+1], q.items[child]) {
			child++
		}
		if !q.above(q.items[child], s) {
			break
		}
		q.items[at] = q.items[child]
		at = child
	}
	q.items[at] = s
}

// offer keeps s if it is among the n best offered so far, and reports that. q.worst must
// be set.
func (q *queue) offer(s scored, n int) bool {
	switch {
	case len(q.items) < n:
		q.push(s)
	case n > 0 && s.before(q.items[0]):
		q.replace(s)
	default:
		return false
	}
	return true
}

// marks is a set of nodes that empties at the cost of what was in it.
type marks struct {
	words   []uint64 // a bit for each node
	touched []uint32 // words that are not zero
}

// reset empties the set and makes room for nodes below n.
func (m *marks) reset(n int) {
	for _, w := range m.touched {
		m.words[w] = 0
	}
	m.touched = m.touched[:0]
	if words := (n + 63) / 64; len(m.words) < words {
		m.words = make([]uint64, words+words/8)
	}
}

// add puts a node into the set and reports whether it was new.
func (m *marks) add(node uint32) bool {
	if m.has(node) {
		return false
	}
	w := node / 64
	if m.words[w] == 0 {
		m.touched = append(m.touched, w)
	}
	m.words[w] |= 1 << (node % 64)
	return true
}

func (m *marks) has(node uint32) bool { return m.words[node/64]>>(node%64)&1 == 1 }
