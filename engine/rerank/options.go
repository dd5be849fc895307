package rerank

import (
	"fmt"
	"math"
	"time"
)

// Mode says what must be right in a result.
type Mode uint8

// The modes.
const (
	// Set finds the best K only: winners leave once they are certain, without a final score.
	Set Mode = iota
	// Order also ranks the best K by final scores. Only losers leave early.
	Order
)

// String returns the name of the mode: set or order.
func (m Mode) String() string {
	switch m {
	case Set:
		return "set"
	case Order:
		return "order"
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// Domain is the scale of dispersion. Thresholds of one domain mean nothing in the other.
type Domain uint8

// The domains.
const (
	// Prob takes sigmoids of the margins, whose coefficient of variation is at most sqrt(n-1).
	Prob Domain = iota
	// Raw takes margins. The coefficient of variation explodes where their mean crosses zero.
	Raw
)

// String returns the name of the domain: prob or raw.
func (d Domain) String() string {
	switch d {
	case Prob:
		return "prob"
	case Raw:
		return "raw"
	}
	return fmt.Sprintf("Domain(%d)", uint8(d))
}

// Guards hold back decisions of the published algorithm on thin evidence. Zero holds back none.
type Guards struct {
	// MinLayers is the number of layers before the first check; for a model with trained heads,
	// up to the first layer with one.
	MinLayers int
	// MinGap is the gap between the nearest scores of the boundary cluster and a neighbour from
	// which the neighbour may leave, in standard deviations within clusters. A nearer neighbour
	// belongs to the boundary.
	MinGap float64
	// Patience is how many checks in a row must find a candidate certain, the same way. 0: 1.
	Patience int
	// MinActive is the number of active candidates below which none leaves, where no threshold was
	// measured for so few. Below 2 it means 2.
	MinActive int
}

// MeasuredGuards are for thresholds of Calibrate, which measures where checks may begin and how few candidates tell.
func MeasuredGuards() Guards {
	return Guards{MinLayers: 1, MinGap: 0.5, Patience: 1, MinActive: leastActive}
}

// Options control pruning. The zero value has no K and is refused; Exact is the start for an
// uncalibrated model.
type Options struct {
	K    int // results wanted, at least 1
	Mode Mode
	// Sure is how many of the best must be right; 0: K. In mode Order the others may leave early
	// and are ranked by their last scores. It comes from Calibrate.
	Sure int

	// Tau is the dispersion above which candidates may leave: 0 prunes at every check, +Inf
	// never. It comes from Calibrate.
	Tau    float64
	Domain Domain

	// Clusters is 2 to 5, or 0 for the number with the highest mean silhouette.
	Clusters int
	Guards   Guards
	// Literal is the algorithm as published, without Guards.
	Literal bool

	// Deadline, if not zero, ends the run before a layer that would probably miss it.
	Deadline time.Time
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Observe, if not nil, is called after each layer from Run's goroutine. Reports may be kept
	// but not changed.
	Observe func(LayerReport)
}

// Exact returns the options of a full pass for the best k.
func Exact(k int) Options { return Options{K: k, Tau: math.Inf(1)} }

// leastActive is the least number of scores that can be clustered.
const leastActive = 2

// guards returns the guards in force.
func (o *Options) guards() Guards {
	g := o.Guards
	if o.Literal {
		g = Guards{}
	}
	g.Patience = max(g.Patience, 1)
	g.MinActive = max(g.MinActive, leastActive)
	return g
}

// sure returns how many of n candidates must be right.
func (o *Options) sure(n int) int {
	if o.Sure > 0 {
		return min(o.Sure, n)
	}
	return min(o.K, n)
}

// check refuses invalid options.
func (o *Options) check() error {
	switch {
	case o.K < 1:
		return fmt.Errorf("rerank: %d results wanted; at least 1 is needed", o.K)
	case o.Sure < 0 || o.Sure > o.K:
		return fmt.Errorf("rerank: %d results to be sure of, %d wanted", o.Sure, o.K)
	case o.Sure > 0 && o.Sure < o.K && o.Mode != Order:
		return fmt.Errorf("rerank: to be sure of %d of %d results is for mode %s", o.Sure, o.K, Order)
	case o.Mode > Order:
		return fmt.Errorf("rerank: unknown mode %d", o.Mode)
	case o.Domain > Raw:
		return fmt.Errorf("rerank: unknown domain %d", o.Domain)
	case math.IsNaN(o.Tau) || o.Tau < 0:
		return fmt.Errorf("rerank: threshold %v; it lies between 0 and +Inf", o.Tau)
	case o.Clusters != 0 && (o.Clusters < 2 || o.Clusters > maxClusters):
		return fmt.Errorf("rerank: %d clusters; 2 to %d are possible, and 0 chooses", o.Clusters, maxClusters)
	case o.Guards.MinLayers < 0 || o.Guards.Patience < 0 || o.Guards.MinActive < 0 || !(o.Guards.MinGap >= 0):
		return fmt.Errorf("rerank: guards %+v; none may be negative", o.Guards)
	}
	return nil
}
