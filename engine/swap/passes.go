package swap

// Passes says how a token is decoded that leaves inputs out. Either kind gives the same
// bits.
type Passes int

// Kinds of passes.
const (
	CheaperPasses Passes = iota // whichever takes less time
	SparsePasses                // rows of active channels alone
	DensePasses                 // whole layers, masked
)

// chooser chooses between sparse and dense passes: small reads may cost more than they
// save. It begins with the estimates of the cost model (ActiveFlow 4.1), and replaces that
// of the present kind by what its passes take. When the other kind is estimated clearly
// faster it has its turn, and stays unless it proves slower than the first was.
type chooser struct {
	forced  Passes
	dense   bool       // the present kind
	seconds [2]float64 // of a pass, estimated or measured: sparse, dense
	settled int        // passes of the kind at hand since it was chosen
	passes  [2]int     // that were made
}

const (
	// warmingPasses is how many passes after a change are not measured: they fill the
	// memory anew.
	warmingPasses = 2
	// clearlyFaster is the share of the present kind's time that the other must stay below
	// to be chosen: changing has a price.
	clearlyFaster = .8
	// newest is the weight of the last pass in the mean time of passes.
	newest = .25
)

// begin chooses by estimates of both kinds, in seconds.
func (c *chooser) begin(sparse, dense float64) {
	c.seconds = [2]float64{sparse, dense}
	c.dense = c.forced == DensePasses || c.forced == CheaperPasses && dense < sparse
	c.settled = 0
}

// kind is the place of a kind in arrays.
func kind(dense bool) int {
	if dense {
		return 1
	}
	return 0
}

// took counts a pass of one row, and chooses the kind of the next one.
func (c *chooser) took(dense bool, seconds float64) {
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
