package rerank

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// Point is the effect of one threshold on the traces.
type Point struct {
	Tau                    float64
	Agreement, Lower, Cost float64 // as in Calibration
	Feasible               bool    // it reaches the target
}

// thresholds are the candidate thresholds, ascending: 60 from 0.01 to 50 in geometric steps, and
// +Inf.
func thresholds() []float64 {
	const count, low, high = 60, 0.01, 50.0
	taus := make([]float64, 0, count+1)
	for i := range count {
		taus = append(taus, low*math.Pow(high/low, float64(i)/(count-1)))
	}
	return append(taus, math.Inf(1))
}

// curve replays all traces at ascending thresholds.
func curve(ctx context.Context, traces []Trace, opts Options, taus []float64, target float64, seed uint64) ([]Point, error) {
	agreements := make([][]float64, len(taus)) // [threshold][trace]
	costs := make([]float64, len(taus))
	for i := range traces {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		outcomes, err := sweep(&traces[i], opts, taus)
		if err != nil {
			return nil, err
		}
		for j, o := range outcomes {
			agreements[j] = append(agreements[j], o.agreement)
			costs[j] += o.cost
		}
	}
	points := make([]Point, len(taus))
	for j, tau := range taus {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := Point{Tau: tau, Agreement: mean(agreements[j]), Cost: costs[j] / float64(len(traces))}
		if j > 0 && slices.Equal(agreements[j], agreements[j-1]) {
			p.Lower = points[j-1].Lower // of the same samples
		} else {
			p.Lower = lowerBound(agreements[j], seed)
		}
		p.Feasible = p.Lower >= target && p.Agreement >= target
		points[j] = p
	}
	return points, nil
}

type outcome struct{ agreement, cost float64 }

// sweep replays a trace at ascending thresholds. Those below the least dispersion that exceeded
// one lead to the same decisions and are not replayed.
func sweep(t *Trace, opts Options, taus []float64) ([]outcome, error) {
	opts.Tau = math.Inf(1)
	full, err := Replay(*t, opts)
	if err != nil {
		return nil, err
	}
	outcomes := make([]outcome, len(taus))
	next := math.Inf(-1)
	for i, tau := range taus {
		if tau < next {
			outcomes[i] = outcomes[i-1]
			continue
		}
		opts.Tau = tau
		pruned, err := Replay(*t, opts)
		if err != nil {
			return nil, err
		}
		outcomes[i] = outcome{Agreement(opts.Mode, full.Top, pruned.Top), pruned.Cost()}
		next = leastExceeding(pruned.Layers)
	}
	return outcomes, nil
}

// leastExceeding returns the least dispersion that led to clusters.
func leastExceeding(layers []LayerReport) float64 {
	least := math.Inf(1)
	for _, l := range layers {
		if l.Clusters > 0 {
			least = min(least, l.Dispersion)
		}
	}
	return least
}

// resamples is the number of bootstrap samples.
const resamples = 1000

// lowerBound returns the lower 95% confidence bound of the mean: the 5th percentile of the means
// of samples with replacement (Efron, "Bootstrap Methods", 1979).
func lowerBound(values []float64, seed uint64) float64 {
	random := rand.New(rand.NewPCG(seed, 0))
	means := make([]float64, resamples)
	for i := range means {
		for range values {
			means[i] += values[random.IntN(len(values))]
		}
		means[i] /= float64(len(values))
	}
	slices.Sort(means)
	return means[resamples/20]
}

func mean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Agreement is how much of the full pass's best results, want, a pruned pass got, from 0 to 1. In
// mode Set it is their share. Otherwise it is nDCG in which the i-th result has the grade 1/i^2,
// about as often as it is the wanted one, so mistakes among the last results cost little.
func Agreement(mode Mode, want, got []Candidate) float64 {
	if len(want) == 0 {
		return 1
	}
	grade, discount := func(int) float64 { return 1 }, func(int) float64 { return 1 }
	if mode != Set {
		grade = func(i int) float64 { return 1 / float64((i+1)*(i+1)) }
		discount = func(i int) float64 { return math.Log2(float64(i + 2)) }
	}
	grades, ideal, gain := make(map[int]float64, len(want)), 0.0, 0.0
	for i, c := range want {
		grades[c.ID] = grade(i)
		ideal += grade(i) / discount(i)
	}
	for i, c := range got {
		gain += grades[c.ID] / discount(i)
	}
	return gain / ideal
}
