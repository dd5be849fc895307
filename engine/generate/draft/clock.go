package draft

import "math"

// clock corrects measured pass costs by observed times: a profile is of one
// moment, one context length and trees without branches. It keeps logarithms: a
// level common to all widths, which follows context and load, and each width's
// excess over the profile relative to one row.
// each width takes beside one row.
type clock struct {
	level  float64
	excess []float64 // by rows-1; 0 for one row
	seen   bool

	corrected []float64
}

const (
	levelRate  = 0.1  // share of a surprise that corrects the level
	singleRate = 0.2  // the same for a pass of one row
	excessRate = 0.05 // share that corrects the width
	// mostSurprise bounds a surprise: a delayed pass tells little.
	mostSurprise = 0.4
	// nearRows is how many rows away a surprise still counts.
	nearRows = 4
)

// took learns from the time of a pass of that many rows; cost is the profile.
func (c *clock) took(cost []float64, rows int, seconds float64) {
	if rows < 1 || rows > len(cost) || !(seconds > 0) || math.IsInf(seconds, 1) {
		return
	}
	if len(c.excess) != len(cost) {
		*c = clock{excess: make([]float64, len(cost))}
	}
	found := math.Log(seconds / cost[rows-1])
	if !c.seen {
		c.level, c.seen = found, true
		return
	}
	surprise := min(max(found-c.level-c.excess[rows-1], -mostSurprise), mostSurprise)
	if rows == 1 {
		c.level += singleRate * surprise
		return
	}
	c.level += levelRate * surprise
	for w := max(2, rows-nearRows+1); w <= min(len(cost), rows+nearRows-1); w++ {
		away := max(w-rows, rows-w)
		c.excess[w-1] += excessRate * surprise * float64(nearRows-away) / nearRows
	}
}

// cost returns the corrected profile. The slice stays the clock's.
func (c *clock) cost(profile []float64) []float64 {
	if len(c.excess) != len(profile) {
		return profile
	}
	c.corrected = append(c.corrected[:0], profile...)
	for i := range c.corrected {
		c.corrected[i] *= math.Exp(c.excess[i])
	}
	return c.corrected
}
