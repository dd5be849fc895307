package leann

import (
	"math"
	"slices"
	"testing"
)

// TestSearchEndsByItself: with a margin fitted to other queries a search finds the wanted
// in the same shares, with fewer vectors than a fixed number that finds as many, and not
// the same number for each.
func TestSearchEndsByItself(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	rng := seeded(t, 201)
	c := newCloud(rng, 4000, 32)
	m := stored(t, rng, c, 4000)
	kept := m.clone()
	model := m.quantize(QuantizeOptions{CodeBytes: 6, Queries: slices.Concat(c.queries(rng, 60)...)}).Errors
	queries := c.queries(rng, 100)
	truth := make([][]Hit, len(queries))
	for i, query := range queries {
		truth[i] = kept.flat(query, Wanted, nil)
	}
	ask := func(q Query) (found float64, all, least, most int) {
		least = math.MaxInt
		for i, query := range queries {
			q.Vector, q.Depth, q.Batch = query, Wanted, RecomputeBatch
			got := m.find(c, c, q)
			found += recall(got.Hits, truth[i]) / float64(len(queries))
			n := got.Stats.Recomputed
			all, least, most = all+n, min(least, n), max(most, n)
		}
		return found, all, least, most
	}
	found, all, least, most := ask(Query{Recompute: MaxRecompute, Wanted: Wanted, Errors: model})
	mean := all / len(queries)
	fixed, _, _, _ := ask(Query{Recompute: mean})
	t.Logf("%+v: recall %.3f with %d vectors, from %d to %d; with %d for each %.3f", model, found, mean, least, most, mean, fixed)
	if found < targetRecall-0.05 || found <= fixed || least >= most {
		t.Errorf("recall %.3f with %d vectors, from %d to %d; with %d for each %.3f", found, mean, least, most, mean, fixed)
	}
	model.Margin = 100
	if _, all, _, _ = ask(Query{Recompute: 64, Wanted: Wanted, Errors: model}); all != 64*len(queries) {
		t.Errorf("with a margin that nothing has %d vectors are recomputed", all)
	}
}

// TestStopRule: a search ends only when it has the wanted, and when the last of them is
// ahead of the next by the margin, at what the scores of this query turned out to err.
func TestStopRule(t *testing.T) {
	model := ErrorModel{Slope: 1, Deviation: 0.1, Margin: 2}
	rule := stopRule{model: model, wanted: 2}
	if rule.enough(-100) {
		t.Error("nothing was found, and it is enough")
	}
	rule.rank(0.9)
	if rule.enough(-100) {
		t.Error("one of two was found, and it is enough")
	}
	rule.rank(0.5)
	rule.rank(0.8)
	rule.rank(0.1)
	if !rule.enough(0.59) || rule.enough(0.61) {
		t.Errorf("the second best of %v is 0.8; 2 deviations of 0.1 below begins what may be left", rule.ranks)
	}
	high := rule // all estimates of this query are too low
	for range 50 {
		high.found(0.1, 0.3, 0)
	}
	if high.enough(0.59) {
		t.Errorf("estimates are too low by 0.2: %+v", high.errors)
	}
	sure := rule // and of this one all are right
	for range 200 {
		sure.found(0.1, 0.1, 0)
	}
	if !sure.enough(0.7) {
		t.Errorf("estimates are right: %+v", sure.errors)
	}
	if never := (stopRule{model: model}); never.enough(-100) {
		t.Error("no number was wanted, and it is enough")
	}
	bonus := stopRule{model: model, wanted: 1}
	bonus.found(0.1, 0.1, 0.5)
	if bonus.ranks[0] != 0.6 || bonus.errors.sum != 0 {
		t.Errorf("a bonus is part of the rank and not of the error: %+v", bonus)
	}
}

// TestErrorsOfAQuery: mean and deviation are those of the scores seen and of priorScores
// more by the model, as counted one by one.
func TestErrorsOfAQuery(t *testing.T) {
	rng := seeded(t, 202)
	model := ErrorModel{Slope: 1, Deviation: 0.2}
	var e queryErrors
	var all []float64
	for range 40 {
		sum := 0.0
		for _, d := range all {
			sum += d
		}
		mean := sum / (float64(len(all)) + priorScores)
		squares := priorScores * model.Deviation * model.Deviation
		for _, d := range all {
			squares += (d - mean) * (d - mean)
		}
		deviation := math.Sqrt(squares / (float64(len(all)) + priorScores))
		if math.Abs(e.mean()-mean) > 1e-6 || math.Abs(e.deviation(model)-deviation) > 1e-6 {
			t.Fatalf("after %d scores %v and %v, want %v and %v", len(all), e.mean(), e.deviation(model), mean, deviation)
		}
		expected, exact := rng.Float32(), rng.Float32()
		e.add(expected, exact)
		all = append(all, float64(exact-expected))
	}
}

// TestFitErrors: the line is that of least squares, within its bounds, and what is not
// known does not count.
func TestFitErrors(t *testing.T) {
	rng := seeded(t, 203)
	for _, tt := range []struct{ slope, want float64 }{{0.5, 0.5}, {1, 1}, {-2, minSlope}, {7, maxSlope}} {
		var p probed
		for i := range 400 {
			estimate := rng.Float32()
			exact := float32(0.1 + tt.slope*float64(estimate) + 0.05*rng.NormFloat64())
			if i%7 == 0 {
				exact = float32(math.NaN())
			}
			p.near, p.exact = append(p.near, scored{uint32(i), estimate}), append(p.exact, exact)
		}
		m := fitErrors([]probed{p})
		sum := 0.0
		for i, c := range p.near {
			if exact := float64(p.exact[i]); !math.IsNaN(exact) {
				sum += exact - m.Intercept - m.Slope*float64(c.score)
			}
		}
		if math.Abs(m.Slope-tt.want) > 0.05 || math.Abs(sum) > 1e-3 || tt.slope == tt.want && math.Abs(m.Deviation-0.05) > 0.01 {
			t.Errorf("slope %v: %+v, the errors sum up to %v", tt.slope, m, sum)
		}
	}
	if m := fitErrors(nil); !m.Sound() || m.expected(0.5) != 0.5 {
		t.Errorf("of nothing: %+v", m)
	}
}
