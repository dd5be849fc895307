package lexical

// posting says how often a chunk, given by its place among the chunks of its
// segment, holds a term.
type posting struct{ chunk, count uint32 }

// longList is how many postings make a list a long one: coded on its own, to
// be decoded fast and to be skipped.
const longList = 256

// shortList codes fewer than longList postings of a segment of so many
// chunks: the gaps between chunks, each in the context of the one before and
// of how far apart the postings are on average, and the occurrences. Any chunk
// is as likely as another to hold a term that only one does.
func (e *modelEncoder) shortList(list []posting, chunks int) {
	gaps := newGapModel(len(list), chunks)
	next, count := uint32(0), uint32(0)
	for _, p := range list {
		if len(list) == 1 {
			e.Uniform(p.chunk, uint32(chunks))
		} else {
			e.gap(&gaps, p.chunk-next)
		}
		e.unary(countContext+countKind(count)*countSteps, uint64(p.count-1), countSteps)
		next, count = p.chunk+1, p.count
	}
}

// shortList appends n postings to dst; false says that they are damaged.
func (d *modelDecoder) shortList(dst []posting, n, chunks int) ([]posting, bool) {
	gaps := newGapModel(n, chunks)
	next, count := uint64(0), uint32(0)
	for range n {
		if n == 1 {
			next = uint64(d.Uniform(uint32(chunks)))
		} else {
			next += uint64(d.gap(&gaps))
		}
		count = uint32(d.unary(countContext+countKind(count)*countSteps, countSteps)) + 1
		if next >= uint64(chunks) || d.Short() {
			return dst, false
		}
		dst = append(dst, posting{chunk: uint32(next), count: count})
		next++
	}
	return dst, true
}

// countKind returns what the next count is told of the last one, 0 before any.
func countKind(count uint32) int { return int(min(count, countKinds-1)) }
