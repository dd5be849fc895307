package kv

import (
	"cmp"
	"slices"
	"sort"
)

// MissingChunk is a chunk to restore, as a plan sees it.
type MissingChunk struct {
	Chunk  int // its number in the Cache
	First  int // position of its first token
	Tokens int
	Bytes  int  // to read, one number for each level
	Kept   bool // its bytes can be read
	// ReadOnly forbids computing a kept chunk: behind lowered chunks its numbers would differ.
	ReadOnly bool
}

// Missed returns what a plan needs to know of a missing chunk of the cache.
func (c *Cache) Missed(i int, kept bool) MissingChunk {
	return MissingChunk{
		Chunk: i, First: i * c.shape.ChunkTokens, Tokens: len(c.ChunkTokens(i)),
		Bytes: c.shape.ChunkBytes(c.Level(i)), Kept: kept,
	}
}

// positions returns the number of attended positions of a chunk's tokens.
func (m *MissingChunk) positions() int {
	return m.Tokens*m.First + m.Tokens*(m.Tokens+1)/2
}

// PlanRestore splits missing chunks into those to read and those to compute meanwhile, in
// the least time by the profile (see both). It returns chunk numbers, ascending.
//
// For a given count of computed chunks of each level the first ones cost least, since later
// tokens attend to more. So there is one choice for each triple of counts. Those of the two
// shorter lists are enumerated; in the count of the longest list the time is convex, because
// chunks cost ever more to compute and the same to read, so it is found by binary search.
func PlanRestore(missing []MissingChunk, p Profile) (read, compute []int) {
	plan := newRestorePlan(missing, p)
	best := plan.best()
	read, compute = plan.onlyRead, plan.onlyComputed
	for i, l := range plan.levels {
		for j, m := range l.chunks {
			if j < best[i] {
				compute = append(compute, m.Chunk)
				continue
			}
			read = append(read, m.Chunk)
		}
	}
	slices.Sort(read)
	slices.Sort(compute)
	return read, compute
}

// PlanPrefix returns how many of the chunks at the start of a text of that many tokens to
// restore before the rest is computed, for the least time by the profile; 0 if computing all
// of it takes no longer.
func PlanPrefix(chunks []MissingChunk, tokens int, p Profile) int {
	positions := func(n int) int64 { return int64(n) * int64(n+1) / 2 }
	best, least := 0, p.computeSeconds(tokens, positions(tokens))
	for n := 1; n <= len(chunks); n++ {
		plan, before := newRestorePlan(chunks[:n], p), chunks[n-1].First+chunks[n-1].Tokens
		time, _ := plan.cost(plan.best())
		if before < tokens {
			time += p.computeSeconds(tokens-before, positions(tokens)-positions(before))
		}
		if time < least {
			best, least = n, time
		}
	}
	return best
}

// restorePlan is the state of PlanRestore.
type restorePlan struct {
	profile      Profile
	sizes        []int // bytes of chunks, by level
	onlyComputed []int // chunks without a choice
	onlyRead     []int
	computeFor   float64 // seconds of onlyComputed
	readFor      float64 // and of onlyRead
	levels       [len(Levels)]levelPlan
}

func newRestorePlan(missing []MissingChunk, p Profile) *restorePlan {
	plan := &restorePlan{profile: p, sizes: sizesOf(missing)}
	for _, m := range missing {
		plan.add(m)
	}
	for i := range plan.levels {
		plan.levels[i].sum(p)
	}
	// The longest list comes last, where best searches instead of enumerating.
	slices.SortStableFunc(plan.levels[:], func(a, b levelPlan) int { return cmp.Compare(len(a.chunks), len(b.chunks)) })
	return plan
}

// sizesOf lists the distinct sizes of chunks, one for each level.
func sizesOf(missing []MissingChunk) []int {
	var sizes []int
	for i := range missing {
		sizes = append(sizes, missing[i].Bytes)
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// levelPlan holds the chunks of one level that are read or computed.
type levelPlan struct {
	chunks  []MissingChunk // cheapest to compute first
	compute []float64      // seconds to compute the first 0, 1, ... chunks
	read    []float64      // seconds to read the rest
}

// counts is the number of computed chunks by level.
type counts [len(Levels)]int

func (p *restorePlan) add(m MissingChunk) {
	switch {
	case !m.Kept:
		p.onlyComputed = append(p.onlyComputed, m.Chunk)
		p.computeFor += p.profile.chunkSeconds(&m)
	case m.ReadOnly:
		p.onlyRead = append(p.onlyRead, m.Chunk)
		p.readFor += p.profile.readSeconds(&m)
	default:
		i := min(slices.Index(p.sizes, m.Bytes), len(p.levels)-1)
		p.levels[i].chunks = append(p.levels[i].chunks, m)
	}
}

func (l *levelPlan) sum(p Profile) {
	slices.SortStableFunc(l.chunks, func(a, b MissingChunk) int {
		return cmp.Compare(p.chunkSeconds(&a), p.chunkSeconds(&b))
	})
	n := len(l.chunks)
	l.compute, l.read = make([]float64, n+1), make([]float64, n+1)
	for i := range l.chunks {
		l.compute[i+1] = l.compute[i] + p.chunkSeconds(&l.chunks[i])
	}
	for i := n - 1; i >= 0; i-- {
		l.read[i] = l.read[i+1] + p.readSeconds(&l.chunks[i])
	}
}

// best returns the counts of the least time; of equal ones those that compute least.
func (p *restorePlan) best() counts {
	best, last := counts{}, len(p.levels[2].chunks)
	least, work := p.cost(best)
	for i := range len(p.levels[0].chunks) + 1 {
		if p.computing(counts{i}) > least {
			break // further ones take longer
		}
		for j := range len(p.levels[1].chunks) + 1 {
			if p.computing(counts{i, j}) > least {
				break
			}
			first := 0
			if i+j == 0 && len(p.onlyComputed) == 0 {
				first = 1 // without a pass its fixed time is missing, which breaks convexity
			}
			if first > last {
				continue
			}
			c := counts{i, j, first + sort.Search(last-first, func(n int) bool {
				now, _ := p.cost(counts{i, j, first + n})
				more, _ := p.cost(counts{i, j, first + n + 1})
				return more >= now
			})}
			if time, own := p.cost(c); time < least || time == least && own < work {
				best, least, work = c, time, own
			}
		}
	}
	return best
}

// cost returns the time of reading and computing side by side, and of computing alone.
func (p *restorePlan) cost(c counts) (time, computing float64) {
	computing = p.computing(c)
	return both(p.reading(c), computing), computing
}

// both returns the time of reading and computing side by side. Layers are computed in groups
// behind those that are read, so the first group is read before anything is computed and the
// last is computed after everything is read.
func both(reading, computing float64) float64 {
	return max(reading+computing/Groups, reading/Groups+computing)
}

func (p *restorePlan) reading(c counts) float64 {
	total := p.readFor
	for i, n := range c {
		total += p.levels[i].read[n]
	}
	return total
}

func (p *restorePlan) computing(c counts) float64 {
	total := p.computeFor
	for i, n := range c {
		total += p.levels[i].compute[n]
	}
	if len(p.onlyComputed) > 0 || c != (counts{}) {
		total += p.profile.Pass
	}
	return total
}
