package lexical

import (
	"slices"
)

// Follow returns the Collection of a later state of the store, the one that
// NewCollection would give, for the work of what changed since: it reads the
// headers of new segments alone. live holds the chunks that belong to a file
// then. c stays as it is; one Collection at most may follow it.
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

// bury makes tombstones of the chunks that are not live any more.
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

// forget takes a chunk out, if it is one of the live ones.
func (c *Collection) forget(chunk uint32) {
	if c.live.Has(chunk) {
		c.live.Remove(chunk)
		c.stats.Length -= int64(c.lengths[chunk])
	}
}

// setLength notes the length of a chunk. Those that came from the collection
// before are read by others, and copied before one of them changes.
func (c *Collection) setLength(chunk, length uint32) {
	if c.lengths[chunk] == length {
		return
	}
	if int(chunk) < c.shared {
		c.lengths, c.shared = slices.Clone(c.lengths), 0
	}
	c.lengths[chunk] = length
}

// has reports whether a chunk is one of the segment's, dead or not.
func (s *segment) has(chunk uint32) bool {
	if s.ids == nil {
		return chunk >= s.base && chunk-s.base < uint32(s.chunks)
	}
	_, found := slices.BinarySearch(s.ids, chunk)
	return found
}

// each calls fn with the chunks of the segment.
func (s *segment) each(fn func(chunk uint32)) {
	for i := range uint32(s.chunks) {
		if s.ids != nil {
			fn(s.ids[i])
		} else {
			fn(s.base + i)
		}
	}
}
