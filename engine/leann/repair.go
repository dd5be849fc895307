package leann

import (
	"context"
	"slices"
)

// Repair drops unreadable blocks of codes and links: the chunks of these lack a vector then (Lack).
// end is above all ids.
func (x Index) Repair(ctx context.Context, w Writer, live Allowed, end uint32) error {
	books, err := readLibrary(w)
	if err != nil {
		return err
	}
	var bad []uint32
	err = w.EachBlock(CodeRuns, func(key uint32, value []byte) error {
		if _, err := parseCodeBlock(key, value, books.width); err != nil {
			bad = append(bad, key)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, key := range bad {
		if err := putCodes(w, key, nil); err != nil {
			return err
		}
	}
	if err := repairNext(w, books); err != nil {
		return err
	}
	return x.repairGraph(ctx, w, live, end)
}

// repairNext drops unreadable blocks of NextRuns.
func repairNext(w Writer, books library) error {
	var bad []uint32
	err := w.EachBlock(NextRuns, func(key uint32, value []byte) error {
		if _, err := parseNext(key, value, books); err != nil {
			bad = append(bad, key)
		}
		return nil
	})
	for _, key := range bad {
		if err == nil {
			err = w.DeleteBlock(NextRuns, key)
		}
	}
	return err
}

// repairGraph drops unreadable blocks of the graph and invalid nodes and links. Nodes that
// lost links by that get others; a Linker links the chunks of dropped blocks again.
func (x Index) repairGraph(ctx context.Context, w Writer, live Allowed, end uint32) error {
	bad := 0
	g, blocks, err := loadGraph(ctx, w, func(string) { bad++ })
	if err != nil || blocks == 0 {
		return err
	}
	head, err := ReadGraphHead(w)
	if err != nil || head.Stamp == 0 {
		bad++
	}
	for node := range g.levels[0].all() {
		bad += bitOf(node >= end || !g.onAllLevels(node))
	}
	for level := range g.top() + 1 {
		bad += len(g.unreached(level))
	}
	if bad == 0 && g.Nodes() == head.Nodes && g.Links() == head.Links {
		return nil
	}
	l := &Linker{Index: x, opts: LinkOptions{Live: live, linkBytes: defaultLinkBytes}, graph: g, beam: newBeam(g), dirty: map[blockPlace]bool{}}
	if l.space, err = newSpace(x, w); err != nil {
		return err
	}
	if err := l.salvage(ctx, w, end); err != nil {
		return err
	}
	return l.Write(w)
}

// salvage makes a valid graph of the readable part and marks all blocks as changed.
func (l *Linker) salvage(ctx context.Context, r Reader, end uint32) error {
	for level := range l.graph.levels {
		for _, node := range slices.Sorted(l.graph.levels[level].all()) {
			if node >= end || !l.graph.onAllLevels(node) {
				l.drop(node)
			}
		}
	}
	if err := l.mendAll(ctx); err != nil {
		return err
	}
	return eachLinks(r, func(place blockPlace, _ []byte) error {
		l.dirty[place] = true
		return nil
	})
}
