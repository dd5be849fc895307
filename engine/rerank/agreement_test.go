package rerank_test

import (
	"math"
	"slices"
	"testing"

	"dowse/engine/rerank"
)

// slowAgreement is Agreement straight from its definition.
func slowAgreement(mode rerank.Mode, want, got []int) float64 {
	var gain, ideal float64
	for i, id := range want {
		grade, place := 1/math.Pow(float64(i+1), 2), slices.Index(got, id)
		if mode == rerank.Set {
			if place >= 0 {
				gain++
			}
			ideal++
			continue
		}
		if place >= 0 {
			gain += grade * math.Ln2 / math.Log(float64(place+2))
		}
		ideal += grade * math.Ln2 / math.Log(float64(i+2))
	}
	return gain / ideal
}

// TestAgreement: what is found at the wrong place counts for less where the
// order does, and most at the top.
func TestAgreement(t *testing.T) {
	list := func(ids ...int) (out []rerank.Candidate) {
		for _, id := range ids {
			out = append(out, rerank.Candidate{ID: id})
		}
		return out
	}
	want := list(4, 2, 7, 1)
	for _, c := range []struct {
		got        []rerank.Candidate
		set, order float64
	}{
		{list(4, 2, 7, 1), 1, 1},
		{list(1, 7, 2, 4), 1, 0.555},
		{list(2, 4, 7, 1), 1, 0.78},
		{list(4, 2, 1, 7), 1, 0.997},
		{list(4, 2, 7, 9), 0.75, 0.979},
		{list(9, 2, 7, 1), 0.75, 0.19},
		{list(5, 6, 8, 9), 0, 0},
	} {
		set, order := rerank.Agreement(rerank.Set, want, c.got), rerank.Agreement(rerank.Order, want, c.got)
		if math.Abs(set-c.set) > 1e-9 || math.Abs(order-c.order) > 0.01 {
			t.Errorf("%v: %v as a set, %v in order; want %v and %v", c.got, set, order, c.set, c.order)
		}
		if slow := slowAgreement(rerank.Order, ids(want), ids(c.got)); math.Abs(slow-order) > 1e-9 {
			t.Errorf("%v: %v, by the definition %v", c.got, order, slow)
		}
	}
	if none := rerank.Agreement(rerank.Order, nil, nil); none != 1 {
		t.Errorf("nothing agrees with nothing to %v", none)
	}
}

// TestCalibrateSure: where early layers tell the first results and mislead about
// the others, a calibration is sure of the first alone, and cheaper for it.
func TestCalibrateSure(t *testing.T) {
	r := random(t)
	const n, layers, k = 20, 10, 10
	traces := make([]rerank.Trace, 60)
	for i := range traces {
		s := randomScript(t, r, n, layers, false)
		for l := range layers {
			for id := range 3 { // three stand out in every layer, in their final order
				s.margins[l][id] = float32(20 - 2*id)
			}
		}
		traces[i] = s.trace()
	}
	opts := rerank.Options{K: k, Mode: rerank.Order, Guards: rerank.Guards{MinLayers: 4}}
	c := calibrate(t, traces, opts, 0.95)
	if c.Sure >= k || c.Lower < 0.95 || c.Cost >= 1 {
		t.Fatalf("sure of %d of %d for %.2f at %v", c.Sure, k, c.Cost, c.Lower)
	}
	measured, used, err := rerank.Measure(t.Context(), traces, c.Apply(opts), 7)
	if err != nil || used != len(traces) || measured.Agreement != c.Agreement || measured.Lower != c.Lower || math.Abs(measured.Cost-c.Cost) > 1e-12 {
		t.Errorf("measured %+v over %d traces, %v; calibrated %+v", measured, used, err, c)
	}
	careful := c.Apply(opts)
	careful.Sure = k
	if agreement, cost := agreementAt(t, traces, careful); agreement < c.Agreement || cost <= c.Cost {
		t.Errorf("sure of all: %v for %v, sure of %d: %v for %v", agreement, cost, c.Sure, c.Agreement, c.Cost)
	}
	opts.Mode = rerank.Set
	if c := calibrate(t, traces, opts, 0.5); c.Sure != k {
		t.Errorf("mode %s is sure of %d of %d", opts.Mode, c.Sure, k)
	}
}
