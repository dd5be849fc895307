package leann

import "slices"

// beam is the best-first search of one level, HNSW's Algorithm 2 (Malkov and Yashunin),
// with its queues kept from one search to the next.
type beam struct {
	graph *Graph
	seen  marks
	open  queue // to be expanded, best first
	found queue // best so far, worst at the root
}

func newBeam(g *Graph) *beam { return &beam{graph: g, found: queue{worst: true}} }

// descend walks the levels above one greedily and returns the nodes to begin with
// there: the nearest that it met.
func (b *beam) descend(p *probe, level int) []uint32 {
	at := scored{b.graph.entry(), unknownScore}
	if at.node == none {
		return nil
	}
	if score, ok := p.score(at.node); ok {
		at.score = score
	}
	for l := b.graph.top(); l > level; l-- {
		for moved := true; moved; {
			moved = false
			for n := range b.graph.levels[l].each(at.node) {
				if score, ok := p.score(n); ok && (scored{n, score}).before(at) {
					at, moved = scored{n, score}, true
				}
			}
		}
	}
	return []uint32{at.node}
}

// unknownScore stands for the score of a node that has neither a vector nor a code,
// below any cosine.
const unknownScore = -2

// search returns the nearest of a level that were found from some nodes on, at most
// width, best first. A node that admit refuses or that cannot be scored leads on and
// is not among them; nil admits all.
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
	near := slices.Clone(b.found.items)
	slices.SortFunc(near, compareScored)
	return near
}

// hopScore is how much farther a node that cannot be scored is taken to be than the one
// that led to it, so that a search passes over few of them and does not flood.
const hopScore = 0.05

// meet puts a node into the queues.
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
