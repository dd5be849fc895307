package lexical

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
)

// ReadWriter is a store in which segments are merged.
type ReadWriter interface {
	Reader
	Writer
}

const (
	// fanout segments of a tier, 8^t to 8^(t+1) postings, are merged into the next. So a posting
	// is written once a tier, seven times on the way to two million, and a term is looked up in
	// at most fanout-1 segments a tier.
	fanout = 8
	// deadShare: a segment is rewritten when more than 1/deadShare of it are tombstones.
	deadShare = 5
)

// MergeDue does the most urgent merge, if any, and returns how many segments it merged. Called
// after each batch in its transaction it keeps up; when idle it may be called until it returns 0.
func MergeDue(ctx context.Context, rw ReadWriter, live *Set) (merged int, err error) {
	all, err := sizesOf(rw, live)
	if err != nil {
		return 0, err
	}
	ids := urgent(all)
	if len(ids) == 0 {
		return 0, nil
	}
	return len(ids), Merge(ctx, rw, ids, live)
}

// size is how much a segment holds.
type size struct {
	id           uint32
	postings     uint64
	chunks, dead int
}

// sizesOf returns the sizes of all segments; where live is nil none of their chunks is dead.
func sizesOf(r Reader, live *Set) (all []size, err error) {
	ids, err := r.Segments()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		h, runs, err := readRuns(r, id)
		if err != nil {
			return nil, err
		}
		s := size{id: id, postings: h.postings}
		for _, run := range runs {
			s.chunks += int(run.end - run.first)
			for chunk := run.first; live != nil && chunk < run.end; chunk++ {
				if !live.Has(uint32(chunk)) {
					s.dead++
				}
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// mergeAllShare: MergeAll does nothing when at most 1/mergeAllShare of all postings are outside
// the largest segment.
const mergeAllShare = 16

// MergeAll merges all segments into one, the smallest and fastest form, unless the largest has
// nearly everything already, and returns how many it merged. It rewrites the whole index in one
// transaction, so it is for the end of a long run of batches.
func MergeAll(ctx context.Context, rw ReadWriter, live *Set) (merged int, err error) {
	sizes, err := sizesOf(rw, nil)
	if err != nil {
		return 0, err
	}
	var ids []uint32
	largest, all := uint64(0), uint64(0)
	for _, s := range sizes {
		ids = append(ids, s.id)
		largest, all = max(largest, s.postings), all+s.postings
	}
	if len(ids) < 2 || (all-largest)*mergeAllShare <= all {
		return 0, nil
	}
	return len(ids), Merge(ctx, rw, ids, live)
}

// MergeDead merges the segments with tombstones into one without, so that no deleted text is
// left, and returns how many it merged.
func MergeDead(ctx context.Context, rw ReadWriter, live *Set) (merged int, err error) {
	sizes, err := sizesOf(rw, live)
	if err != nil {
		return 0, err
	}
	var ids []uint32
	for _, s := range sizes {
		if s.dead > 0 {
			ids = append(ids, s.id)
		}
	}
	if len(ids) == 0 {
		return 0, nil
	}
	return len(ids), Merge(ctx, rw, ids, live)
}

// urgent chooses the segments to merge next: a full tier, lowest first, or else one segment with
// too many tombstones.
func urgent(all []size) []uint32 {
	tiers := make(map[int][]uint32)
	lowest := -1
	for _, s := range all {
		t := tier(s.postings)
		tiers[t] = append(tiers[t], s.id)
		if len(tiers[t]) >= fanout && (lowest < 0 || t < lowest) {
			lowest = t
		}
	}
	if lowest >= 0 {
		return tiers[lowest]
	}
	for _, s := range all {
		if s.dead*deadShare > s.chunks {
			return []uint32{s.id}
		}
	}
	return nil
}

// tier returns the logarithm of a size to the base 8.
func tier(postings uint64) int { return (bits.Len64(postings|1) - 1) / 3 }

// Merge replaces segments by one with their live chunks, if any. It needs memory for the longest
// list of postings and 20 bytes a chunk.
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

type source struct {
	*cursor
	places []uint32 // places in the merged segment
}

// gone is the place of a dropped chunk.
const gone = 1<<32 - 1

// openSources opens segments and collects their live chunks.
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

// mergeTerms writes each term once, with its live postings of all sources.
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
			if list, err = s.appendLive(list); err != nil {
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

// least returns the least current term of the sources.
func least(sources []source) (term string, ok bool) {
	var best []byte
	for _, s := range sources {
		if !s.ended && (!ok || string(s.name) < string(best)) {
			best, ok = s.name, true
		}
	}
	return string(best), ok
}

// appendLive appends the live postings of the current term, by their places in the merged
// segment.
func (s source) appendLive(dst []posting) ([]posting, error) {
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
