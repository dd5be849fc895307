package kv

import (
	"cmp"
	"slices"
)

// MissingChunk is what a plan knows of a chunk that is to come back.
type MissingChunk struct {
	Chunk  int // its number in the Cache
	First  int // the position of its first token
	Tokens int
	Level  Level // of what is to be read
	Bytes  int   // to be read, the same for all chunks of a level
	Kept   bool  // its bytes are somewhere to be read; otherwise it has to be computed
}

// Missed returns what a plan needs to know of a missing chunk of the cache.
func (c *Cache) Missed(i int, kept bool) MissingChunk {
	level := c.Level(i)
	return MissingChunk{
		Chunk: i, First: i * c.shape.ChunkTokens, Tokens: len(c.ChunkTokens(i)),
		Level: level, Bytes: c.shape.ChunkBytes(level), Kept: kept,
	}
}

// positions returns how many positions the tokens of a chunk attend to, each those up to
// its own.
func (m *MissingChunk) positions() int {
	return m.Tokens*m.First + m.Tokens*(m.Tokens+1)/2
}

// PlanRestore chooses which of the missing chunks to read and which to compute beside
// that, so that the longer of the two takes the least time. It returns numbers of
// chunks, ascending.
//
// No choice takes less time by the profile. For a count of chunks of each level those are
// computed that cost the least: the first ones, since later tokens attend to more. So
// there is one choice for each triple of counts, the heaviest chunks where positions cost
// nothing. With the counts of two levels given, more chunks of the third take longer to
// compute and less to read, and the best count is where both times meet; it only goes
// down as the second count goes up. Where all chunks have one level, each count is looked
// at once.
func PlanRestore(missing []MissingChunk, p Profile) (read, compute []int) {
	plan := restorePlan{profile: p}
	for _, m := range missing {
		plan.add(m)
	}
	for i := range plan.levels {
		plan.levels[i].sum(p)
	}
	// The longest list is the one that is not tried count by count.
	slices.SortStableFunc(plan.levels[:], func(a, b levelPlan) int { return cmp.Compare(len(a.chunks), len(b.chunks)) })
	best := plan.best()
	compute = plan.forced
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

// restorePlan is the choice of PlanRestore under way.
type restorePlan struct {
	profile   Profile
	forced    []int   // chunks that nobody kept
	forcedFor float64 // seconds that these take
	levels    [len(Levels)]levelPlan
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
	if !m.Kept {
		p.forced = append(p.forced, m.Chunk)
		p.forcedFor += p.profile.chunkSeconds(&m)
		return
	}
	i := max(0, slices.Index(Levels[:], m.Level))
	p.levels[i].chunks = append(p.levels[i].chunks, m)
}

// sum fills in the times.
func (l *levelPlan) sum(p Profile) {
	slices.SortStableFunc(l.chunks, func(a, b MissingChunk) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(p.chunkSeconds(&a), p.chunkSeconds(&b)))
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
	best, third := counts{}, len(p.levels[2].chunks)
	least, work := p.cost(best)
	try := func(c counts) {
		if time, own := p.cost(c); time < least || time == least && own < work {
			best, least, work = c, time, own
		}
	}
	for i := range len(p.levels[0].chunks) + 1 {
		c := third
		for j := range len(p.levels[1].chunks) + 1 {
			for c > 0 && p.computing(counts{i, j, c}) > p.reading(counts{i, j, c}) {
				c--
			}
			try(counts{i, j, c})
			try(counts{i, j, min(c+1, third)})
		}
	}
	return best
}

// cost returns how long reading and computing side by side take, and the latter alone.
func (p *restorePlan) cost(c counts) (both, computing float64) {
	computing = p.computing(c)
	return max(p.reading(c), computing), computing
}

func (p *restorePlan) reading(c counts) float64 {
	total := 0.0
	for i, n := range c {
		total += p.levels[i].read[n]
	}
	return total
}

func (p *restorePlan) computing(c counts) float64 {
	total := p.forcedFor
	for i, n := range c {
		total += p.levels[i].compute[n]
	}
	if len(p.forced) > 0 || c != (counts{}) {
		total += p.profile.Pass
	}
	return total
}
