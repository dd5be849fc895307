package lexical

// posting is a chunk, by its place in the segment, and how often it has the term.
type posting struct{ chunk, count uint32 }

// longList is the number of postings from which a list is coded separately, to decode fast and to
// be skipped.
const longList = 256

// shortList codes fewer than longList postings: gaps in the context of the previous and the
// average gap, and counts. The only posting of a list is coded with equal chances.
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

// shortList appends n postings to dst; false on damage.
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

// countKind is the context of a count by the previous one, 0 for the first.
func countKind(count uint32) int { return int(min(count, countKinds-1)) }
