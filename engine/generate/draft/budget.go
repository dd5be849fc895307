package draft

// defaultRows is the largest tree of int8 weights, the root included.
const defaultRows = 16

// leastGain is the speed-up below which nothing is drafted.
const leastGain = 1.05

// Budget decides how much to draft: a row of the tree is verified only where
// the tokens it may give are worth the time it takes on this machine.
type Budget struct {
	// Cost[w-1] is the time of a step that verifies w rows, in any unit. It is
	// measured by the caller. Empty, every row is taken for free.
	Cost []float64
	// Rows bounds the tree, the root included: 0 stands for defaultRows. No tree
	// is larger than len(Cost) either.
	Rows int
}

// rows returns the size of the largest tree that the budget allows.
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

// choose returns how many rows to verify. paths holds the probability that each
// node after the root is accepted, in descending order; rate is the number of
// tokens emitted so far in the time of a step of one row.
//
// On a convex curve the rule is: add a node while its probability exceeds
// (c(w+1)-c(w))/c(1) * rate. A measured curve has steps, so that all sizes are
// compared. A tree that is not expected to gain 5% is not drafted.
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

// pace follows the rate: tokens emitted in the time of a step of one row, over
// the last steps.
type pace struct {
	tokens, time float64
}

const paceDecay = 0.9

func (p *pace) step(tokens int, time float64) {
	p.tokens = paceDecay*p.tokens + float64(tokens)
	p.time = paceDecay*p.time + time
}

// rate returns the pace, at least 1: plain decoding is always possible.
func (p *pace) rate() float64 {
	if p.time == 0 {
		return 1
	}
	return max(1, p.tokens/p.time)
}
