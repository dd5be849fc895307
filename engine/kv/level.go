package kv

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Level is the number of bits of a chunk's numbers.
type Level uint8

// The levels. A chunk is written at Level8 and only ever lowered.
const (
	Level8 Level = 8 // a signed byte, and a scale for each token and head
	Level4 Level = 4
	Level2 Level = 2
)

// Levels are all levels, most bits first.
var Levels = [...]Level{Level8, Level4, Level2}

// Groups is the number of groups of layers in which a chunk is read and checked: group g has
// layers [Layers*g/Groups, Layers*(g+1)/Groups).
const Groups = 4

// check returns an error unless the level is known.
func (l Level) check() error {
	for _, known := range Levels {
		if l == known {
			return nil
		}
	}
	return fmt.Errorf("chunks of %d bits a number; 8, 4 and 2 are known", uint8(l))
}

// LayerBytes returns the bytes of a whole chunk in one layer.
func (s *Shape) LayerBytes(l Level) int {
	if l == Level8 {
		return s.ChunkTokens * RowBytes(s.Heads, s.HeadDim)
	}
	return packedBytes(s.ChunkTokens, s.Heads, s.HeadDim, l)
}

// ChunkBytes returns the bytes of a whole chunk: LayerBytes of each layer.
func (s *Shape) ChunkBytes(l Level) int { return s.Layers * s.LayerBytes(l) }

// GroupLayers returns the layers [from, to) of a group.
func (s *Shape) GroupLayers(group int) (from, to int) {
	return s.Layers * group / Groups, s.Layers * (group + 1) / Groups
}

// Lower rewrites a sealed chunk in memory with fewer bits, from the numbers that it has.
func (c *Cache) Lower(i int, l Level) error {
	if err := l.check(); err != nil {
		return err
	}
	from := &c.chunks[i]
	switch {
	case from.missing():
		return fmt.Errorf("chunk %d is missing; only what is in memory can be lowered", i)
	case !c.Sealed(i):
		return fmt.Errorf("chunk %d is still open, which is kept at %d bits", i, Level8)
	case l >= from.level:
		return fmt.Errorf("chunk %d has %d bits a number, and is not brought to %d", i, from.level, l)
	}
	to, err := c.newChunk(c.shape.ChunkTokens, l)
	if err != nil {
		return err
	}
	for layer := range from.layers {
		from.layers[layer].lower(&to.layers[layer], c.shape.ChunkTokens)
	}
	err = c.give(from)
	c.chunks[i] = to
	return err
}

// Residual is the number of chunks at the end of a text that stay at Level8, since the last
// tokens are attended to most.
const Residual = 8

// levelErrors is the mean square error of keys and values at a level, over the mean square of
// the numbers at Level8: measured over 3,743 tokens of an article of SQuAD in
// SmolLM2-135M-Instruct (go test ./engine/transformer -run LoweredPasts), the mean of keys
// (0.0011 and 0.018) and values (0.0093 and 0.126).
var levelErrors = map[Level]float64{Level8: 0, Level4: 0.0052, Level2: 0.072}

// lowerable is a chunk in lowerPlan.
type lowerable struct {
	density float32
	level   Level // the highest possible
	fixed   bool  // it stays at level
}

// lowerPlan chooses levels of the least distortion, the sum over chunks of density times
// error, with which the chunks take at most ratio of their bytes at Level8. If even two bits
// for all take more, it chooses those. LLMS maximises density over bits instead, which ends at
// an extreme and gave the same perplexity.
// chooses those.
func lowerPlan(chunks []lowerable, s *Shape, ratio float64) []Level {
	levels := make([]Level, len(chunks))
	p := lowering{shape: s, budget: int64(ratio * float64(len(chunks)) * float64(s.ChunkBytes(Level8)))}
	for i, c := range chunks {
		levels[i] = c.level
		if c.fixed {
			p.budget -= int64(s.ChunkBytes(c.level))
			continue
		}
		p.chunks = append(p.chunks, i)
	}
	slices.SortStableFunc(p.chunks, func(a, b int) int { return cmp.Compare(chunks[b].density, chunks[a].density) })
	p.choose(chunks, levels)
	return levels
}

// lowering is a choice of levels for some chunks.
type lowering struct {
	shape  *Shape
	budget int64
	chunks []int // densest first
}

// choose tries every number of chunks at 8 bits and gives 4 to as many of the others as fit.
// Both go to the densest chunks that can have them, which is optimal: a chunk gains by each
// step its density times the same for all.
func (p *lowering) choose(all []lowerable, levels []Level) {
	least, try := math.Inf(1), slices.Clone(levels)
	for _, i := range p.chunks {
		levels[i] = Level2 // where nothing fits
	}
	for eights := range len(p.chunks) + 1 {
		if !p.assign(all, try, eights) {
			break
		}
		if now := p.distortion(all, try); now < least {
			least = now
			copy(levels, try)
		}
	}
}

// step returns the bytes from two bits to a level.
func (p *lowering) step(l Level) int64 {
	return int64(p.shape.ChunkBytes(l) - p.shape.ChunkBytes(Level2))
}

// assign gives 8 bits to the densest chunks that can have them, eights in number, and 4 to as
// many of the others as there is room for. It reports whether there are enough such chunks and
// all fits.
func (p *lowering) assign(all []lowerable, try []Level, eights int) bool {
	left := p.budget - int64(len(p.chunks)*p.shape.ChunkBytes(Level2)) - int64(eights)*p.step(Level8)
	if left < 0 {
		return false
	}
	for _, i := range p.chunks {
		try[i] = Level2
		if eights > 0 && all[i].level == Level8 {
			try[i] = Level8
			eights--
		}
	}
	for _, i := range p.chunks {
		if try[i] == Level2 && all[i].level >= Level4 && left >= p.step(Level4) {
			try[i] = Level4
			left -= p.step(Level4)
		}
	}
	return eights == 0
}

func (p *lowering) distortion(all []lowerable, levels []Level) (total float64) {
	for _, i := range p.chunks {
		total += float64(all[i].density) * levelErrors[levels[i]]
	}
	return total
}

// LowerPlan chooses levels for sealed chunks before the last Residual, so that these take
// ratio of their bytes at Level8; see lowerPlan. Other chunks and missing ones keep theirs.
func (c *Cache) LowerPlan(ratio float64) []Level {
	var chunks []lowerable
	for i := range max(0, c.Chunks()-Residual) {
		chunks = append(chunks, lowerable{density: c.Density(i), level: c.Level(i), fixed: c.Missing(i)})
	}
	levels := lowerPlan(chunks, &c.shape, ratio)
	for i := len(levels); i < c.Chunks(); i++ {
		levels = append(levels, c.Level(i))
	}
	return levels
}

// LowerTo lowers chunks to levels of LowerPlan and returns the lowered ones.
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
