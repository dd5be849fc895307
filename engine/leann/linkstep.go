package leann

import (
	"context"
	"math"
	"slices"
)

// insert links the next fresh chunks: HNSW's Algorithm 1, but for the links back. As a
// link leads both ways, whoever is chosen has it too, however many it has, so that
// nodes chosen by many are the hubs that LEANN's Algorithm 3 keeps.
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
		l.Done.Added++
	}
	l.fresh = l.fresh[n:]
	if alone { // among tombstones, or as the first of all
		return l.mendAll(ctx)
	}
	return nil
}

// refine has the next nodes choose once more, among all.
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

// exchange has a node own the links that it chose and no others. A link that another
// one owns stays there, unless that one has still to choose and might drop it.
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

// bury removes the next dead nodes. Those that were linked to them choose others.
func (l *Linker) bury(ctx context.Context) error {
	n := min(deadStep, len(l.dead))
	var bereft [maxLevel + 1][]uint32
	for _, node := range l.dead[:n] {
		for level := range levelOf(node) + 1 {
			bereft[level] = append(bereft[level], l.graph.levels[level].neighbours(node)...)
		}
		l.drop(node)
	}
	for level := maxLevel; level >= 0; level-- {
		slices.Sort(bereft[level])
		for _, node := range slices.Compact(bereft[level]) {
			if err := ctx.Err(); err != nil {
				return err
			}
			l.fill(level, node)
		}
	}
	l.dead = l.dead[n:]
	l.Done.Removed += n
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

// fill has a node that lost links choose as many as it has room for. It keeps those
// that it has: they may have been chosen by vectors that are not stored any more.
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

// choose returns at most n nodes for one to link to, of those near it by HNSW's
// heuristic (Algorithm 4): one that is nearer to the node than to all others that it
// is linked to, those it keeps included; then the nearest of the rest. Filling up so
// keeps groups of near-duplicates together.
func (l *Linker) choose(p *probe, node uint32, level int, keep []uint32, n int) []uint32 {
	if n <= 0 {
		return nil
	}
	from := append(l.beam.descend(p, level), l.graph.levels[level].neighbours(node)...)
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

// vectorOf returns the vector of a chunk, zeroes if nothing is known of it.
func (l *Linker) vectorOf(node uint32) []float32 {
	v := make([]float32, l.Dim)
	l.space.floats(v, node)
	return v
}

func (l *Linker) touch(level int, node uint32) { l.dirty[placeOf(level, node)] = true }

// room returns how many links a node may choose on a level. On level 0 it follows from
// the bytes wanted; where these leave half a link, every second node gets one.
func (l *Linker) room(level int, node uint32) int { return l.roomOf(level, node, 1) }

// roomAmongAll is room where those that are chosen choose too: a quarter of all links
// are chosen from both ends and stored once.
func (l *Linker) roomAmongAll(level int, node uint32) int { return l.roomOf(level, node, 1.36) }

func (l *Linker) roomOf(level int, node uint32, share float64) int {
	if level > 0 {
		return upperLinks
	}
	links := share * linksIn(l.opts.LinkBytes-upperBytes, l.graph.Nodes()+1)
	whole := math.Floor(links)
	if float64(mix(node)>>32%1024) < 1024*(links-whole) {
		whole++
	}
	return min(max(int(whole), 1), maxOwn)
}

// upperBytes is what the levels above 0 take, per chunk of the index.
const upperBytes = 0.2

// linksIn returns how many links fit into so many bytes: k of n nodes are told apart by
// about k*(log2(n/k)+log2(e)) bits, and were measured to take a quarter of a bit more
// each, and two bits for their number.
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
		nodes = l.graph.Nodes() // who is dropped on one level may have led on on another
		for level := l.graph.top(); level >= 0; level-- {
			if err := l.mend(ctx, level); err != nil {
				return err
			}
		}
	}
	return nil
}

// mend links nodes that cannot be reached to the nearest that can.
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
			l.drop(node) // a tombstone that leads nowhere
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
