package rerank_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine/rerank"
)

// timed is a script of n candidates that takes a millisecond for each in each
// layer.
func timed(t *testing.T, layers, n int) *script {
	s := randomScript(t, random(t), n, layers, false)
	s.each = time.Millisecond
	return s
}

// within runs with so much time left.
func (s *script) within(left time.Duration, opts rerank.Options) rerank.Result {
	opts.Deadline = s.clock.Add(left)
	return s.run(opts)
}

// TestDeadline: a run ends before the layer that would be late, with the order
// of the last scores.
func TestDeadline(t *testing.T) {
	s := timed(t, 6, 10)
	result := s.within(35*time.Millisecond, rerank.Exact(4))
	checkCounts(t, result, []int{10, 10, 10})
	if !result.Cut || !slices.Equal(ids(result.Ranking), best(s.margins[2], 10)) {
		t.Errorf("cut %v, ranking %v", result.Cut, ids(result.Ranking))
	}
	for _, c := range result.Ranking {
		if c.Fate != rerank.Stopped || c.Layer != 2 {
			t.Errorf("%+v", c)
		}
	}
	if l := result.Layers[1]; l.Elapsed != 10*time.Millisecond {
		t.Errorf("layer 1 took %v", l.Elapsed)
	}
	if result := s.within(60*time.Millisecond, rerank.Exact(4)); result.Cut || len(result.Layers) != 6 {
		t.Errorf("with time for all: cut %v after %d layers", result.Cut, len(result.Layers))
	}
}

// TestDeadlineCountsActive: with fewer candidates a layer takes less, so that
// more of them fit.
func TestDeadlineCountsActive(t *testing.T) {
	row := []float32{5, 4.9, 0.1, 0, -0.1, -5, -5.1, -5.2, -5.3, -5.4}
	s := scripted(t, row, row, row, row, row)
	s.each = time.Millisecond
	opts := rerank.Options{K: 4, Tau: 0.8, Literal: true, Clusters: 3}
	result := s.within(16*time.Millisecond, opts)
	checkCounts(t, result, []int{10, 3, 3})
	if !result.Cut || !slices.Equal(ids(result.Ranking)[:5], []int{0, 1, 2, 3, 4}) {
		t.Errorf("cut %v, ranking %v", result.Cut, ids(result.Ranking))
	}
}

// TestDeadlineOver: without any time the order of the candidates stays.
func TestDeadlineOver(t *testing.T) {
	s := timed(t, 6, 10)
	result := s.within(-time.Second, rerank.Exact(4))
	if !result.Cut || len(result.Layers) != 0 || !slices.Equal(ids(result.Top), []int{0, 1, 2, 3}) {
		t.Errorf("%+v", result)
	}
	for _, c := range result.Ranking {
		if c.Fate != rerank.Stopped || c.Layer != -1 || c.Score != 0 {
			t.Errorf("%+v", c)
		}
	}
}

// TestDeadlineParts: wherever a run is cut, what it decided before stands, and
// the results are complete.
func TestDeadlineParts(t *testing.T) {
	r := random(t)
	for range trials {
		s := randomScript(t, r, 5+r.IntN(30), 8, false)
		s.each = time.Millisecond
		opts := randomOptions(r, 8)
		whole := s.run(opts)
		part := s.within(time.Duration(r.IntN(8*s.n()))*time.Millisecond, opts)
		if len(part.Top) != len(whole.Top) || len(part.Layers) > len(whole.Layers) {
			t.Fatalf("%d results after %d layers, whole run %d after %d",
				len(part.Top), len(part.Layers), len(whole.Top), len(whole.Layers))
		}
		for l, report := range part.Layers {
			if !slices.Equal(report.Selected, whole.Layers[l].Selected) || !slices.Equal(report.Dropped, whole.Layers[l].Dropped) {
				t.Fatalf("layer %d: %+v, whole run %+v", l, report, whole.Layers[l])
			}
			for _, id := range report.Selected {
				if !slices.Contains(ids(part.Top), id) {
					t.Fatalf("%d was selected and is not among %v", id, part.Top)
				}
			}
		}
	}
}

// TestCancel: a done context ends the run with its own error, between layers
// and within one.
func TestCancel(t *testing.T) {
	for _, failing := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		s := timed(t, 6, 10)
		s.after = func(layer int) error {
			if layer == 2 {
				cancel()
				if failing {
					return errors.New("interrupted")
				}
			}
			return nil
		}
		result, err := rerank.Run(ctx, s, s.n(), rerank.Exact(3))
		if !errors.Is(err, context.Canceled) || len(result.Ranking) != 0 || len(s.active) != 3 {
			t.Errorf("failing %v: %v after %d layers, %+v", failing, err, len(s.active), result)
		}
	}
}

// TestErrors: what cannot be ranked is refused, with the reason.
func TestErrors(t *testing.T) {
	broken := errors.New("the disk is gone")
	fails := func(s *script) { s.after = func(int) error { return broken } }
	nan := func(s *script) { s.margins[1][7] = float32(math.NaN()) }
	infinite := func(s *script) { s.margins[5][0] = float32(math.Inf(-1)) }
	for _, c := range []struct {
		spoil  func(*script)
		change func(*rerank.Options)
		want   string
	}{
		{spoil: fails, want: "layer 0: the disk is gone"},
		{spoil: nan, want: "layer 1: the score of candidate 7 is NaN"},
		{spoil: infinite, want: "layer 5: the score of candidate 0 is -Inf"},
		{spoil: func(s *script) { s.margins = nil }, want: "0 layers"},
		{change: func(o *rerank.Options) { o.K = 0 }, want: "0 results"},
		{change: func(o *rerank.Options) { o.Mode, o.Sure = rerank.Order, o.K+1 }, want: "to be sure of"},
		{change: func(o *rerank.Options) { o.Mode, o.Sure = rerank.Set, o.K-1 }, want: "for mode order"},
		{change: func(o *rerank.Options) { o.Mode = 9 }, want: "mode"},
		{change: func(o *rerank.Options) { o.Domain = 9 }, want: "domain"},
		{change: func(o *rerank.Options) { o.Tau = math.NaN() }, want: "threshold NaN"},
		{change: func(o *rerank.Options) { o.Tau = -1 }, want: "threshold -1"},
		{change: func(o *rerank.Options) { o.Clusters = 1 }, want: "1 clusters"},
		{change: func(o *rerank.Options) { o.Clusters = 6 }, want: "6 clusters"},
		{change: func(o *rerank.Options) { o.Guards.Patience = -1 }, want: "guards"},
		{change: func(o *rerank.Options) { o.Guards.MinGap = math.NaN() }, want: "guards"},
	} {
		s, opts := timed(t, 6, 10), rerank.Exact(3)
		if c.spoil != nil {
			c.spoil(s)
		}
		if c.change != nil {
			c.change(&opts)
		}
		_, err := rerank.Run(context.Background(), s, 10, opts)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v instead of %q", err, c.want)
		}
	}
	s := timed(t, 6, 10)
	fails(s)
	if _, err := rerank.Run(context.Background(), s, 10, rerank.Exact(3)); !errors.Is(err, broken) {
		t.Errorf("%v hides its cause", err)
	}
	if _, err := rerank.Run(context.Background(), s, -1, rerank.Exact(3)); err == nil {
		t.Error("-1 candidates are accepted")
	}
}
