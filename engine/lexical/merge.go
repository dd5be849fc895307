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

// MergeDue does the most urgent merge, if any, and returns how many segments it
// merged, 0 if no merge is due. Called once after each batch, in the same
// transaction, it keeps up; when idle it may be called until it returns 0.
func MergeDue(ctx context.Context, rw ReadWriter, live *Set) (merged int, err error) {
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

// mergeAllShare is the part of all postings, as one in so many, that may lie
// outside the largest segment after MergeAll.
const mergeAllShare = 16

// MergeAll merges all segments into one, which takes the fewest bytes and is
// searched fastest, unless the largest holds nearly everything already. It
// returns how many segments it merged. It is for the end of a long run of
// batches: it rewrites the whole index, in time and in memory of the
// transaction.
func MergeAll(ctx context.Context, rw ReadWriter, live *Set) (merged int, err error) {
	c, err := NewCollection(rw, live)
	if err != nil {
		return 0, err
	}
	var ids []uint32
	largest, all := uint64(0), uint64(0)
	for _, s := range c.segments {
		ids = append(ids, s.id)
		largest, all = max(largest, s.postings), all+s.postings
	}
	if len(ids) < 2 || (all-largest)*mergeAllShare <= all {
		return 0, nil
	}
	return len(ids), Merge(ctx, rw, ids, live)
}

// MergeDead merges the segments that hold tombstones into one without them, and
// returns how many it merged: nothing is left then of deleted text.
func MergeDead(ctx context.Context, rw ReadWriter, live *Set) (merged int, err error) {
	c, err := NewCollection(rw, live)
	if err != nil {
		return 0, err
	}
	var ids []uint32
	for _, s := range c.segments {
		if s.dead > 0 {
			ids = append(ids, s.id)
		}
	}
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

// tier returns the logarithm of a size to the base 8.
func tier(postings uint64) int { return (bits.Len64(postings|1) - 1) / 3 }

// Merge writes the live chunks of some segments as one new segment, or none
// when no chunk is live, and drops the old ones. It takes memory for the
// longest list of postings and 20 bytes a chunk, not for the segments.
func Merge(ctx context.Context, rw ReadWriter, segments []uint32, live *Set) error {
	sources, chunks, err := openSources(rw, segments, live)
	if err != nil {
		return err
	}
	if len(chunks) > 0 {
		if err := mergeTerms(ctx, rw, sources, chunks); err != nil {
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

// source is a segment being merged.
type source struct {
	*cursor
	places []uint32 // by place in the segment, the place in the merged one
}

// gone is the place of a chunk that is left out.
const gone = 1<<32 - 1

// openSources begins to read the segments and gathers their live chunks.
func openSources(r Reader, segments []uint32, live *Set) ([]source, []chunkLength, error) {
	var sources []source
	var chunks []chunkLength
	var headers []*header
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
		headers = append(headers, h)
	}
	byChunk := func(a, b chunkLength) int { return cmp.Compare(a.chunk, b.chunk) }
	slices.SortFunc(chunks, byChunk)
	for i, h := range headers {
		s := source{cursor: newCursor(r, segments[i], len(h.chunks)), places: make([]uint32, len(h.chunks))}
		for j, c := range h.chunks {
			s.places[j] = gone
			if place, alive := slices.BinarySearchFunc(chunks, c, byChunk); alive {
				s.places[j] = uint32(place)
			}
		}
		sources = append(sources, s)
	}
	return sources, chunks, nil
}

// mergeTerms writes each term of the sources once, with the live postings of
// all that stand on it.
func mergeTerms(ctx context.Context, w Writer, sources []source, chunks []chunkLength) error {
	out, err := newSegmentWriter(w, chunks)
	if err != nil {
		return err
	}
	for _, s := range sources {
		if _, err := s.next(); err != nil {
			return err
		}
	}
	var list []posting
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		term, any := least(sources)
		if !any {
			return out.close()
		}
		list = list[:0]
		for _, s := range sources {
			if s.ended || string(s.name) != term {
				continue
			}
			if list, err = s.take(list); err != nil {
				return err
			}
			if _, err := s.next(); err != nil {
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

// least returns the first term that a source stands on.
func least(sources []source) (term string, ok bool) {
	var best []byte
	for _, s := range sources {
		if !s.ended && (!ok || string(s.name) < string(best)) {
			best, ok = s.name, true
		}
	}
	return string(best), ok
}

// take appends the live postings of the term stood on, by their places in
// the merged segment.
func (s source) take(dst []posting) ([]posting, error) {
	list, err := s.postings()
	if err != nil {
		return dst, err
	}
	for _, p := range list {
		if place := s.places[p.chunk]; place != gone {
			dst = append(dst, posting{chunk: place, count: p.count})
		}
	}
	return dst, nil
}
