package kv

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// Residual is how many chunks at the end of a text stay at Level8, since what was said
// last is attended to most.
const Residual = 8

// Objective is what LowerPlan optimises.
type Objective uint8

// The objectives.
const (
	// Distortion minimises the error of keys and values, weighed by how much attention a
	// chunk receives.
	Distortion Objective = iota
	// Paper maximises, as LLMS writes it, the density of chunks over their ratio of bits.
	// Where it has a choice it ends at an extreme of that; it is there for comparison.
	Paper
)

// Errors is how far keys and values at a level are from those at Level8: the mean square
// of the difference over that of the numbers.
type Errors struct{ Four, Two float64 }

// SmolLM2Errors are those of 3,743 tokens of an article of SQuAD in SmolLM2-135M-Instruct
// (go test ./engine/transformer -run LoweredPasts), the mean of keys, 0.0011 and 0.018, and
// values, 0.0093 and 0.126.
var SmolLM2Errors = Errors{Four: 0.0052, Two: 0.072}

// Lowerable is what LowerPlan knows of a chunk.
type Lowerable struct {
	Density float32
	Level   Level // above which it cannot go
	Fixed   bool  // it stays at its Level
}

// LowerPlan chooses the levels of chunks, so that in the mean they take at most ratio of
// the bytes that they would take at Level8. Bytes are those that a chunk of the shape
// actually takes. Where even two bits for all that can be lowered are too many, it
// chooses those.
func LowerPlan(chunks []Lowerable, s *Shape, e Errors, ratio float64, o Objective) []Level {
	levels := make([]Level, len(chunks))
	p := lowering{shape: s, errors: e, objective: o, budget: int64(ratio * float64(len(chunks)) * float64(s.ChunkBytes(Level8)))}
	for i, c := range chunks {
		levels[i] = c.Level
		if c.Fixed {
			p.budget -= int64(s.ChunkBytes(c.Level))
			continue
		}
		p.chunks = append(p.chunks, i)
	}
	slices.SortStableFunc(p.chunks, func(a, b int) int { return cmp.Compare(chunks[b].Density, chunks[a].Density) })
	p.choose(chunks, levels)
	return levels
}

// lowering is a choice of levels for some chunks.
type lowering struct {
	shape     *Shape
	errors    Errors
	objective Objective
	budget    int64
	chunks    []int // the densest first
}

// choose tries every number of chunks at 8 bits. Of the others as many as the budget has
// room for get 4: the densest of those that can. For the distortion that is best, since
// a chunk's gain by each step is its density times the same for all.
func (p *lowering) choose(all []Lowerable, levels []Level) {
	best, least, try := math.Inf(-1), int64(math.MaxInt64/2), slices.Clone(levels)
	for _, i := range p.chunks {
		levels[i] = Level2 // where nothing fits
	}
	for eights := range len(p.chunks) + 1 {
		left, fits := p.assign(all, try, eights)
		if !fits {
			break
		}
		if p.objective == Paper && left < least-p.step(Level4) { // the paper's plans use all they may
			best = math.Inf(-1)
		}
		if value := p.value(all, try); value > best && (p.objective != Paper || left < least+p.step(Level4)) {
			best, least = value, min(least, left)
			copy(levels, try)
		}
	}
}

// step is the bytes from two bits to a level.
func (p *lowering) step(l Level) int64 {
	return int64(p.shape.ChunkBytes(l) - p.shape.ChunkBytes(Level2))
}

// assign gives 8 bits to the densest chunks that can have them, eights in number, and 4
// to as many of the others as there is room for. It returns the bytes left, and reports
// whether there are as many chunks and all fits.
func (p *lowering) assign(all []Lowerable, try []Level, eights int) (left int64, fits bool) {
	left = p.budget - int64(len(p.chunks)*p.shape.ChunkBytes(Level2)) - int64(eights)*p.step(Level8)
	if left < 0 {
		return 0, false
	}
	for _, i := range p.chunks {
		try[i] = Level2
		if eights > 0 && all[i].Level == Level8 {
			try[i] = Level8
			eights--
		}
	}
	for _, i := range p.chunks {
		if try[i] == Level2 && all[i].Level >= Level4 && left >= p.step(Level4) {
			try[i] = Level4
			left -= p.step(Level4)
		}
	}
	return left, eights == 0
}

// value is what the objective makes of a choice.
func (p *lowering) value(all []Lowerable, try []Level) float64 {
	worth := map[Level]float64{Level8: 0, Level4: -p.errors.Four, Level2: -p.errors.Two}
	if p.objective == Paper {
		worth = map[Level]float64{Level8: 1, Level4: 2, Level2: 4}
	}
	total := 0.0
	for _, i := range p.chunks {
		total += float64(all[i].Density) * worth[try[i]]
	}
	return total
}

// LowerPlan chooses the levels of the chunks of a Cache: those of the sealed ones before
// the last Residual, the others being left as they are. What is missing keeps the level
// that it comes back at.
func (c *Cache) LowerPlan(e Errors, ratio float64, o Objective) []Level {
	var chunks []Lowerable
	for i := range max(0, c.Chunks()-Residual) {
		chunks = append(chunks, Lowerable{Density: c.Density(i), Level: c.Level(i), Fixed: c.Missing(i)})
	}
	levels := LowerPlan(chunks, &c.shape, e, ratio, o)
	for i := len(levels); i < c.Chunks(); i++ {
		levels = append(levels, c.Level(i))
	}
	return levels
}

// LowerTo lowers chunks to levels of LowerPlan, and returns those that it lowered.
func (c *Cache) LowerTo(levels []Level) (lowered []int, err error) {
	for i, level := range levels {
		if level < c.Level(i) {
			if one := c.Lower(i, level); one != nil {
				err = errors.Join(err, one)
				continue
			}
			lowered = append(lowered, i)
		}
	}
	return lowered, err
}
