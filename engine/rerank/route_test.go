package rerank_test

import (
	"math"
	"slices"
	"testing"

	"dowse/engine/rerank"
)

// TestG6PaperExample is T-G6: the example of GRATING 4.5, with 20 candidates
// of which 10 are wanted. Nothing happens up to layer 8; after layer 9 two are
// selected, two are dropped and 16 deferred; the dispersion after layer 10 is
// too low; after layer 11 as many are left as places, and the pass ends.
func TestG6PaperExample(t *testing.T) {
	const layers = 28
	s := scripted(t)
	for range 9 {
		s.margins = append(s.margins, repeated(0, 20))
	}
	nine := repeated(-0.25, 20)
	nine[4], nine[17], nine[0], nine[9] = 5, 5.25, -5, -5.25
	eleven := repeated(-2, 20)
	copy(eleven[11:], repeated(2, 9)) // eight that are left, and 17
	s.margins = append(s.margins, nine, repeated(0, 20), eleven)
	for len(s.margins) < layers {
		s.margins = append(s.margins, nil) // never asked for
	}
	for _, opts := range []rerank.Options{
		{K: 10, Tau: 0.3, Literal: true},
		{K: 10, Tau: 0.3, Guards: rerank.Guards{MinLayers: 7, MinGap: 0.5, MinActive: 4}},
	} {
		result := s.run(opts)
		checkCounts(t, result, []int{20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 16, 16})
		at := result.Layers
		if !slices.Equal(at[9].Selected, []int{4, 17}) || !slices.Equal(at[9].Dropped, []int{0, 9}) || at[9].Clusters != 3 {
			t.Errorf("after layer 9: %+v", at[9])
		}
		if at[10].Clusters != 0 || at[10].Selected != nil || at[10].Dropped != nil {
			t.Errorf("after layer 10: %+v", at[10])
		}
		if !slices.Equal(at[11].Dropped, []int{1, 2, 3, 5, 6, 7, 8, 10}) || at[11].Selected != nil {
			t.Errorf("after layer 11: %+v", at[11])
		}
		if top := ids(result.Top); !slices.Equal(top, []int{17, 4, 19, 18, 16, 15, 14, 13, 12, 11}) {
			t.Errorf("top %v", top)
		}
	}
}

// checkCounts compares how many candidates each layer computed.
func checkCounts(t *testing.T, result rerank.Result, want []int) {
	t.Helper()
	var got []int
	for _, l := range result.Layers {
		got = append(got, len(l.Active))
	}
	if !slices.Equal(got, want) {
		t.Errorf("active by layer %v instead of %v", got, want)
	}
}

// TestG7Boundary is T-G7's half about routing: those that leave as winners are
// exactly the clusters with a higher mean than the one with the last result
// needed, and as losers those with a lower one. The clusters are found by
// trying all partitions.
func TestG7Boundary(t *testing.T) {
	r := random(t)
	checks := 0
	for range 150 {
		s := randomScript(t, r, 4+r.IntN(6), 6, false)
		need := 1 + r.IntN(3)
		for _, l := range s.run(rerank.Options{K: need, Clusters: 3, Literal: true}).Layers {
			if l.Clusters < 3 { // none, or two are left
				need -= len(l.Selected)
				continue
			}
			checks++
			order := best(l.Scores, len(l.Scores)) // positions in l.Active
			numbers := make([]float64, len(order))
			for i, at := range order {
				numbers[i] = float64(l.Scores[at])
			}
			labels := bestIntervals(numbers, 3)
			var selected, dropped []int
			for i, at := range order {
				if labels[i] < labels[need-1] {
					selected = append(selected, l.Active[at])
				} else if labels[i] > labels[need-1] {
					dropped = append(dropped, l.Active[at])
				}
			}
			slices.Sort(selected)
			slices.Sort(dropped)
			if !slices.Equal(selected, l.Selected) || !slices.Equal(dropped, l.Dropped) {
				t.Fatalf("need %d of %v: %+v, expected %v and %v", need, numbers, l, selected, dropped)
			}
			need -= len(selected)
		}
	}
	if checks < 100 {
		t.Errorf("only %d checks", checks)
	}
}

// bestIntervals labels the intervals of numbers with the least spread.
func bestIntervals(numbers []float64, k int) []int {
	least, chosen := math.Inf(1), []int(nil)
	for a := 1; a < len(numbers); a++ {
		for b := a + 1; b < len(numbers); b++ {
			labels := labelsOf([]int{0, a, b, len(numbers)})
			if s := spread(numbers, labels); s < least {
				least, chosen = s, labels
			}
		}
	}
	if chosen == nil || k != 3 {
		panic("three intervals of three numbers or more")
	}
	return chosen
}

// TestG12MeanZero is T-G12: margins around zero spread endlessly on the raw
// scale, and not as probabilities.
func TestG12MeanZero(t *testing.T) {
	row := []float32{0.25, 0.24, 0.23, -0.23, -0.24, -0.25}
	s := scripted(t, row, row, row)
	opts := rerank.Options{K: 3, Tau: 50, Literal: true, Domain: rerank.Raw}
	checkCounts(t, s.run(opts), []int{6})
	opts.Domain, opts.Tau = rerank.Prob, 0.2
	checkCounts(t, s.run(opts), []int{6, 6, 6})
}

// TestMinLayers: there is no check before the first layers are done, and
// Literal does not wait for them.
func TestMinLayers(t *testing.T) {
	row := []float32{5, 5.1, -5, -5.1, -5.2}
	s := scripted(t, row, row, row, row)
	opts := rerank.Options{K: 2, Guards: rerank.Guards{MinLayers: 3}}
	checkCounts(t, s.run(opts), []int{5, 5, 5})
	opts.Literal = true
	checkCounts(t, s.run(opts), []int{5})
}

// TestAllEqual: equal scores part nobody, though around zero their dispersion
// has no bound.
func TestAllEqual(t *testing.T) {
	row := make([]float32, 6)
	s := scripted(t, row, row)
	result := s.run(rerank.Options{K: 2, Literal: true, Domain: rerank.Raw})
	checkCounts(t, result, []int{6, 6})
	if l := result.Layers[0]; !math.IsInf(l.Dispersion, 1) || l.Clusters != 0 {
		t.Errorf("%+v", l)
	}
	if top := ids(result.Top); !slices.Equal(top, []int{0, 1}) {
		t.Errorf("top %v of equal scores", top)
	}
}

// TestMinActive: few candidates go on together.
func TestMinActive(t *testing.T) {
	row := []float32{5, -5, -5.1}
	s := scripted(t, row, row)
	opts := rerank.Options{K: 1, Guards: rerank.Guards{MinActive: 4}}
	checkCounts(t, s.run(opts), []int{3, 3})
	opts.Literal = true
	checkCounts(t, s.run(opts), []int{3})
	pair := scripted(t, row[:2], row[:2])
	checkCounts(t, pair.run(opts), []int{2})
	checkCounts(t, pair.run(rerank.Options{K: 1, Guards: rerank.Guards{MinActive: 3}}), []int{2, 2})
}

// TestPatience: a candidate leaves when the second check in a row finds it
// certain; one that is uncertain between, or certain the other way, begins
// again.
func TestPatience(t *testing.T) {
	//                       0  1  2   3   4   5
	s := scripted(t,
		[]float32{9, 0, 0.1, 0.2, -9, -9},
		[]float32{9, 0, 0.1, 0.2, 0.1, -9},  // 4 is uncertain again
		[]float32{9, 0, 0.1, 0.2, -9.1, -9}, // 4 for the first time
		[]float32{9, 0, 0.1, 0.2, -9, 0},    // 4 for the second
		[]float32{9, 0, 0.1, 0.2, -9, 0},
	)
	opts := rerank.Options{K: 2, Guards: rerank.Guards{Patience: 2}}
	result := s.run(opts)
	checkCounts(t, result, []int{6, 6, 4, 4, 3})
	if l := result.Layers[1]; !slices.Equal(l.Selected, []int{0}) || !slices.Equal(l.Dropped, []int{5}) {
		t.Errorf("after layer 1: %+v", l)
	}
	opts.Guards.Patience = 1
	if l := s.run(opts).Layers[0]; !slices.Equal(l.Selected, []int{0}) || !slices.Equal(l.Dropped, []int{4, 5}) {
		t.Errorf("without patience, after layer 0: %+v", l)
	}
}

// TestPatienceDirection: up once and down once is not twice certain; down once
// more is.
func TestPatienceDirection(t *testing.T) {
	s := scripted(t,
		[]float32{9, 0, 0.1, 0.2, -9, -9.1},
		[]float32{-9, 0, 0.1, 0.2, 9, 9.1},
		[]float32{-9, 0, 0.1, 0.2, 0, 0.1},
		[]float32{0, 0, 0, 0, 0, 0},
	)
	opts := rerank.Options{K: 3, Guards: rerank.Guards{Patience: 2}}
	checkCounts(t, s.run(opts), []int{6, 6, 6, 5})
}

// TestPatienceForgets: a check at which the dispersion is too low finds nobody
// certain.
func TestPatienceForgets(t *testing.T) {
	apart, near := []float32{9, 0, 0.1, 0.2, -9, -9.1}, repeated(0, 6)
	s := scripted(t, apart, near, apart, apart, apart)
	opts := rerank.Options{K: 2, Tau: 0.3, Guards: rerank.Guards{Patience: 2}}
	checkCounts(t, s.run(opts), []int{6, 6, 6, 6, 3})

	zeros := make([]float32, 6) // of endless dispersion on the raw scale
	s = scripted(t, apart, zeros, apart, apart, apart)
	opts.Domain = rerank.Raw
	checkCounts(t, s.run(opts), []int{6, 6, 6, 6, 3})
}

// TestMinGap: a neighbour that is too near to the boundary cluster goes on
// with it, and so does what is near to that neighbour.
func TestMinGap(t *testing.T) {
	// In five clusters: 20 | 9 8 | 6 5 4 | 2 1 | -10 -10.25, with 0.55 within them.
	row := []float32{20, 9, 8, 6, 5, 4, 2, 1, -10, -10.25}
	s := scripted(t, row, row)
	for _, c := range []struct {
		gap               float64
		selected, dropped []int
	}{
		{0, []int{0, 1, 2}, []int{6, 7, 8, 9}},
		{2, []int{0, 1, 2}, []int{6, 7, 8, 9}},
		{4, []int{0}, []int{8, 9}},
		{21, nil, nil},
	} {
		opts := rerank.Options{K: 4, Clusters: 5, Guards: rerank.Guards{MinGap: c.gap}}
		l := s.run(opts).Layers[0]
		if l.Clusters != 5 || !slices.Equal(l.Selected, c.selected) || !slices.Equal(l.Dropped, c.dropped) {
			t.Errorf("gap %v: %+v instead of %+v", c.gap, l, c)
		}
	}
	// The gap above the boundary is 4 wide, that to the next cluster 1.5: the
	// wide one parts both from it.
	row = []float32{12, 11, 9.5, 9, 5, 4, -10, -11}
	s = scripted(t, row, row)
	opts := rerank.Options{K: 5, Clusters: 4, Guards: rerank.Guards{MinGap: 5}}
	if l := s.run(opts).Layers[0]; !slices.Equal(l.Selected, []int{0, 1, 2, 3}) {
		t.Errorf("behind a wide gap: %+v", l)
	}
}
