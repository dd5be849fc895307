package lexical

import "math/bits"

// posting says how often a chunk, given by its place among the chunks of its
// segment, holds a term.
type posting struct{ chunk, count uint32 }

// longList is how many postings make a list a long one: coded on its own, to
// be decoded fast and to be skipped.
const longList = 256

// shortList codes fewer than longList postings of a segment of so many
// chunks: the gaps between chunks, each in the context of the one before and
// of how far apart the postings are on average, and the occurrences.
func (e *modelEncoder) shortList(list []posting, chunks int) {
	spread := spreadOf(len(list), chunks)
	class, next, count := 0, uint32(0), uint32(0)
	for _, p := range list {
		gap := p.chunk - next
		e.number(gapContext+(spread*gapClasses+class)*numberSteps, gapTopContext, gap)
		class = gapClass(gap)
		e.unary(countContext+countKind(count)*countSteps, uint64(p.count-1), countSteps)
		next, count = p.chunk+1, p.count
	}
}

// shortList appends n postings to dst; false says that they are damaged.
func (d *modelDecoder) shortList(dst []posting, n, chunks int) ([]posting, bool) {
	spread := spreadOf(n, chunks)
	class, next, count := 0, uint64(0), uint32(0)
	for range n {
		gap := d.number(gapContext+(spread*gapClasses+class)*numberSteps, gapTopContext)
		class = gapClass(gap)
		next += uint64(gap)
		count = uint32(d.unary(countContext+countKind(count)*countSteps, countSteps)) + 1
		if next >= uint64(chunks) || d.Short() {
			return dst, false
		}
		dst = append(dst, posting{chunk: uint32(next), count: count})
		next++
	}
	return dst, true
}

// spreadOf returns the number of bits of the average gap.
func spreadOf(n, chunks int) int { return min(bits.Len(uint(chunks/n)), spreads-1) }

// gapClass returns what the next gap is told of the last one.
func gapClass(gap uint32) int {
	switch width := bits.Len32(gap); {
	case width < 3:
		return 1 + width
	case width < 7:
		return 4
	}
	return 5
}

// countKind returns what the next count is told of the last one, 0 before any.
func countKind(count uint32) int { return int(min(count, countKinds-1)) }
