package lexical

import (
	"context"
	"slices"
)

// Collection is the part of one state of the store that every query needs: live chunks, their
// lengths and the segments. It is safe for concurrent use with a Reader for each goroutine.
type Collection struct {
	segments []segment
	live     *Set      // live chunks of segments
	lengths  []uint32  // by chunk id; of dead chunks any former length
	shared   int       // number of lengths shared with the previous collection
	norms    []float64 // by length, see lengthNorm
	stats    Stats

	spare *spare // shared with later collections

	held heldLanguages
}

// knownNorms is the length up to which norms are tabulated, four times that of the longest
// chunks of text.
const knownNorms = 1024

type segment struct {
	id       uint32
	base     uint32   // its first chunk
	ids      []uint32 // its chunks; nil if consecutive
	postings uint64
	bytes    uint64
	chunks   int
	dead     int // tombstones
}

// Stats describe a Collection. Length and Average are in terms.
type Stats struct {
	Chunks     int // live ones
	Length     int64
	Average    float64 // Length / Chunks; 0 without chunks
	Segments   int
	Tombstones int // dead chunks that segments still hold
	Bytes      int64
}

// NewCollection reads the headers of all segments. live holds the chunks that belong to a
// file; nil means all.
func NewCollection(r Reader, live *Set) (*Collection, error) {
	c := &Collection{live: NewSet(0), spare: &spare{}}
	return c, c.read(r, live)
}

// read adds the segments that c does not have, and counts.
func (c *Collection) read(r Reader, live *Set) error {
	ids, err := r.Segments()
	if err != nil {
		return err
	}
	known := make(map[uint32]segment, len(c.segments))
	for _, s := range c.segments {
		known[s.id] = s
	}
	c.segments = make([]segment, 0, len(ids))
	for _, id := range ids {
		s, ok := known[id]
		if !ok {
			h, err := readHeader(r, id)
			if err != nil {
				return err
			}
			s = c.addSegment(id, h, live)
		}
		c.segments = append(c.segments, s)
	}
	c.count()
	return nil
}

// addSegment adds the live chunks of a segment.
func (c *Collection) addSegment(id uint32, h *header, live *Set) segment {
	s := segment{id: id, base: h.base(), ids: h.ids(), postings: h.postings, bytes: h.bytes, chunks: len(h.chunks)}
	if n := len(h.chunks); n > 0 {
		if need := int(h.chunks[n-1].chunk) + 1; need > len(c.lengths) {
			c.lengths = append(c.lengths, make([]uint32, need-len(c.lengths))...)
		}
	}
	for _, l := range h.chunks {
		if !live.Has(l.chunk) {
			s.dead++
			continue
		}
		c.live.Add(l.chunk)
		c.setLength(l.chunk, l.length)
		c.stats.Length += int64(l.length)
	}
	return s
}

// count sums up the segments and makes norms.
func (c *Collection) count() {
	c.stats = Stats{Length: c.stats.Length, Segments: len(c.segments)}
	for _, s := range c.segments {
		c.stats.Chunks += s.chunks - s.dead
		c.stats.Tombstones += s.dead
		c.stats.Bytes += int64(s.bytes)
	}
	if c.stats.Chunks > 0 {
		c.stats.Average = float64(c.stats.Length) / float64(c.stats.Chunks)
	}
	c.norms = normsOf(c.stats.Average)
}

// Stats returns what the collection holds.
func (c *Collection) Stats() Stats { return c.stats }

// Bytes returns the memory of the collection and its spare accumulators: some 14 bytes for each
// chunk id, and 4 more for ids that are not consecutive.
func (c *Collection) Bytes() int64 {
	n := c.live.Bytes() + 4*int64(cap(c.lengths)) + 8*int64(len(c.norms)) + c.spare.bytes() + int64(len(c.lengths)) // of languages
	for _, s := range c.segments {
		n += 4 * int64(cap(s.ids))
	}
	return n
}

// postings appends a term's postings of all segments, with the ids of live chunks. at is any
// cursor, for its memory.
func (c *Collection) postings(at *cursor, term string, dst []posting) ([]posting, error) {
	for i := range c.segments {
		s := &c.segments[i]
		at.segment, at.chunks = s.id, s.chunks
		found, err := at.find(term)
		if err != nil {
			return dst, err
		}
		if !found {
			continue
		}
		list, err := at.postings()
		if err != nil {
			return dst, err
		}
		dst = s.appendLive(dst, list, c.live)
	}
	return dst, nil
}

// appendLive appends postings of live chunks, with their ids.
func (s *segment) appendLive(dst, list []posting, live *Set) []posting {
	dst = slices.Grow(dst, len(list))
	for _, p := range list {
		if s.ids != nil {
			p.chunk = s.ids[p.chunk]
		} else {
			p.chunk += s.base
		}
		if live.Has(p.chunk) {
			dst = append(dst, p)
		}
	}
	return dst
}

// Containing returns the live chunks with all words, each as one of its terms: candidates for a
// phrase, or with one word chunks to exclude. Without words it returns all live chunks.
func (c *Collection) Containing(ctx context.Context, r Reader, words [][]string) (*Set, error) {
	all := c.live.Clone()
	for _, terms := range words {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		some, err := c.containingAny(ctx, r, terms)
		if err != nil {
			return nil, err
		}
		all.And(some)
	}
	return all, nil
}

// containingAny returns the live chunks with at least one of the terms.
func (c *Collection) containingAny(ctx context.Context, r Reader, terms []string) (*Set, error) {
	set := NewSet(uint32(len(c.lengths)))
	var list []posting
	at := &cursor{r: r}
	for _, term := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if list, err = c.postings(at, term, list[:0]); err != nil {
			return nil, err
		}
		for _, p := range list {
			set.Add(p.chunk)
		}
	}
	return set, nil
}
