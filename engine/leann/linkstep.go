package leann

import (
	"context"
	"math"
	"slices"
)

// insert links the next fresh chunks by HNSW's Algorithm 1 without its shrinking of back
// links: a link leads both ways, so a chosen node keeps any number of them. Nodes that many
// choose become the hubs of LEANN's Algorithm 3.
func (l *Linker) insert(ctx context.Context) error {
	n, alone := min(linkStep, len(l.fresh)), false
	query := make([]float32, l.Dim)
	for _, node := range l.fresh[:n] {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !l.space.floats(query, node) {
			continue
		}
		p, reached := l.space.probe(query), levelOf(node)
		chosen := make([][]uint32, reached+1)
		for level := min(reached, l.graph.top()); level >= 0; level-- {
			chosen[level] = l.choose(p, node, level, nil, l.room(level, node))
			alone = alone || len(chosen[level]) == 0
		}
		l.graph.add(node)
		for level, list := range chosen {
			for _, x := range list {
				l.graph.levels[level].link(node, x)
			}
			l.touch(level, node)
		}
		l.done.added++
	}
	l.fresh = l.fresh[n:]
	if alone { // all candidates are tombstones, or this is the first node
		return l.mendAll(ctx)
	}
	return nil
}

// refine lets the next nodes choose their links again, among all nodes.
func (l *Linker) refine(ctx context.Context) error {
	n := min(linkStep, len(l.again))
	query := make([]float32, l.Dim)
	for range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		node := l.again[0]
		l.again, l.head.next = l.again[1:], node+1
		if !l.graph.Has(node) || !l.space.floats(query, node) {
			continue
		}
		p := l.space.probe(query)
		for level := levelOf(node); level >= 0; level-- {
			l.exchange(level, node, l.choose(p, node, level, nil, l.roomAmongAll(level, node)))
		}
	}
	return l.mendAll(ctx)
}

// exchange replaces the links that a node owns by the chosen ones. A chosen link that the
// other node owns stays there, unless that node has yet to choose and might drop it.
func (l *Linker) exchange(level int, node uint32, chosen []uint32) {
	at := &l.graph.levels[level]
	for _, x := range at.own(node) {
		if !slices.Contains(chosen, x) {
			at.unlink(node, x)
		}
	}
	for _, x := range chosen {
		linked, owner := at.linked(node, x)
		if linked && owner == x {
			if _, waits := slices.BinarySearch(l.again, x); waits {
				at.unlink(x, node)
				l.touch(level, x)
				linked = false
			}
		}
		if !linked {
			at.link(node, x)
		}
	}
	l.touch(level, node)
}

// bury removes the next dead nodes; their neighbours choose replacements.
func (l *Linker) bury(ctx context.Context) error {
	n := min(deadStep, len(l.dead))
	var orphans [maxLevel + 1][]uint32
	for _, node := range l.dead[:n] {
		for level := range levelOf(node) + 1 {
			orphans[level] = append(orphans[level], l.graph.levels[level].neighbours(node)...)
		}
		l.drop(node)
	}
	for level := maxLevel; level >= 0; level-- {
		slices.Sort(orphans[level])
		for _, node := range slices.Compact(orphans[level]) {
			if err := ctx.Err(); err != nil {
				return err
			}
			l.fill(level, node)
		}
	}
	l.dead = l.dead[n:]
	l.done.removed += n
	return l.mendAll(ctx)
}

// drop removes a node.
func (l *Linker) drop(node uint32) {
	for level := range levelOf(node) + 1 {
		for _, x := range l.graph.levels[level].neighbours(node) {
			l.touch(level, x)
		}
		l.touch(level, node)
	}
	l.graph.remove(node)
}

// fill lets a node that lost links choose as many as it has room for. It keeps its other
// links, which may stem from vectors that are no longer stored.
func (l *Linker) fill(level int, node uint32) {
	at, query := &l.graph.levels[level], make([]float32, l.Dim)
	if !at.has(node) || !l.live(node) || !l.space.floats(query, node) {
		return
	}
	want := l.room(level, node) - len(at.own(node))
	for _, x := range l.choose(l.space.probe(query), node, level, at.neighbours(node), want) {
		at.link(node, x)
	}
	l.touch(level, node)
}

// choose returns at most n nodes to link to, by HNSW's heuristic (Algorithm 4): nodes nearer
// to this one than to any node chosen or kept so far; then the nearest of the rest, which
// keeps groups of near-duplicates together.
func (l *Linker) choose(p *probe, node uint32, level int, keep []uint32, n int) []uint32 {
	if n <= 0 {
		return nil
	}
	from := append(l.beam.descend(p, level, 1), l.graph.levels[level].neighbours(node)...)
	near := l.beam.search(p, from, level, linkBeam, func(x uint32) bool { return x != node && l.live(x) })
	var chosen, left []uint32
	var vectors [][]float32
	for _, x := range keep {
		vectors = append(vectors, l.vectorOf(x))
	}
	for _, s := range near {
		if len(chosen) == n {
			break
		}
		if slices.Contains(keep, s.node) {
			continue
		}
		v := l.vectorOf(s.node)
		if slices.ContainsFunc(vectors, func(k []float32) bool { return l.Dot.Dot(v, k) > s.score }) {
			left = append(left, s.node)
			continue
		}
		chosen, vectors = append(chosen, s.node), append(vectors, v)
	}
	return append(chosen, left[:min(len(left), n-len(chosen))]...)
}

// vectorOf returns the stored or decoded vector of a chunk, or zeroes.
func (l *Linker) vectorOf(node uint32) []float32 {
	v := make([]float32, l.Dim)
	l.space.floats(v, node)
	return v
}

func (l *Linker) touch(level int, node uint32) { l.dirty[placeOf(level, node)] = true }

// room returns how many links a node may choose on a level. On level 0 it follows from the
// bytes wanted; a fraction is a probability, drawn from the node's number.
func (l *Linker) room(level int, node uint32) int { return l.roomOf(level, node, 1) }

// roomAmongAll is room when all nodes choose among all: a quarter of the links are then
// chosen from both ends and stored once.
func (l *Linker) roomAmongAll(level int, node uint32) int { return l.roomOf(level, node, 1.36) }

func (l *Linker) roomOf(level int, node uint32, share float64) int {
	if level > 0 {
		return upperLinks
	}
	links := share * linksIn(l.opts.linkBytes-upperBytes, l.graph.Nodes()+1)
	whole := math.Floor(links)
	if float64(mix(node)>>32%1024) < 1024*(links-whole) {
		whole++
	}
	return min(max(int(whole), 1), maxOwn)
}

// upperBytes is the measured cost of the upper levels, per chunk of the index.
const upperBytes = 0.2

// linksIn returns how many links fit into some bytes: k of n nodes take about
// k*(log2(n/k)+log2(e)) bits and, as measured, a quarter of a bit more each, and two bits for
// their count.
func linksIn(bytes float64, n int) float64 {
	links := 1.0
	for range 20 { // it converges
		links = (8*bytes - 2) / (math.Log2(max(float64(n)/links, 1)) + math.Log2E + 0.25)
	}
	return max(links, 1)
}

// mendAll makes every node reachable from the entry on each of its levels.
func (l *Linker) mendAll(ctx context.Context) error {
	for nodes := -1; nodes != l.graph.Nodes(); {
		nodes = l.graph.Nodes() // a node dropped on one level may have connected another level
		for level := l.graph.top(); level >= 0; level-- {
			if err := l.mend(ctx, level); err != nil {
				return err
			}
		}
	}
	return nil
}

// mend links unreachable nodes to the nearest reachable one.
func (l *Linker) mend(ctx context.Context, level int) error {
	lost := l.graph.unreached(level)
	if len(lost) == 0 {
		return nil
	}
	at, entry := &l.graph.levels[level], l.graph.entry()
	reached := newReach(l.graph, level)
	reached.grow(entry)
	query := make([]float32, l.Dim)
	for _, node := range lost {
		if err := ctx.Err(); err != nil {
			return err
		}
		if reached.has(node) {
			continue
		}
		if !l.live(node) {
			l.drop(node) // an unreachable tombstone
			continue
		}
		to := entry
		if l.space.floats(query, node) {
			p := l.space.probe(query)
			if near := l.beam.search(p, []uint32{entry}, level, linkBeam, l.live); len(near) > 0 {
				to = near[0].node
			}
		}
		at.link(node, to)
		l.touch(level, node)
		reached.grow(node)
	}
	return nil
}
