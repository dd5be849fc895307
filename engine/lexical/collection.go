package lexical

import "context"

// Collection is what every query needs to know of one state of the store:
// which chunks live, how long they are, and which segments hold them. It is
// made once per state and may be used from several goroutines, each with a
// Reader of its own on that state.
type Collection struct {
	segments []segment
	live     *Set     // live chunks that some segment holds
	lengths  []uint32 // by chunk id; 0 where not live
	stats    Stats
}

// segment is one of a Collection's.
type segment struct {
	id, base uint32
	postings uint64
	chunks   int
	dead     int // chunks of it that are tombstones
}

// Stats describe a Collection. Length and Average count terms.
type Stats struct {
	Chunks     int // live ones
	Length     int64
	Average    float64 // Length / Chunks; 0 without chunks
	Segments   int
	Tombstones int // dead chunks that segments still hold
	Bytes      int64
}

// NewCollection reads the headers of all segments. live holds the chunks
// that still belong to a file; nil means all.
func NewCollection(r Reader, live *Set) (*Collection, error) {
	ids, err := r.Segments()
	if err != nil {
		return nil, err
	}
	c := &Collection{live: NewSet(0)}
	for _, id := range ids {
		h, err := readHeader(r, id)
		if err != nil {
			return nil, err
		}
		c.take(id, h, live)
	}
	c.stats.Segments = len(ids)
	if c.stats.Chunks > 0 {
		c.stats.Average = float64(c.stats.Length) / float64(c.stats.Chunks)
	}
	return c, nil
}

func (c *Collection) take(id uint32, h *header, live *Set) {
	s := segment{id: id, base: h.base(), postings: h.postings, chunks: len(h.chunks)}
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
		c.lengths[l.chunk] = l.length
		c.stats.Length += int64(l.length)
	}
	c.stats.Chunks += s.chunks - s.dead
	c.stats.Tombstones += s.dead
	c.stats.Bytes += int64(h.bytes)
	c.segments = append(c.segments, s)
}

// Stats says what the collection holds.
func (c *Collection) Stats() Stats { return c.stats }

// postings appends the postings of a term over all segments, with absolute
// ids of live chunks only.
func (c *Collection) postings(r Reader, term string, dst []posting) ([]posting, error) {
	for _, s := range c.segments {
		first, block, err := r.Seek(s.id, term)
		if err != nil {
			return dst, err
		}
		if block == nil {
			continue
		}
		from := len(dst)
		if dst, err = appendTerm(dst, first, block, term); err != nil {
			return dst, err
		}
		dst = c.keepLive(dst, from, s.base)
	}
	return dst, nil
}

// keepLive makes the postings from index from on absolute and drops
// tombstones.
func (c *Collection) keepLive(list []posting, from int, base uint32) []posting {
	kept := from
	for _, p := range list[from:] {
		p.chunk += base
		if c.live.Has(p.chunk) {
			list[kept] = p
			kept++
		}
	}
	return list[:kept]
}

// Containing gives the live chunks that hold all of the terms: candidates
// for a phrase, or with one term the chunks to leave out. Without terms it
// gives all live chunks.
func (c *Collection) Containing(ctx context.Context, r Reader, terms []string) (*Set, error) {
	all := c.live.Clone()
	for _, term := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		some, err := c.ContainingAny(ctx, r, []string{term})
		if err != nil {
			return nil, err
		}
		all.And(some)
	}
	return all, nil
}

// ContainingAny gives the live chunks that hold one of the terms at least.
func (c *Collection) ContainingAny(ctx context.Context, r Reader, terms []string) (*Set, error) {
	set := NewSet(uint32(len(c.lengths)))
	var list []posting
	for _, term := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if list, err = c.postings(r, term, list[:0]); err != nil {
			return nil, err
		}
		for _, p := range list {
			set.Add(p.chunk)
		}
	}
	return set, nil
}
