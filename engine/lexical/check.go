package lexical

import (
	"context"
	"fmt"
)

// Check verifies all segments and returns how many blocks it read: blocks and
// terms in order, every posting of a chunk that its segment lists, the counts
// in each header, the sums of occurrences against chunk lengths, no chunk in
// two segments, and each live chunk, given with next as the first id never
// given to a chunk, in one. It returns an error only when reading failed.
func Check(ctx context.Context, r Reader, live *Set, next uint32, report func(what string)) (blocks int, err error) {
	ids, err := r.Segments()
	if err != nil {
		return 0, err
	}
	seen := NewSet(next)
	for _, id := range ids {
		c := &segmentCheck{ctx: ctx, id: id, report: report, sums: make(map[uint32]uint64)}
		if err := c.run(r, seen, next); err != nil {
			return blocks, err
		}
		blocks += c.blocks
	}
	missing := live.Clone()
	missing.AndNot(seen)
	if n := missing.Len(); n > 0 {
		missing.Each(func(chunk uint32) bool {
			report(fmt.Sprintf("%d live chunks are in no segment, the first is %d", n, chunk))
			return false
		})
	}
	return blocks, nil
}

// segmentCheck is the check of one segment.
type segmentCheck struct {
	ctx      context.Context
	id       uint32
	report   func(string)
	header   *header
	sums     map[uint32]uint64 // chunk -> occurrences of terms
	listed   map[uint32]bool
	blocks   int
	terms    uint64
	postings uint64
	bytes    uint64
	last     string // term
	list     []posting
}

func (c *segmentCheck) wrong(format string, args ...any) {
	c.report(fmt.Sprintf("segment %d: %s", c.id, fmt.Sprintf(format, args...)))
}

func (c *segmentCheck) run(r Reader, seen *Set, next uint32) error {
	data, err := r.Header(c.id)
	if err != nil {
		return err
	}
	if c.header, err = decodeHeader(data); err != nil {
		c.wrong("%v", err)
		return nil
	}
	c.listed = make(map[uint32]bool, len(c.header.chunks))
	for _, l := range c.header.chunks {
		if l.chunk >= next {
			c.wrong("chunk %d was never given", l.chunk)
		} else if seen.Has(l.chunk) {
			c.wrong("chunk %d is in another segment too", l.chunk)
		}
		seen.Add(min(l.chunk, next))
		c.listed[l.chunk] = true
	}
	for first := ""; ; {
		var block []byte
		if first, block, err = r.Next(c.id, first); err != nil {
			return err
		}
		if block == nil {
			break
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
		c.block(first, block)
	}
	c.totals()
	return nil
}

// block checks the terms of one block.
func (c *segmentCheck) block(first string, block []byte) {
	c.blocks++
	c.bytes += uint64(len(first) + len(block))
	reader := readBlock(first, block)
	for reader.next() {
		term := string(reader.term)
		if term <= c.last {
			c.wrong("term %q stands after %q", term, c.last)
		}
		c.last = term
		c.terms++
		c.postings += uint64(reader.chunks)
		var err error
		if c.list, err = reader.appendTo(c.list[:0]); err != nil {
			c.wrong("term %q: %v", term, err)
			continue
		}
		for _, p := range c.list {
			chunk := p.chunk + c.header.base()
			if !c.listed[chunk] {
				c.wrong("term %q names chunk %d, which the segment does not hold", term, chunk)
			}
			c.sums[chunk] += uint64(p.count)
		}
	}
	if reader.err != nil {
		c.wrong("%v", reader.err)
	}
}

// totals compares what was counted with what the header says.
func (c *segmentCheck) totals() {
	h := c.header
	if c.terms != h.terms || c.postings != h.postings || c.bytes != h.bytes {
		c.wrong("holds %d terms, %d postings, %d bytes; its header says %d, %d, %d",
			c.terms, c.postings, c.bytes, h.terms, h.postings, h.bytes)
	}
	for _, l := range h.chunks {
		if c.sums[l.chunk] != uint64(l.length) {
			c.wrong("chunk %d has %d terms, its length says %d", l.chunk, c.sums[l.chunk], l.length)
		}
	}
}
