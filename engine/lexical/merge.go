package lexical

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
)

// ReadWriter is where segments are merged.
type ReadWriter interface {
	Reader
	Writer
}

const (
	// fanout segments of one tier become one of the next. A tier holds
	// segments of 8^t to 8^(t+1) postings, so a posting is written once per
	// tier: seven times on the way to two million postings; and a term is
	// looked up in at most fanout-1 segments a tier.
	fanout = 8
	// deadShare of tombstones, as one in so many, has a segment rewritten.
	deadShare = 5
)

// Maintain does the most urgent merge, if any, and says how many segments it
// merged: 0 means that all is tidy. Called once after each batch, in the same
// transaction, it keeps up; when idle it may be called until it returns 0.
func Maintain(ctx context.Context, rw ReadWriter, live *Set) (merged int, err error) {
	c, err := NewCollection(rw, live)
	if err != nil {
		return 0, err
	}
	ids := c.urgent()
	if len(ids) == 0 {
		return 0, nil
	}
	return len(ids), Merge(ctx, rw, ids, live)
}

// urgent chooses the segments to merge next: a full tier, lowest first, or
// else one segment with too many tombstones.
func (c *Collection) urgent() []uint32 {
	tiers := make(map[int][]uint32)
	lowest := -1
	for _, s := range c.segments {
		t := tier(s.postings)
		tiers[t] = append(tiers[t], s.id)
		if len(tiers[t]) >= fanout && (lowest < 0 || t < lowest) {
			lowest = t
		}
	}
	if lowest >= 0 {
		return tiers[lowest]
	}
	for _, s := range c.segments {
		if s.dead*deadShare > s.chunks {
			return []uint32{s.id}
		}
	}
	return nil
}

// tier is the logarithm of a size to the base 8.
func tier(postings uint64) int { return (bits.Len64(postings|1) - 1) / 3 }

// Merge writes the live chunks of some segments as one new segment, or none
// when no chunk is live, and drops the old ones. It takes memory for the
// longest list of postings, not for the segments.
func Merge(ctx context.Context, rw ReadWriter, segments []uint32, live *Set) error {
	cursors, chunks, err := openCursors(rw, segments, live)
	if err != nil {
		return err
	}
	if len(chunks) > 0 {
		if err := mergeTerms(ctx, rw, cursors, chunks, live); err != nil {
			return err
		}
	}
	for _, id := range segments {
		if err := rw.Drop(id); err != nil {
			return err
		}
	}
	return nil
}

// openCursors begins to read the segments and gathers their live chunks.
func openCursors(r Reader, segments []uint32, live *Set) ([]*cursor, []chunkLength, error) {
	var cursors []*cursor
	var chunks []chunkLength
	for _, id := range segments {
		h, err := readHeader(r, id)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range h.chunks {
			if live.Has(c.chunk) {
				chunks = append(chunks, c)
			}
		}
		cursors = append(cursors, &cursor{r: r, segment: id, base: h.base()})
	}
	slices.SortFunc(chunks, func(a, b chunkLength) int { return cmp.Compare(a.chunk, b.chunk) })
	return cursors, chunks, nil
}

// mergeTerms writes each term of the cursors once, with the live postings of
// all that stand on it.
func mergeTerms(ctx context.Context, w Writer, cursors []*cursor, chunks []chunkLength, live *Set) error {
	out, err := newSegmentWriter(w, chunks)
	if err != nil {
		return err
	}
	for _, c := range cursors {
		if err := c.next(); err != nil {
			return err
		}
	}
	base := out.header.base()
	var list []posting
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		term, any := least(cursors)
		if !any {
			return out.close()
		}
		list = list[:0]
		for _, c := range cursors {
			if c.ended || c.term() != term {
				continue
			}
			if list, err = c.take(list, base, live); err != nil {
				return err
			}
			if err := c.next(); err != nil {
				return err
			}
		}
		if len(list) == 0 {
			continue
		}
		slices.SortFunc(list, func(a, b posting) int { return cmp.Compare(a.chunk, b.chunk) })
		if err := out.add(term, list); err != nil {
			return err
		}
	}
}

// least is the first term that a cursor stands on.
func least(cursors []*cursor) (term string, ok bool) {
	for _, c := range cursors {
		if !c.ended && (!ok || string(c.block.term) < term) {
			term, ok = c.term(), true
		}
	}
	return term, ok
}

// cursor reads the terms of one segment in order.
type cursor struct {
	r       Reader
	segment uint32
	base    uint32
	first   string // of the block being read
	block   blockReader
	ended   bool
}

func (c *cursor) term() string { return string(c.block.term) }

// next steps to the next term, over the end of a block to the next block.
func (c *cursor) next() error {
	for !c.block.next() {
		if c.block.err != nil {
			return c.block.err
		}
		first, block, err := c.r.Next(c.segment, c.first)
		if err != nil {
			return err
		}
		if block == nil {
			c.ended = true
			return nil
		}
		c.first, c.block = first, readBlock(first, block)
	}
	return nil
}

// take appends the live postings of the term stood on, relative to base.
func (c *cursor) take(list []posting, base uint32, live *Set) ([]posting, error) {
	from := len(list)
	list, err := c.block.appendTo(list)
	if err != nil {
		return list, err
	}
	kept := from
	for _, p := range list[from:] {
		if id := p.chunk + c.base; live.Has(id) {
			list[kept] = posting{chunk: id - base, count: p.count}
			kept++
		}
	}
	return list[:kept], nil
}
