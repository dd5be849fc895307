package rerank

import (
	"fmt"
	"math"
	"time"
)

// Mode says what of the result has to be right.
type Mode uint8

// The modes.
const (
	// Set finds which K candidates are best, and nothing more: winners leave
	// as soon as they are certain, and have no final score.
	Set Mode = iota
	// Order also ranks the best K by their final scores. Only losers leave
	// early, and each of the best K has its final score, even where the order is
	// known without it.
	Order
)

// String is the name of the mode: set or order.
func (m Mode) String() string {
	switch m {
	case Set:
		return "set"
	case Order:
		return "order"
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// Domain is the scale on which the dispersion of scores is taken. Thresholds
// of one domain mean nothing in the other.
type Domain uint8

// The domains.
const (
	// Prob takes probabilities, the sigmoid of the margins. Their coefficient
	// of variation lies between 0 and sqrt(n-1).
	Prob Domain = iota
	// Raw takes the margins as they are. Where their mean crosses zero the
	// coefficient of variation explodes for no statistical reason.
	Raw
)

// String is the name of the domain: prob or raw.
func (d Domain) String() string {
	switch d {
	case Prob:
		return "prob"
	case Raw:
		return "raw"
	}
	return fmt.Sprintf("Domain(%d)", uint8(d))
}

// Guards hold back decisions that the published algorithm would take on thin
// evidence. The zero value holds back nothing.
type Guards struct {
	// MinLayers is the number of layers to compute before the first check.
	// For a model with trained heads, the number up to and with the first
	// layer that has one.
	MinLayers int
	// MinGap is how far the boundary cluster must be from a neighbour, between
	// the two scores nearest to each other, for that neighbour to leave; in
	// units of the standard deviation within clusters. A neighbour nearer than
	// that counts as part of the boundary.
	MinGap float64
	// Patience is at how many consecutive checks a candidate must be found
	// certain, the same way each time, to leave. 0 means 1.
	Patience int
	// MinActive is the number of active candidates below which nobody leaves:
	// the dispersion of three or four scores is noise. Below 3 it means 3.
	MinActive int
}

// EncoderGuards are the guards for an encoder of the given depth. Its first
// token gathers evidence late, so that 0.4 of the layers go unchecked.
func EncoderGuards(layers int) Guards { return guardsFrom(0.4, layers) }

// DecoderGuards are the guards for a decoder of the given depth; a quarter of
// the layers go unchecked.
func DecoderGuards(layers int) Guards { return guardsFrom(0.25, layers) }

// shallow is the depth up to which a model has so few layers that each decides
// much: a candidate then has to be found certain twice.
const shallow = 12

func guardsFrom(share float64, layers int) Guards {
	g := Guards{MinLayers: int(math.Ceil(share * float64(layers))), MinGap: 0.5, Patience: 1, MinActive: 4}
	if layers <= shallow {
		g.Patience = 2
	}
	return g
}

// Options say how to prune. Their zero value has no K and is refused; Exact
// is the start for a model that is not calibrated.
type Options struct {
	K    int // results wanted, at least 1
	Mode Mode
	// Sure is how many of them, from the best on, must be right; 0 means K. In
	// mode Order the others may leave early too, and are ranked by what was
	// known then. It comes from Calibrate.
	Sure int

	// Tau is the dispersion of the active scores above which candidates may
	// leave: 0 prunes at every check, +Inf never, which is the plain forward
	// pass. It comes from Calibrate.
	Tau    float64
	Domain Domain

	// Clusters is the number of clusters, from 2 to 5. 0 takes the number with
	// the highest mean silhouette.
	Clusters int
	Guards   Guards
	// Literal is the algorithm as published: Guards are ignored.
	Literal bool

	// Deadline, if not zero, ends the run before a layer that would probably
	// not be done by then.
	Deadline time.Time
	// Now is the clock for Deadline and for the times in reports; nil means
	// time.Now.
	Now func() time.Time
	// Observe, if not nil, is called after each layer, from the goroutine of
	// Run. What it is given may be kept but not changed.
	Observe func(LayerReport)
}

// Exact are the options of a full forward pass that wants the best k.
func Exact(k int) Options { return Options{K: k, Tau: math.Inf(1)} }

// leastActive is the number of scores below which clusters mean nothing.
const leastActive = 3

// guards are those in force.
func (o *Options) guards() Guards {
	g := o.Guards
	if o.Literal {
		g = Guards{}
	}
	g.Patience = max(g.Patience, 1)
	g.MinActive = max(g.MinActive, leastActive)
	return g
}

// sure are the results that pruning keeps to the end, of n candidates.
func (o *Options) sure(n int) int {
	if o.Sure > 0 {
		return min(o.Sure, n)
	}
	return min(o.K, n)
}

// check refuses options that mean nothing.
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
