package lexical

import (
	"slices"
)

// Follow returns the Collection of a later state, equal to that of NewCollection, by reading
// only the headers of new segments. live holds the chunks that then belong to a file. c does not
// change; at most one Collection may follow it.
func (c *Collection) Follow(r Reader, live *Set) (*Collection, error) {
	ids, err := r.Segments()
	if err != nil {
		return nil, err
	}
	next := &Collection{
		segments: slices.Clone(c.segments), live: c.live.Clone(), lengths: c.lengths, shared: len(c.lengths),
		stats: Stats{Length: c.stats.Length}, spare: c.spare,
	}
	next.segments = slices.DeleteFunc(next.segments, func(s segment) bool {
		_, kept := slices.BinarySearch(ids, s.id)
		if !kept {
			s.each(next.forget)
		}
		return !kept
	})
	next.bury(live)
	return next, next.read(r, live)
}

// bury makes tombstones of chunks that are no longer live.
func (c *Collection) bury(live *Set) {
	if live == nil {
		return
	}
	dead := c.live.Clone()
	dead.AndNot(live)
	dead.Each(func(chunk uint32) bool {
		c.forget(chunk)
		for i := range c.segments {
			if s := &c.segments[i]; s.has(chunk) {
				s.dead++
			}
		}
		return true
	})
}

// forget removes a live chunk.
func (c *Collection) forget(chunk uint32) {
	if c.live.Has(chunk) {
		c.live.Remove(chunk)
		c.stats.Length -= int64(c.lengths[chunk])
	}
}

// setLength sets the length of a chunk. Lengths shared with the previous collection are copied
// before a change.
func (c *Collection) setLength(chunk, length uint32) {
	if c.lengths[chunk] == length {
		return
	}
	if int(chunk) < c.shared {
		c.lengths, c.shared = slices.Clone(c.lengths), 0
	}
	c.lengths[chunk] = length
}

// has reports whether a chunk is in the segment, dead or not.
func (s *segment) has(chunk uint32) bool {
	if s.ids == nil {
		return chunk >= s.base && chunk-s.base < uint32(s.chunks)
	}
	_, found := slices.BinarySearch(s.ids, chunk)
	return found
}

func (s *segment) each(fn func(chunk uint32)) {
	for i := range uint32(s.chunks) {
		if s.ids != nil {
			fn(s.ids[i])
		} else {
			fn(s.base + i)
		}
	}
}
