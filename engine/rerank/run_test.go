package rerank_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"dowse/engine/rerank"
)

// TestG5Partition is T-G5: candidates are selected, dropped or stay to the
// end, each once; the active ones only become fewer; as many as were asked for
// come back, and never are more dropped than can be spared.
func TestG5Partition(t *testing.T) {
	eachTrial(t, func(_ *rand.Rand, s *script, opts rerank.Options) {
		result := s.run(opts)
		if want := min(s.n(), opts.K); len(result.Top) != want {
			t.Errorf("%d results instead of %d", len(result.Top), want)
		}
		seen := ids(result.Ranking)
		slices.Sort(seen)
		if !slices.Equal(seen, best(make([]float32, s.n()), s.n())) {
			t.Errorf("ranking of %v", seen)
		}
		active, computed := seen, 0
		for l, report := range result.Layers {
			if report.Layer != l || !slices.Equal(report.Active, active) || len(report.Scores) != len(active) {
				t.Errorf("layer %d: report %+v, but %v are active", l, report, active)
			}
			computed += len(active)
			active = without(t, active, report.Selected)
			active = without(t, active, report.Dropped)
		}
		if computed != result.ActiveLayers || result.FullLayers != s.n()*s.Layers() {
			t.Errorf("cost %d of %d, computed %d", result.ActiveLayers, result.FullLayers, computed)
		}
		checkFates(t, s, opts, result)
		checkOrder(t, result.Ranking)
		if at := len(result.Layers); at == s.Layers() && result.Layers[at-1].Clusters != 0 {
			t.Errorf("a check after the last layer: %+v", result.Layers[at-1])
		}
	})
}

// checkOrder compares neighbours: winners first, early ones before late ones;
// losers last, late ones before early ones; then scores, then numbers.
func checkOrder(t *testing.T, ranking []rerank.Candidate) {
	for i := 1; i < len(ranking); i++ {
		a, b := ranking[i-1], ranking[i]
		inOrder := a.Score > b.Score || a.Score == b.Score && a.ID < b.ID
		switch {
		case a.Fate != b.Fate:
			inOrder = a.Fate == rerank.Selected || b.Fate == rerank.Dropped
		case a.Layer != b.Layer:
			inOrder = a.Fate == rerank.Selected && a.Layer < b.Layer || a.Fate == rerank.Dropped && a.Layer > b.Layer
		}
		if !inOrder {
			t.Errorf("place %d: %+v before %+v", i-1, a, b)
		}
	}
}

// without removes candidates that must be there.
func without(t *testing.T, active, leaving []int) []int {
	if !subset(leaving, active) {
		t.Errorf("%v leave %v", leaving, active)
	}
	return slices.DeleteFunc(slices.Clone(active), func(id int) bool { return slices.Contains(leaving, id) })
}

// checkFates compares the fates in a ranking with the reports.
func checkFates(t *testing.T, s *script, opts rerank.Options, result rerank.Result) {
	dropped := 0
	for place, c := range result.Ranking {
		switch c.Fate {
		case rerank.Dropped:
			dropped++
			if place < len(result.Top) || !slices.Contains(result.Layers[c.Layer].Dropped, c.ID) {
				t.Errorf("place %d: %+v", place, c)
			}
		case rerank.Selected:
			if place >= len(result.Top) || opts.Mode == rerank.Order {
				t.Errorf("place %d: %+v", place, c)
			}
		case rerank.Finished:
			if c.Layer != s.Layers()-1 {
				t.Errorf("place %d: %+v", place, c)
			}
		default:
			t.Errorf("place %d: %+v", place, c)
		}
		if c.Layer >= 0 && c.Score != s.margins[c.Layer][c.ID] {
			t.Errorf("place %d: %+v has another score", place, c)
		}
	}
	if dropped > s.n()-len(result.Top) {
		t.Errorf("%d of %d dropped, %d wanted", dropped, s.n(), opts.K)
	}
}

// TestSure: to be sure of some results is to want these alone, with the others
// ranked behind them. What went through all layers has its final score.
func TestSure(t *testing.T) {
	dropped := 0
	eachTrial(t, func(r *rand.Rand, s *script, opts rerank.Options) {
		opts.Mode, opts.K = rerank.Order, 2+r.IntN(12)
		opts.Sure = 1 + r.IntN(opts.K)
		alone := opts
		alone.K, alone.Sure = opts.Sure, 0
		got, want := s.run(opts), s.run(alone)
		if !reflect.DeepEqual(got.Layers, want.Layers) || !reflect.DeepEqual(got.Ranking, want.Ranking) {
			t.Errorf("%+v: %+v, wanted alone %+v", opts, got, want)
		}
		if len(got.Top) != min(s.n(), opts.K) {
			t.Errorf("%d results instead of %d", len(got.Top), min(s.n(), opts.K))
		}
		for i, c := range got.Top {
			if c.Fate == rerank.Dropped {
				dropped++
			}
			if final := c.Fate == rerank.Finished && c.Score == s.final()[c.ID]; !final && (i < opts.Sure || c.Fate != rerank.Dropped) {
				t.Errorf("place %d: %+v, final score %v", i, c, s.final()[c.ID])
			}
		}
	})
	if dropped == 0 {
		t.Error("no result left early: the test shows nothing")
	}
}

// TestFullForward: at the threshold +Inf every candidate goes through every
// layer and the last scores rank, whatever else the options are.
func TestFullForward(t *testing.T) {
	eachTrial(t, func(_ *rand.Rand, s *script, opts rerank.Options) {
		opts.Tau, opts.K = math.Inf(1), 1+opts.K%s.n()
		if opts.K == s.n() && opts.Mode != rerank.Order {
			return // nothing to find out: see TestG9NoForward
		}
		result := s.run(opts)
		if got, want := ids(result.Ranking), best(s.final(), s.n()); !slices.Equal(got, want) {
			t.Errorf("ranking %v instead of %v", got, want)
		}
		if result.ActiveLayers != result.FullLayers || result.Cost() != 1 {
			t.Errorf("%d of %d computed", result.ActiveLayers, result.FullLayers)
		}
	})
}

// TestG8Permutation is T-G8: candidates in another order give the same ranking.
// Where scores are equal the order decides who comes first, and nothing else.
func TestG8Permutation(t *testing.T) {
	eachTrial(t, func(r *rand.Rand, s *script, opts rerank.Options) {
		order := r.Perm(s.n())
		moved := scripted(t)
		for _, row := range s.margins {
			other := make([]float32, len(row))
			for to, from := range order {
				other[to] = row[from]
			}
			moved.margins = append(moved.margins, other)
		}
		a, b := s.run(opts), moved.run(opts)
		for i := range a.Ranking {
			x, y := a.Ranking[i], b.Ranking[i]
			y.ID = order[y.ID]
			tied := slices.ContainsFunc(a.Ranking, func(c rerank.Candidate) bool {
				return c.ID != x.ID && c.Score == x.Score && c.Layer == x.Layer
			})
			if x != y && !(tied && x.Score == y.Score && x.Layer == y.Layer && x.Fate == y.Fate) {
				t.Errorf("place %d: %+v, permuted %+v", i, x, y)
			}
		}
	})
}

// TestG9NoForward is T-G9: what wants all of its candidates computes nothing
// in mode Set, and all of them in full where scores are asked for.
func TestG9NoForward(t *testing.T) {
	r := random(t)
	for n := range 12 {
		for mode := range rerank.Order + 1 {
			s := randomScript(t, r, n, 5, false)
			opts := rerank.Options{K: max(n, 1) + r.IntN(3), Mode: mode}
			result := s.run(opts)
			want := 5
			if n == 0 || mode == rerank.Set {
				want = 0
			}
			if len(s.active) != want || len(result.Top) != n {
				t.Errorf("n %d, mode %v: %d layers, %d results", n, mode, len(s.active), len(result.Top))
			}
			if want == 0 && !slices.IsSorted(ids(result.Top)) {
				t.Errorf("n %d, mode %v: %v is not the order given", n, mode, ids(result.Top))
			}
		}
	}
}

// TestG13FinalScores is T-G13: in mode Order all results have the scores of a
// full forward pass, and are in its order.
func TestG13FinalScores(t *testing.T) {
	pruned := 0
	eachTrial(t, func(_ *rand.Rand, s *script, opts rerank.Options) {
		opts.Mode = rerank.Order
		result := s.run(opts)
		for i, c := range result.Top {
			if c.Fate != rerank.Finished || c.Score != s.final()[c.ID] {
				t.Errorf("place %d: %+v, final score %v", i, c, s.final()[c.ID])
			}
			if i > 0 && result.Top[i-1].Score < c.Score {
				t.Errorf("place %d has a higher score than the one before", i)
			}
		}
		if result.ActiveLayers < result.FullLayers {
			pruned++
		}
	})
	if pruned < trials/10 {
		t.Errorf("only %d runs of %d pruned anything", pruned, trials)
	}
}

// TestDuplicatesTogether: candidates whose scores are equal throughout leave
// together, except where the results end between them.
func TestDuplicatesTogether(t *testing.T) {
	r := random(t)
	for range trials {
		s := randomScript(t, r, 4+r.IntN(20), 8, r.IntN(2) == 0)
		for _, row := range s.margins {
			copy(row[s.n()-2:], row[:2])
		}
		result := s.run(randomOptions(r, 8))
		fate := make([]rerank.Candidate, s.n())
		for _, c := range result.Ranking {
			fate[c.ID] = c
		}
		for i := range 2 {
			a, b := fate[i], fate[s.n()-2+i]
			if a.Fate != b.Fate || a.Layer != b.Layer || a.Score != b.Score {
				t.Fatalf("duplicates %+v and %+v", a, b)
			}
		}
	}
}

// TestObserve: the reports arrive one by one and are those of the result.
func TestObserve(t *testing.T) {
	s := randomScript(t, random(t), 30, 9, false)
	var seen []rerank.LayerReport
	opts := rerank.Options{K: 5, Tau: 0.2, Observe: func(report rerank.LayerReport) {
		if len(s.active) != report.Layer+1 {
			t.Errorf("report of layer %d after %d layers", report.Layer, len(s.active))
		}
		seen = append(seen, report)
	}}
	if result := s.run(opts); !reflect.DeepEqual(seen, result.Layers) || len(seen) == 0 {
		t.Errorf("saw %+v, result has %+v", seen, result.Layers)
	}
}

// TestNames: modes, domains and fates say what they are, also wrong ones.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		value fmt.Stringer
		want  string
	}{
		{rerank.Set, "set"}, {rerank.Order, "order"}, {rerank.Mode(7), "Mode(7)"},
		{rerank.Prob, "prob"}, {rerank.Raw, "raw"}, {rerank.Domain(7), "Domain(7)"},
		{rerank.Finished, "finished"}, {rerank.Selected, "selected"}, {rerank.Dropped, "dropped"},
		{rerank.Stopped, "stopped"}, {rerank.Fate(7), "Fate(7)"},
	} {
		if got := c.value.String(); got != c.want {
			t.Errorf("%q instead of %q", got, c.want)
		}
	}
}
