package kv

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// lowered is what all chunks take at levels.
func lowered(s *Shape, levels []Level) (bytes int64) {
	for _, l := range levels {
		bytes += int64(s.ChunkBytes(l))
	}
	return bytes
}

// bruteLower tries every choice of levels, and returns the least distortion.
func bruteLower(chunks []lowerable, s *Shape, ratio float64) float64 {
	budget, best := int64(ratio*float64(len(chunks))*float64(s.ChunkBytes(Level8))), math.Inf(1)
	levels := make([]Level, len(chunks))
	var try func(i int)
	try = func(i int) {
		if i == len(chunks) {
			if lowered(s, levels) <= budget {
				best = min(best, distortion(chunks, levels))
			}
			return
		}
		for _, l := range Levels {
			if l == chunks[i].level || l < chunks[i].level && !chunks[i].fixed {
				levels[i] = l
				try(i + 1)
			}
		}
	}
	try(0)
	return best
}

func distortion(chunks []lowerable, levels []Level) (total float64) {
	for i, l := range levels {
		total += float64(chunks[i].density) * levelErrors[l]
	}
	return total
}

// The choice is the best there is, among chunks that cannot go up again or stay.
func TestLowerPlanIsTheLeastDistortion(t *testing.T) {
	s := &Shape{Layers: 2, Heads: 3, HeadDim: 64, ChunkTokens: 16}
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		chunks := make([]lowerable, 1+r.IntN(8))
		for i := range chunks {
			chunks[i] = lowerable{density: float32(math.Exp(2 * r.NormFloat64())), level: Levels[max(0, r.IntN(6)-3)], fixed: r.IntN(8) == 0}
		}
		ratio := 0.3 + 0.7*r.Float64()
		levels := lowerPlan(chunks, s, ratio)
		for i, l := range levels {
			if l > chunks[i].level || chunks[i].fixed && l != chunks[i].level {
				t.Fatalf("chunk %d of %+v becomes %d bits", i, chunks, l)
			}
		}
		want := bruteLower(chunks, s, ratio)
		if math.IsInf(want, 1) { // not even 2 bits for all fit
			for i, l := range levels {
				if !chunks[i].fixed && l != Level2 {
					t.Fatalf("%v of %+v at %g", levels, chunks, ratio)
				}
			}
			continue
		}
		if bytes := lowered(s, levels); bytes > int64(ratio*float64(len(chunks))*float64(s.ChunkBytes(Level8))) {
			t.Fatalf("%+v at %g take %d bytes: %v", chunks, ratio, bytes, levels)
		}
		if got := distortion(chunks, levels); got > want*(1+1e-9) {
			t.Fatalf("%+v at %g: %v of distortion %g, the least is %g", chunks, ratio, levels, got, want)
		}
	}
}

// T-K5: the mean of actual bytes keeps to the ratio, the last chunks stay, and levels go
// down alone as a text grows.
func TestLevelsOfAGrowingTextGoDown(t *testing.T) {
	s := Shape{Layers: 1, Heads: 2, HeadDim: 32, ChunkTokens: 16}
	c, r := filled(t, s, 16*40, nil), rand.New(rand.NewPCG(1, 1))
	c.TrackDensity(1000)
	var before []Level
	for _, tokens := range []int{200, 333, 480, 640} {
		part := NewCache(s, nil, nil)
		part.TrackDensity(1000)
		for i := range tokens/16 + 1 {
			c.SetDensity(min(i, c.Chunks()-1), float32(r.Float64()))
		}
		chunks := make([]lowerable, max(0, (tokens+15)/16-Residual))
		for i := range chunks {
			chunks[i] = lowerable{density: c.Density(i), level: Level8}
			if i < len(before) {
				chunks[i].level = before[i]
			}
		}
		levels := lowerPlan(chunks, &s, 0.5)
		for i := range min(len(before), len(levels)) {
			if levels[i] > before[i] {
				t.Fatalf("chunk %d goes up from %d to %d bits", i, before[i], levels[i])
			}
		}
		if got := float64(lowered(&s, levels)); len(levels) > 0 && got > 0.5*float64(len(levels)*s.ChunkBytes(Level8)) {
			t.Errorf("%d chunks take %g bytes", len(levels), got)
		}
		before = levels
	}
	levels := c.LowerPlan(0.5)
	changed, err := c.LowerTo(levels)
	if err != nil || len(changed) == 0 || changed[len(changed)-1] >= c.Chunks()-Residual {
		t.Fatalf("lowered %v of %d chunks (%v)", changed, c.Chunks(), err)
	}
	for i := range c.Chunks() {
		if c.Level(i) != levels[i] || i >= c.Chunks()-Residual && levels[i] != Level8 {
			t.Errorf("chunk %d has %d bits, planned %d", i, c.Level(i), levels[i])
		}
	}
	if again, err := c.LowerTo(c.LowerPlan(0.5)); err != nil || len(again) > 0 {
		t.Errorf("lowered again without need: %v (%v)", again, err)
	}
}

// The densest chunks keep the most bits.
func TestDenseChunksKeepTheirBits(t *testing.T) {
	s := &Shape{Layers: 2, Heads: 3, HeadDim: 64, ChunkTokens: 16}
	var chunks []lowerable
	for i := range 40 {
		chunks = append(chunks, lowerable{density: float32(math.Pow(0.8, float64(i))), level: Level8})
	}
	levels := lowerPlan(chunks, s, 0.5)
	if !slices.IsSortedFunc(levels, func(a, b Level) int { return int(b) - int(a) }) || levels[0] != Level8 || levels[39] != Level2 || !slices.Contains(levels, Level4) {
		t.Errorf("%v", levels)
	}
}
