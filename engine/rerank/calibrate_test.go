package rerank_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"dowse/engine/rerank"
)

// randomTraces draws traces of one model and sizes of its lists.
func randomTraces(t testing.TB, r *rand.Rand, count, layers int) []rerank.Trace {
	traces := make([]rerank.Trace, count)
	for i := range traces {
		traces[i] = randomScript(t, r, 16+r.IntN(16), layers, false).trace()
	}
	return traces
}

func calibrate(t testing.TB, traces []rerank.Trace, opts rerank.Options, target float64) rerank.Calibration {
	t.Helper()
	c, err := rerank.Calibrate(context.Background(), traces, opts, target, 7)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// agreementAt replays traces and compares with the best by final scores.
func agreementAt(t *testing.T, traces []rerank.Trace, opts rerank.Options) (agreement, cost float64) {
	t.Helper()
	for _, trace := range traces {
		result, err := rerank.Replay(trace, opts)
		if err != nil {
			t.Fatal(err)
		}
		want := best(trace.Margins[(trace.Layers-1)*trace.Candidates:], opts.K)
		agreement += slowAgreement(opts.Mode, want, ids(result.Top)) / float64(len(traces))
		cost += result.Cost() / float64(len(traces))
	}
	return agreement, cost
}

// TestG11FewTraces is T-G11's half about thin evidence: with less than 50
// traces that say something nothing is pruned.
func TestG11FewTraces(t *testing.T) {
	r := random(t)
	traces := randomTraces(t, r, rerank.MinTraces-1, 8)
	for range 20 { // these want all their candidates
		traces = append(traces, randomScript(t, r, 4, 8, false).trace())
	}
	for _, given := range [][]rerank.Trace{nil, traces[:3], traces} {
		c := calibrate(t, given, rerank.Options{K: 4, Literal: true}, 0)
		if !math.IsInf(c.Tau, 1) || c.Agreement != 1 || c.Cost != 1 || len(c.Curve) != 0 {
			t.Errorf("%d traces: %+v", len(given), c)
		}
		if c.Traces != min(len(given), rerank.MinTraces-1) {
			t.Errorf("%d traces, %d used", len(given), c.Traces)
		}
	}
	enough := slices.Concat(traces, randomTraces(t, r, 1, 8))
	c := calibrate(t, enough, rerank.Options{K: 4, Literal: true}, 0)
	cheaper := func(p rerank.Point) bool { return p.Cost < c.Cost }
	if c.Traces != 50 || math.IsInf(c.Tau, 1) || slices.ContainsFunc(c.Curve, cheaper) {
		t.Errorf("50 traces and no target: %+v", c)
	}
}

// TestG11Target is T-G11's other half: on the traces themselves neither the
// chosen threshold nor a higher one misses the target, and what is said about
// it is true.
func TestG11Target(t *testing.T) {
	r := random(t)
	gained := 0
	for range 5 {
		layers := 6 + r.IntN(12)
		traces := randomTraces(t, r, 50+r.IntN(20), layers)
		opts := randomOptions(r, layers)
		opts.Guards.MinLayers = layers / 2
		for _, target := range []float64{0.8, rerank.DefaultTarget, 1} {
			c := calibrate(t, traces, opts, target)
			calibrated := c.Apply(opts)
			agreement, cost := agreementAt(t, traces, calibrated)
			if agreement < target-1e-12 || math.Abs(agreement-c.Agreement) > 1e-9 || math.Abs(cost-c.Cost) > 1e-9 {
				t.Fatalf("target %v: agreement %v, cost %v; said %+v", target, agreement, cost, c)
			}
			for _, p := range c.Curve {
				if p.Tau >= c.Tau && (!p.Feasible || p.Lower < target || p.Lower > p.Agreement) {
					t.Fatalf("target %v, threshold %v: %+v", target, c.Tau, p)
				}
				if p.Tau >= c.Tau && p.Cost < c.Cost {
					t.Fatalf("threshold %v costs %v, but %+v", c.Tau, c.Cost, p)
				}
			}
			if c.Cost < 1 {
				gained++
			}
		}
	}
	if gained < 5 {
		t.Errorf("only %d calibrations of 15 gained anything", gained)
	}
}

// TestSweep: thresholds that were not replayed, because they decide the same,
// do decide the same.
func TestSweep(t *testing.T) {
	r := random(t)
	for range 40 {
		trace := randomScript(t, r, 8+r.IntN(20), 10, r.IntN(2) == 0).trace()
		opts := randomOptions(r, 10)
		opts.K = min(opts.K, 7)
		taus, agreements, costs, err := rerank.Sweep(trace, opts)
		if err != nil || len(taus) != 61 || taus[0] != 0.01 || math.Abs(taus[59]-50) > 1e-9 || !math.IsInf(taus[60], 1) {
			t.Fatalf("thresholds %v, %v", taus, err)
		}
		for i, tau := range taus {
			opts.Tau = tau
			agreement, cost := agreementAt(t, []rerank.Trace{trace}, opts)
			if math.Abs(agreement-agreements[i]) > 1e-9 || cost != costs[i] {
				t.Fatalf("threshold %v: agreement %v and cost %v, swept %v and %v", tau, agreement, cost, agreements[i], costs[i])
			}
		}
	}
}

// TestCheapest: a threshold below one that fails is not trusted, nor one that
// failed for a later beginning.
func TestCheapest(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		costs    []float64
		feasible []bool
		trusted  int
		want     float64
		lowest   int
	}{
		{[]float64{0.1, 0.5, 0.9}, []bool{true, true, true}, 0, 1, 0},
		{[]float64{0.1, 0.5, 0.9}, []bool{true, false, true}, 0, 3, 2},
		{[]float64{0.1, 0.5, 0.9}, []bool{true, true, false}, 0, inf, 3},
		{[]float64{0.6, 0.5, 0.5}, []bool{true, true, true}, 0, 3, 0},
		{[]float64{1, 1, 1}, []bool{true, true, true}, 0, inf, 0},
		{[]float64{0.1, 0.5, 0.9}, []bool{true, true, true}, 1, 2, 1},
		{[]float64{0.1, 0.5, 0.9}, []bool{true, false, true}, 1, 3, 2},
		{[]float64{0.1, 0.5, 0.9}, []bool{true, true, true}, 3, inf, 3},
	} {
		if tau, lowest := rerank.Cheapest(c.costs, c.feasible, c.trusted); tau != c.want || lowest != c.lowest {
			t.Errorf("%+v: %v, down to %d", c, tau, lowest)
		}
	}
}

// TestBeginnings: they descend to the guard in at most eight steps, and none
// is behind the last layer that can prune.
func TestBeginnings(t *testing.T) {
	for _, c := range []struct {
		least, layers int
		want          []int
	}{
		{8, 30, []int{29, 26, 23, 20, 17, 14, 11, 8}},
		{3, 6, []int{5, 4, 3}},
		{0, 1, []int{0}},
		{6, 6, []int{6}},
		{9, 6, []int{9}},
	} {
		opts := rerank.Options{Guards: rerank.Guards{MinLayers: c.least}}
		if got := rerank.Beginnings(opts, c.layers); !slices.Equal(got, c.want) {
			t.Errorf("from %d of %d: %v", c.least, c.layers, got)
		}
		opts.Literal = true
		if got := rerank.Beginnings(opts, c.layers); !slices.Equal(got, []int{c.least}) {
			t.Errorf("literal, from %d of %d: %v", c.least, c.layers, got)
		}
	}
}

// TestLaterBeginning: where early layers mislead here and there, a calibration
// begins behind them instead of giving up.
func TestLaterBeginning(t *testing.T) {
	r := random(t)
	const layers, settled, k = 20, 12, 5
	traces := make([]rerank.Trace, 80)
	for i := range traces {
		traces[i] = randomScript(t, r, 20, layers, false).trace()
		n := traces[i].Candidates
		final := traces[i].Margins[(layers-1)*n:]
		for l := settled - 1; l < layers; l++ { // counted from 0: after 12 layers the order stands
			copy(traces[i].Margins[l*n:], final)
		}
	}
	opts := rerank.Options{K: k}
	c := calibrate(t, traces, opts, rerank.DefaultTarget)
	if c.MinLayers > layers-2 || c.Cost > 0.85 || c.Lower < rerank.DefaultTarget {
		t.Fatalf("begins after %d layers and computes %.2f at %v", c.MinLayers, c.Cost, c.Lower)
	}
	// Beginning later with the same threshold is more careful, and does too.
	for begin := c.MinLayers; begin < layers; begin++ {
		later := c.Apply(opts)
		later.Guards.MinLayers = begin
		if agreement, _ := agreementAt(t, traces, later); agreement < rerank.DefaultTarget {
			t.Errorf("from %d layers on agreement is %v", begin, agreement)
		}
	}
}

// TestCalibrateWindow: the latest traces count.
func TestCalibrateWindow(t *testing.T) {
	r := random(t)
	traces := randomTraces(t, r, rerank.MaxTraces+30, 5)
	opts := rerank.Options{K: 5}
	all, latest := calibrate(t, traces, opts, 0.9), calibrate(t, traces[30:], opts, 0.9)
	if all.Traces != rerank.MaxTraces || !reflect.DeepEqual(all, latest) {
		t.Errorf("%+v\nwith the latest alone %+v", all, latest)
	}
}

// TestTrust compares the gammas with counting all pairs, and checks that
// layers against the final order are kept from pruning.
func TestTrust(t *testing.T) {
	trace := randomScript(t, random(t), 20, 6, true).trace()
	for i := range trace.Candidates { // layer 2 is the wrong way round
		trace.Margins[2*trace.Candidates+i] = -trace.Margins[5*trace.Candidates+i]
	}
	opts := rerank.Options{K: 5, Guards: rerank.Guards{MinLayers: 1}}
	c := calibrate(t, []rerank.Trace{trace}, opts, 0.9)
	for l, got := range c.Layers {
		if want := slowGamma(trace, l); math.Abs(got.Gamma-want) > 1e-12 {
			t.Errorf("layer %d: gamma %v instead of %v", l, got.Gamma, want)
		}
	}
	if c.Layers[2].Gamma != -1 || c.Layers[2].ClusterGamma != -1 || c.Layers[5].Gamma != 1 || c.Layers[5].ClusterGamma != 1 {
		t.Errorf("%+v", c.Layers)
	}
	if c.MinLayers < 4 || c.Apply(opts).Guards.MinLayers != c.MinLayers {
		t.Errorf("layer 2 may prune: %d layers before", c.MinLayers)
	}
	opts.Literal = true
	if c := calibrate(t, []rerank.Trace{trace}, opts, 0.9); c.MinLayers != 1 {
		t.Errorf("literal options have a guard of %d layers", c.MinLayers)
	}
}

// slowGamma is Goodman and Kruskal's gamma straight from its definition.
func slowGamma(trace rerank.Trace, layer int) float64 {
	now := trace.Margins[layer*trace.Candidates:]
	final := trace.Margins[(trace.Layers-1)*trace.Candidates:]
	var same, opposite float64
	for i := range trace.Candidates {
		for j := range i {
			switch cmp.Compare(now[i], now[j]) * cmp.Compare(final[i], final[j]) {
			case 1:
				same++
			case -1:
				opposite++
			}
		}
	}
	return (same - opposite) / (same + opposite)
}

// TestTrustedFrom: all layers up to the last bad one have to be computed
// first; the last layer of all does not prune.
func TestTrustedFrom(t *testing.T) {
	for _, c := range []struct {
		gammas []float64
		want   int
	}{
		{[]float64{1, 0.96, 0.95, 1}, 0},
		{[]float64{0.9, 1, 1, 1}, 2},
		{[]float64{1, 0.94, 1, 1}, 3},
		{[]float64{1, 1, -1, 1}, 4},
		{[]float64{0}, 0},
	} {
		if got := rerank.TrustedFrom(c.gammas...); got != c.want {
			t.Errorf("%v: %d layers before pruning instead of %d", c.gammas, got, c.want)
		}
	}
}

// TestLowerBound: for many values the bootstrap agrees with the normal
// distribution; the same seed gives the same bound.
func TestLowerBound(t *testing.T) {
	r := random(t)
	values := make([]float64, 400)
	for i := range values {
		values[i] = r.Float64()
	}
	got := rerank.LowerBound(values, 3)
	mean, deviation := moments(values)
	if want := mean - 1.645*deviation/math.Sqrt(400); math.Abs(got-want) > 0.004 {
		t.Errorf("bound %v, normal distribution %v", got, want)
	}
	if again := rerank.LowerBound(values, 3); again != got {
		t.Errorf("bound %v, then %v", got, again)
	}
	if all := rerank.LowerBound([]float64{1, 1, 1}, 3); all != 1 {
		t.Errorf("bound of ones %v", all)
	}
}

// moments are mean and standard deviation.
func moments(values []float64) (mean, deviation float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		deviation += (v - mean) * (v - mean) / float64(len(values))
	}
	return mean, math.Sqrt(deviation)
}

// TestCalibrateErrors: what cannot be calibrated is refused.
func TestCalibrateErrors(t *testing.T) {
	ctx, r := context.Background(), random(t)
	good := randomTraces(t, r, 60, 5)
	opts := rerank.Options{K: 3}
	damaged := slices.Clone(good)
	damaged[10].Margins = damaged[10].Margins[1:]
	mixed := slices.Concat(good, randomTraces(t, r, 1, 6))
	for name, traces := range map[string][]rerank.Trace{"damaged": damaged, "mixed depths": mixed} {
		if _, err := rerank.Calibrate(ctx, traces, opts, 0.9, 1); err == nil {
			t.Errorf("%s: calibrated", name)
		}
	}
	for _, target := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := rerank.Calibrate(ctx, good, opts, target, 1); err == nil {
			t.Errorf("target %v: calibrated", target)
		}
	}
	if _, err := rerank.Calibrate(ctx, good, rerank.Options{}, 0.9, 1); err == nil {
		t.Error("no K: calibrated")
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := rerank.Calibrate(ctx, good, opts, 0.9, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// BenchmarkCalibrate is a full window of traces, of a shallow model and of a
// deep one that is given many candidates.
func BenchmarkCalibrate(b *testing.B) {
	for _, size := range []struct{ layers, candidates int }{{6, 20}, {30, 60}} {
		b.Run(fmt.Sprintf("layers=%d/candidates=%d", size.layers, size.candidates), func(b *testing.B) {
			r := random(b)
			traces := make([]rerank.Trace, rerank.MaxTraces)
			for i := range traces {
				traces[i] = randomScript(b, r, size.candidates, size.layers, false).trace()
			}
			opts := rerank.Options{K: 10, Guards: rerank.MeasuredGuards()}
			for b.Loop() {
				calibrate(b, traces, opts, rerank.DefaultTarget)
			}
		})
	}
}
