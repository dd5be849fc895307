package transformer

import "time"

// Passes are those of one row over a row pack of which small inputs are left out. Either
// kind gives the same bits.
type Passes int

// Kinds of passes.
const (
	CheaperPasses Passes = iota // whichever takes less time
	SparsePasses                // rows of active channels alone
	DensePasses                 // whole layers, masked
)

// cheaper chooses between sparse and dense passes of one row (ActiveFlow 4.1's cost model,
// then what passes took): small reads may cost more than they spare. It begins with what
// the model of costs says of both. What passes of the kind at hand take replaces that; when
// the other kind is estimated to be clearly faster, it has its turn, and stays unless it
// proves slower than the first was.
type cheaper struct {
	forced  Passes
	dense   bool       // the kind at hand
	seconds [2]float64 // of a pass, estimated or measured: sparse, dense
	settled int        // passes of the kind at hand since it was chosen
	passes  [2]int     // that were made
	now     func() time.Time
}

const (
	// warmingPasses is how many passes after a change are not measured: they fill the
	// memory anew.
	warmingPasses = 2
	// clearlyFaster is the share of the time of the kind at hand that the other must stay
	// below to be chosen: changing has a price.
	clearlyFaster = .8
	// newest is the weight of the last pass in the mean of what passes take.
	newest = .25
)

// begin chooses by what the model of costs says of either kind.
func (c *cheaper) begin(sparse, dense float64) {
	c.seconds = [2]float64{sparse, dense}
	c.dense = c.forced == DensePasses || c.forced == CheaperPasses && dense < sparse
	c.settled = 0
	if c.now == nil {
		c.now = time.Now
	}
}

// kind is the place of a kind in arrays.
func kind(dense bool) int {
	if dense {
		return 1
	}
	return 0
}

// took counts a pass of one row, and chooses the kind of the next one.
func (c *cheaper) took(dense bool, seconds float64) {
	c.passes[kind(dense)]++
	if c.settled++; c.settled <= warmingPasses {
		return
	}
	own := &c.seconds[kind(dense)]
	if *own += newest * (seconds - *own); c.settled == warmingPasses+1 {
		*own = seconds // until here there was an estimate
	}
	if c.forced == CheaperPasses && c.seconds[kind(!dense)] < clearlyFaster**own {
		c.dense, c.settled = !dense, 0
	}
}
