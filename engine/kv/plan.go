package kv

import (
	"cmp"
	"slices"
	"sort"
)

// MissingChunk is what a plan knows of a chunk that is to come back.
type MissingChunk struct {
	Chunk  int // its number in the Cache
	First  int // the position of its first token
	Tokens int
	Bytes  int  // to be read, which tells the level that it has
	Kept   bool // its bytes are somewhere to be read; otherwise it has to be computed
	// ReadOnly says not to compute it if it is kept: behind chunks of fewer bits than it
	// was computed behind, it would be another one.
	ReadOnly bool
}

// Missed returns what a plan needs to know of a missing chunk of the cache.
func (c *Cache) Missed(i int, kept bool) MissingChunk {
	return MissingChunk{
		Chunk: i, First: i * c.shape.ChunkTokens, Tokens: len(c.ChunkTokens(i)),
		Bytes: c.shape.ChunkBytes(c.Level(i)), Kept: kept,
	}
}

// positions returns how many positions the tokens of a chunk attend to, each those up to
// its own.
func (m *MissingChunk) positions() int {
	return m.Tokens*m.First + m.Tokens*(m.Tokens+1)/2
}

// PlanRestore chooses which of the missing chunks to read and which to compute beside
// that in the least time. It returns numbers of chunks, ascending.
//
// No choice takes less time by the profile (see both). For a count of chunks of each
// level those are computed that cost the least: the first ones, since later tokens attend
// to more. So there is one choice for each triple of counts, the heaviest chunks where
// positions cost nothing. All of these are looked at but for the longest list, in whose
// count the time is convex: chunks cost ever more to compute, and equally much to read.
// Where all chunks have one level, that is a search among log(n) counts.
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

// PlanPrefix returns how many of the first chunks of a text to bring back before its other
// tokens are computed behind them, if all of it is to take the least time by the profile:
// 0 where it is computed as a whole in no more. The text has that many tokens, and begins
// with the chunks.
func PlanPrefix(chunks []MissingChunk, tokens int, p Profile) int {
	positions := func(n int) int64 { return int64(n) * int64(n+1) / 2 }
	best, least := 0, p.ComputeSeconds(tokens, positions(tokens))
	for n := 1; n <= len(chunks); n++ {
		plan, before := newRestorePlan(chunks[:n], p), chunks[n-1].First+chunks[n-1].Tokens
		time, _ := plan.cost(plan.best())
		if before < tokens {
			time += p.ComputeSeconds(tokens-before, positions(tokens)-positions(before))
		}
		if time < least {
			best, least = n, time
		}
	}
	return best
}

// restorePlan is the choice of PlanRestore under way.
type restorePlan struct {
	profile      Profile
	sizes        []int // of chunks, by level
	onlyComputed []int // chunks about which there is no choice
	onlyRead     []int
	computeFor   float64 // seconds that these take
	readFor      float64
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
	// The longest list is the one that is not tried count by count.
	slices.SortStableFunc(plan.levels[:], func(a, b levelPlan) int { return cmp.Compare(len(a.chunks), len(b.chunks)) })
	return plan
}

// sizesOf lists the bytes that chunks have: one number for each level.
func sizesOf(missing []MissingChunk) []int {
	var sizes []int
	for i := range missing {
		sizes = append(sizes, missing[i].Bytes)
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// levelPlan is the chunks of a level that are read or computed.
type levelPlan struct {
	chunks  []MissingChunk // in the order in which they are computed: the cheapest first
	compute []float64      // seconds that the first 0, 1, ... chunks take
	read    []float64      // seconds that the others take then
}

// counts is how many chunks of each level are computed.
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

// sum fills in the times.
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

// best returns the counts of the least time; of several those that compute the least.
func (p *restorePlan) best() counts {
	best, last := counts{}, len(p.levels[2].chunks)
	least, work := p.cost(best)
	for i := range len(p.levels[0].chunks) + 1 {
		if p.computing(counts{i}) > least {
			break // and so do all further ones
		}
		for j := range len(p.levels[1].chunks) + 1 {
			if p.computing(counts{i, j}) > least {
				break
			}
			first := 0
			if i+j == 0 && len(p.onlyComputed) == 0 {
				first = 1 // without any there is no pass, whose time is no part of a convex function
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

// cost returns how long reading and computing side by side take, and the latter alone.
func (p *restorePlan) cost(c counts) (time, computing float64) {
	computing = p.computing(c)
	return both(p.reading(c), computing), computing
}

// both returns how long reading and computing side by side take. Layers are computed in
// groups behind those that are read. So the first group is read before anything is
// computed, and the last one is computed after everything was read.
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
