package rerank

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Bounds of calibration.
const (
	// MinTraces is the number of traces below which the threshold is +Inf: not
	// calibrated means exact.
	MinTraces = 50
	// MaxTraces is how many traces count, the latest ones.
	MaxTraces = 200
	// DefaultTarget is the agreement with the full forward pass to aim at.
	DefaultTarget = 0.99
)

// Calibration is a threshold and what it is expected to do.
type Calibration struct {
	Tau       float64 // +Inf where no threshold would do
	Sure      int     // as in Options
	MinLayers int     // layers to compute before the first check; never below that of the options
	Traces    int     // traces it rests on
	// Agreement is the mean Agreement with the full forward pass, Lower its
	// lower 95% confidence bound, Cost the mean share of the forward pass that
	// is computed, each at Tau.
	Agreement, Lower, Cost float64
	Layers                 []Trust // by layer
	Curve                  []Point // all thresholds with Sure and MinLayers, ascending; empty with too few traces
}

// Apply returns the options with what was calibrated.
func (c *Calibration) Apply(opts Options) Options {
	opts.Tau, opts.Sure = c.Tau, c.Sure
	opts.Guards.MinLayers = max(opts.Guards.MinLayers, c.MinLayers)
	return opts
}

// Calibrate finds the threshold, the layer to begin at and, in mode Order, how
// many of the best K to be sure of, with the least cost at which the best K
// agree with those of the full forward pass to the target (from 0 to 1), by
// replaying traces. A choice counts as reaching it if the lower 95% bootstrap
// bound of the mean agreement does, and only if all more careful ones do as
// well, of which none of the three is lower: a lucky one between failures is
// chance.
//
// K, mode, domain, clusters and guards are taken from opts; the seed is for
// the bootstrap. Traces come oldest first and must have one depth; those that
// want all their candidates say nothing and are left out. Layers whose
// clusters contradict the final order are kept from pruning by MinLayers.
// Literal opts have no guards: their threshold alone is chosen. It fails on a
// trace that is damaged, and with ctx.Err() once ctx is done.
func Calibrate(ctx context.Context, traces []Trace, opts Options, target float64, seed uint64) (Calibration, error) {
	if !(target >= 0 && target <= 1) {
		return Calibration{}, fmt.Errorf("rerank: target agreement %v; it lies between 0 and 1", target)
	}
	opts.Observe = nil
	opts.Tau, opts.Sure = math.Inf(1), opts.K
	if err := opts.check(); err != nil {
		return Calibration{}, err
	}
	used, err := usable(traces, opts.K)
	if err != nil {
		return Calibration{}, err
	}
	c := Calibration{
		Tau: math.Inf(1), Sure: opts.K, MinLayers: opts.Guards.MinLayers, Traces: len(used),
		Agreement: 1, Lower: 1, Cost: 1,
	}
	if len(used) == 0 {
		return c, nil
	}
	c.Layers = trust(used, opts)
	if !opts.Literal {
		c.MinLayers = max(c.MinLayers, trustedFrom(c.Layers))
		opts.Guards.MinLayers = c.MinLayers
	}
	if len(used) < MinTraces {
		return c, nil
	}
	if err := c.choose(ctx, used, opts, target, seed); err != nil {
		return Calibration{}, err
	}
	return c, nil
}

// choose fills in the cheapest choice that can be trusted. It goes from the
// most careful beginning, sure of the most results, to the one in opts, and
// asks of each threshold that it did for all more careful choices.
func (c *Calibration) choose(ctx context.Context, traces []Trace, opts Options, target float64, seed uint64) error {
	taus, begins := thresholds(), beginnings(opts, len(c.Layers))
	trusted := make([]int, len(begins)) // by beginning, index of the least threshold that did so far
	for _, sure := range sures(opts) {
		for i, begin := range begins {
			opts.Sure, opts.Guards.MinLayers = sure, begin
			points, err := curve(ctx, traces, opts, taus, target, seed)
			if err != nil {
				return err
			}
			var best Point
			best, trusted[i] = cheapest(points, max(trusted[i], trusted[max(i-1, 0)]))
			if best.Cost < c.Cost {
				c.Tau, c.Agreement, c.Lower, c.Cost = best.Tau, best.Agreement, best.Lower, best.Cost
				c.Sure, c.MinLayers, c.Curve = sure, begin, points
			}
			if math.IsInf(c.Tau, 1) && sure == opts.K { // nothing to choose: what it would be without a later beginning
				c.Curve = points
			}
		}
	}
	return nil
}

// sures are the numbers of results to be sure of that calibration tries, each
// half of the one before.
func sures(opts Options) []int {
	list := []int{opts.K}
	for sure := opts.K; opts.Mode == Order && !opts.Literal && sure > 1; {
		sure = (sure + 1) / 2
		list = append(list, sure)
	}
	return list
}

// Measure is what options do to traces, chosen and used as by Calibrate, and
// the number of these. It reaches no target. With no traces to use it agrees,
// at full cost.
func Measure(ctx context.Context, traces []Trace, opts Options, seed uint64) (Point, int, error) {
	exact := Point{Tau: opts.Tau, Agreement: 1, Lower: 1, Cost: 1}
	opts.Observe = nil
	if err := opts.check(); err != nil {
		return exact, 0, err
	}
	used, err := usable(traces, opts.K)
	if err != nil || len(used) == 0 {
		return exact, 0, err
	}
	points, err := curve(ctx, used, opts, []float64{opts.Tau}, math.Inf(1), seed)
	if err != nil {
		return exact, 0, err
	}
	return points[0], len(used), nil
}

// mostBeginnings bounds how many layers calibration tries to begin at.
const mostBeginnings = 8

// beginnings are the numbers of layers to compute before the first check that
// calibration tries, descending, at equal steps down to the one in opts.
func beginnings(opts Options, layers int) []int {
	least := opts.Guards.MinLayers
	if opts.Literal {
		return []int{least}
	}
	step := (max(layers-least, 0) + mostBeginnings - 1) / mostBeginnings
	var list []int
	for begin := least; begin < layers; begin += step {
		list = append(list, begin)
	}
	if len(list) == 0 {
		list = []int{least} // nothing is left to prune
	}
	slices.Reverse(list)
	return list
}

// usable are the latest traces that tell something, checked.
func usable(traces []Trace, k int) ([]Trace, error) {
	var used []Trace
	for i := len(traces) - 1; i >= 0 && len(used) < MaxTraces; i-- {
		t := traces[i]
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("trace %d: %w", i, err)
		}
		if t.Candidates <= k {
			continue
		}
		if len(used) > 0 && t.Layers != used[0].Layers {
			return nil, fmt.Errorf("rerank: trace %d has %d layers, a later one %d; calibrate each model by itself",
				i, t.Layers, used[0].Layers)
		}
		used = append(used, t)
	}
	return used, nil
}

// cheapest is the feasible point of the least cost among those at least at the
// index trusted above which all are feasible, and the index of the lowest of
// these; of equal cost the one with the highest threshold. The last point,
// +Inf, agrees with itself and is always feasible.
func cheapest(points []Point, trusted int) (best Point, lowest int) {
	lowest = len(points) - 1
	best = points[lowest]
	for lowest > trusted && points[lowest-1].Feasible {
		lowest--
		if points[lowest].Cost < best.Cost {
			best = points[lowest]
		}
	}
	return best, lowest
}
