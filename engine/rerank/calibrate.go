package rerank

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Bounds of calibration.
const (
	// MinTraces is the least number of traces; with fewer the threshold is +Inf.
	MinTraces = 50
	// MaxTraces is how many of the latest traces count.
	MaxTraces = 200
	// DefaultTarget is the usual target agreement with the full pass.
	DefaultTarget = 0.99
)

// Calibration is a threshold and its expected effect.
type Calibration struct {
	Tau       float64 // +Inf if no threshold reaches the target
	Sure      int     // as in Options
	MinLayers int     // layers before the first check, at least that of the options
	Traces    int     // number used
	// Agreement is the mean agreement with the full pass, Lower its lower 95% confidence bound,
	// Cost the mean share of the pass that is computed, each at Tau.
	Agreement, Lower, Cost float64
	Layers                 []Trust // by layer
	Curve                  []Point // of all thresholds, ascending, with Sure and MinLayers; empty with too few traces
}

// Apply returns the options with the calibrated choice.
func (c *Calibration) Apply(opts Options) Options {
	opts.Tau, opts.Sure = c.Tau, c.Sure
	opts.Guards.MinLayers = max(opts.Guards.MinLayers, c.MinLayers)
	return opts
}

// Calibrate replays traces to find the threshold, the first layer to check and, in mode Order,
// Sure, with the least cost at which the best K agree with the full pass to the target (0 to 1). A
// choice reaches it if the lower 95% bootstrap bound of the mean agreement does, and if all more
// careful choices, none of whose three values is lower, do too: a lucky one between failures is
// chance.
//
// K, mode, domain, clusters and guards come from opts; the seed is of the bootstrap. Traces are
// oldest first and of one depth; those that want all candidates are ignored. Layers whose clusters
// contradict the final order are excluded by MinLayers. Literal opts have no guards, so only
// their threshold is chosen. Damaged traces are errors, and so is a done ctx.
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

// choose sets the cheapest trusted choice. It goes from the latest first check and the most sure
// results down to those in opts, and trusts a threshold only if all more careful choices do.
func (c *Calibration) choose(ctx context.Context, traces []Trace, opts Options, target float64, seed uint64) error {
	taus, begins := thresholds(), beginnings(opts, len(c.Layers))
	trusted := make([]int, len(begins)) // by beginning, index of the least threshold trusted so far
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
			if math.IsInf(c.Tau, 1) && sure == opts.K { // nothing chosen: the curve without a later beginning
				c.Curve = points
			}
		}
	}
	return nil
}

// sures are the values of Sure that are tried, each half of the one before.
func sures(opts Options) []int {
	list := []int{opts.K}
	for sure := opts.K; opts.Mode == Order && !opts.Literal && sure > 1; {
		sure = (sure + 1) / 2
		list = append(list, sure)
	}
	return list
}

// Measure returns the effect of options on traces, selected as by Calibrate, and the number of
// these. Without traces it agrees, at full cost.
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

// mostBeginnings bounds the first layers that are tried.
const mostBeginnings = 8

// beginnings are the values of MinLayers that are tried, descending in equal steps to that of
// opts.
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

// usable returns the latest informative traces, checked.
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

// cheapest returns the cheapest point of the feasible run that ends at the last point and starts
// at the index trusted or above, and the start of the run; of equal cost the highest threshold.
// The last point, +Inf, is always feasible.
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
