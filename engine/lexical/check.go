package lexical

import (
	"context"
	"errors"
	"fmt"
)

// Check verifies all segments and returns the number of blocks read: blocks and terms are in
// order, postings name chunks of their segment, headers and chunk lengths have the right
// counts, no chunk is in two segments, and each live one, with ids below next, is in one. The
// error is only of reading.
func Check(ctx context.Context, r Reader, live *Set, next uint32, report func(what string)) (blocks int, err error) {
	ids, err := r.Segments()
	if err != nil {
		return 0, err
	}
	seen := NewSet(next)
	for _, id := range ids {
		c := &segmentCheck{ctx: ctx, id: id, report: report}
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

type segmentCheck struct {
	ctx      context.Context
	id       uint32
	report   func(string)
	header   *header
	sums     []uint64 // occurrences of terms in each chunk
	blocks   int
	terms    uint64
	postings uint64
	bytes    uint64
	last     string // term
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
	c.sums = make([]uint64, len(c.header.chunks))
	for _, l := range c.header.chunks {
		if l.chunk >= next {
			c.wrong("chunk %d is beyond all ids", l.chunk)
		} else if seen.Has(l.chunk) {
			c.wrong("chunk %d is in another segment too", l.chunk)
		}
		seen.Add(min(l.chunk, next))
	}
	return c.walk(&countingReader{Reader: r, check: c})
}

type countingReader struct {
	Reader
	check *segmentCheck
}

func (r *countingReader) Next(segment uint32, after string) (first string, block []byte, err error) {
	first, block, err = r.Reader.Next(segment, after)
	if err == nil && block != nil {
		r.check.blocks++
		r.check.bytes += uint64(len(first) + len(block))
	}
	return first, block, err
}

func (c *segmentCheck) walk(r Reader) error {
	at := newCursor(r, c.id, len(c.header.chunks))
	for {
		more, err := at.next()
		if err == nil && more {
			err = c.term(at)
		}
		if errors.Is(err, errDamaged) {
			c.wrong("%v", err)
			return nil
		}
		if err != nil {
			return err
		}
		if !more {
			c.totals()
			return nil
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
	}
}

func (c *segmentCheck) term(at *cursor) error {
	term := string(at.name)
	if c.terms > 0 && term <= c.last {
		c.wrong("term %q stands after %q", term, c.last)
	}
	c.last = term
	c.terms++
	list, err := at.postings()
	if err != nil {
		return err
	}
	c.postings += uint64(len(list))
	if isAnnotation(term) {
		return nil
	}
	for _, p := range list {
		c.sums[p.chunk] += uint64(p.count)
	}
	return nil
}

// totals compares the counts with the header.
func (c *segmentCheck) totals() {
	h := c.header
	if c.terms != h.terms || c.postings != h.postings || c.bytes != h.bytes {
		c.wrong("holds %d terms, %d postings, %d bytes; its header says %d, %d, %d",
			c.terms, c.postings, c.bytes, h.terms, h.postings, h.bytes)
	}
	for i, l := range h.chunks {
		if c.sums[i] != uint64(l.length) {
			c.wrong("chunk %d has %d terms, its length says %d", l.chunk, c.sums[i], l.length)
		}
	}
}

// Repair drops every segment that Check would report and returns the live chunks then in none.
// next is above all ids.
func Repair(ctx context.Context, rw ReadWriter, live *Set, next uint32) (missing *Set, err error) {
	ids, err := rw.Segments()
	if err != nil {
		return nil, err
	}
	held := NewSet(next)
	for _, id := range ids {
		sound, seen := true, held.Clone()
		c := &segmentCheck{ctx: ctx, id: id, report: func(string) { sound = false }}
		if err := c.run(rw, seen, next); err != nil {
			return nil, err
		}
		if sound {
			held = seen
			continue
		}
		if err := rw.Drop(id); err != nil {
			return nil, err
		}
	}
	missing = live.Clone()
	missing.AndNot(held)
	return missing, nil
}
