package leann

import (
	"context"
	"fmt"
)

// Check verifies that every block is readable and that no live chunk has a code and a stored
// vector. It calls report for each problem, lacks for each live chunk that has neither yet, and
// returns the number of blocks.
func (x Index) Check(ctx context.Context, r Reader, live Allowed, end uint32, report func(what string), lacks func(chunk uint32)) (blocks int, err error) {
	const nothing, code, vector = 0, 1, 2
	state := make([]byte, end)
	note := func(id uint32, has byte) {
		switch {
		case id >= end:
			report(fmt.Sprintf("chunk %d is beyond all ids", id))
		case live.Has(id) && state[id] != nothing:
			report(fmt.Sprintf("chunk %d has a code and a vector, or two of one", id))
		default:
			state[id] = has
		}
	}
	books, err := readLibrary(r)
	if err != nil {
		report(err.Error())
		return 0, nil
	}
	blocks = len(books)
	err = r.EachBlock(CodeRuns, func(key uint32, value []byte) error {
		blocks++
		b, err := parseCodeBlock(key, value, books.width)
		if err != nil {
			report(err.Error())
			return ctx.Err()
		}
		b.each(books[b.book].codeBytes(), func(id uint32, _ []byte) { note(id, code) })
		return ctx.Err()
	})
	if err != nil {
		return blocks, err
	}
	err = r.EachBlock(NextRuns, func(key uint32, value []byte) error {
		blocks++
		if _, err := parseNext(key, value, books); err != nil {
			report("codes to come: " + err.Error())
		}
		return ctx.Err()
	})
	if err != nil {
		return blocks, err
	}
	err = r.Vectors(func(first uint32, raw []byte) error {
		if len(raw)%(4*x.Dim) != 0 {
			report(fmt.Sprintf("vectors of chunk %d: %d bytes are not vectors of %d numbers", first, len(raw), x.Dim))
		}
		for i := range len(raw) / (4 * x.Dim) {
			note(first+uint32(i), vector)
		}
		return ctx.Err()
	})
	if err != nil {
		return blocks, err
	}
	for id, has := range state {
		if has == nothing && live.Has(uint32(id)) {
			lacks(uint32(id))
		}
	}
	links, err := checkGraph(ctx, r, end, report)
	return blocks + links, err
}

// checkGraph verifies the graph: blocks are readable, which proves lists ascending and in
// range; nodes are known ids and on all their levels; links lead to nodes, once and not to
// their owner; every node is reachable from the entry; and the head's counts are right. A
// node may be a dead chunk: it leads on until it is removed.
func checkGraph(ctx context.Context, r Reader, end uint32, report func(what string)) (blocks int, err error) {
	head, err := ReadGraphHead(r)
	if err != nil {
		report(err.Error())
	}
	sound := err == nil
	tell := func(what string) {
		sound = false
		report(what)
	}
	g, blocks, err := loadGraph(ctx, r, tell)
	if err != nil {
		return blocks, err
	}
	if head.Stamp == 0 {
		if blocks > 0 && sound {
			report("the graph has no head")
		}
		return blocks, nil
	}
	for node := range g.levels[0].all() {
		if node >= end {
			tell(fmt.Sprintf("node %d of the graph is a chunk that was never given", node))
		}
		if level := levelOf(node); !g.onAllLevels(node) {
			tell(fmt.Sprintf("node %d is not on all levels of the graph up to %d", node, level))
		}
	}
	if g.Nodes() != head.Nodes || g.Links() != head.Links {
		tell(fmt.Sprintf("the graph has %d nodes and %d links, its head says %d and %d", g.Nodes(), g.Links(), head.Nodes, head.Links))
	}
	if sound { // otherwise the missing parts explain it
		for level := range g.top() + 1 {
			for _, node := range g.unreached(level) {
				report(fmt.Sprintf("no links lead to node %d on level %d of the graph", node, level))
			}
		}
	}
	return blocks + 1, nil
}
