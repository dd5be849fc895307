package draft

import "math"

// defaultRows is the largest tree of int8 weights, with the root.
const defaultRows = 16

// leastGain is the speed-up below which nothing is drafted.
const leastGain = 1.05

// Budget decides how much to draft: a row is verified only where its expected
// tokens are worth its time on this machine.
type Budget struct {
	// Cost[w-1] is the measured time of a step of w rows, in any unit. If
	// empty, rows are free.
	Cost []float64
	// Rows bounds the tree with its root; 0 means defaultRows. len(Cost) bounds
	// it too.
	Rows int
}

// rows returns the size of the largest tree.
func (b Budget) rows() int {
	rows := b.Rows
	if rows <= 0 {
		rows = defaultRows
	}
	if len(b.Cost) > 0 {
		rows = min(rows, len(b.Cost))
	}
	return rows
}

// choose returns how many rows to verify. paths are the descending
// probabilities of the nodes after the root; rate is the tokens so far in the
// time of a step of one row.
//
// A convex curve would allow: add a node while its probability exceeds
// (c(w+1)-c(w))/c(1) * rate. Measured curves have steps, so all sizes are
// compared. A tree must gain 5%.
func (b Budget) choose(paths []float32, rate float64) int {
	most := min(b.rows(), len(paths)+1)
	if len(b.Cost) == 0 {
		return max(most, 1)
	}
	unit := b.Cost[0]
	best, rows := 1-rate, 1
	emitted, expected := 1.0, 1.0
	for w := 2; w <= most; w++ {
		emitted += float64(paths[w-2])
		if gain := emitted - rate*b.Cost[w-1]/unit; gain > best {
			best, rows, expected = gain, w, emitted
		}
	}
	if rows > 1 && expected*unit/b.Cost[rows-1] < leastGain {
		return 1
	}
	return rows
}

// pace follows the rate: tokens in the time of a step of one row, over the last
// steps.
type pace struct {
	tokens, time float64
}

const paceDecay = 0.9

func (p *pace) step(tokens int, time float64) {
	p.tokens = paceDecay*p.tokens + float64(tokens)
	p.time = paceDecay*p.time + time
}

// rate returns the pace, at least 1 as of plain decoding.
func (p *pace) rate() float64 {
	if p.time == 0 {
		return 1
	}
	return max(1, p.tokens/p.time)
}

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
