package rerankbench

import (
	"reflect"
	"slices"
	"testing"

	"dowse/engine/rerank"
)

// Whatever the way, a query ends in the same ranking with the same scores.
func TestWaysAgree(t *testing.T) {
	b := opened(t, tinyOptions(t, tinyCollection(t, "birds", 5, 40, 12)))
	want := map[bool]rerank.Result{}
	for _, w := range slices.Concat(executionWays(true), ablationWays(true, false)) {
		if w.batch > 0 {
			continue // its result is that of the last batch
		}
		r := start(t, b, w)
		got, cost, err := r.ask(t.Context(), b.queries[0], rerank.Options{K: 2, Mode: rerank.Order, Tau: 0.01, Literal: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, known := want[w.pruned]; !known {
			want[w.pruned] = got
		}
		if !reflect.DeepEqual(got.Ranking, want[w.pruned].Ranking) {
			t.Errorf("%s: %+v, want %+v", w.name, got.Ranking, want[w.pruned].Ranking)
		}
		if cost.full != len(b.queries[0].pairs)*6 || cost.active != got.ActiveLayers {
			t.Errorf("%s: %+v", w.name, cost)
		}
	}
	if reflect.DeepEqual(want[true].Ranking, want[false].Ranking) {
		t.Error("nothing is pruned")
	}
}

// Batches compute everything, and not one candidate twice.
func TestBatchesComputeAll(t *testing.T) {
	b := opened(t, tinyOptions(t, tinyCollection(t, "birds", 6, 40, 12)))
	r := start(t, b, way{name: "threes", batch: 3, whole: true})
	q := b.queries[1].first(10)
	_, cost, err := r.ask(t.Context(), q, rerank.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := 10 * 6; cost.active != want || cost.full != want {
		t.Errorf("%d of %d layers, want %d", cost.active, cost.full, want)
	}
}

// A trace of the first candidates is what a pass over them alone leaves.
func TestFirstOfIsTheTraceOfFewer(t *testing.T) {
	b := opened(t, tinyOptions(t, tinyCollection(t, "birds", 7, 40, 10)))
	r := start(t, b, way{name: residentName})
	whole, err := b.record(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	const n = 5
	for i := range b.queries {
		b.queries[i] = b.queries[i].first(n)
	}
	fewer, err := b.record(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		if got := firstOf(whole[i].trace, n); !reflect.DeepEqual(got, fewer[i].trace) {
			t.Errorf("query %d: %v, want %v", i, got, fewer[i].trace)
		}
	}
}

// What a replay tells of a threshold is what happens when the model runs.
func TestReplayIsWhatHappens(t *testing.T) {
	b := opened(t, tinyOptions(t, tinyCollection(t, "birds", 8, 60, 30)))
	if err := b.trace(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := start(t, b, way{name: "pruned", pruned: true})
	for _, v := range variants {
		opts := v.options(3, 6, false)
		opts.Tau = 0.05
		left := 0
		for i, q := range b.queries {
			live, _, err := r.ask(t.Context(), q, opts)
			if err != nil {
				t.Fatal(err)
			}
			effect, err := replay(b.traces[i:i+1], opts)
			if err != nil {
				t.Fatal(err)
			}
			want, _, err := r.ask(t.Context(), q, full())
			if err != nil {
				t.Fatal(err)
			}
			if got := rerank.Agreement(v.mode, want.Ranking[:3], live.Top); got != effect.Agreement || live.Cost() != effect.Layers {
				t.Errorf("%v, query %d: agreement %v and %v of the layers, replayed %+v", v, i, got, live.Cost(), effect)
			}
			left += live.FullLayers - live.ActiveLayers
		}
		if left == 0 {
			t.Errorf("%v: nothing is pruned", v)
		}
	}
}

func TestHalves(t *testing.T) {
	var list []traced
	for i := range 11 {
		list = append(list, traced{i % 3, rerank.Trace{Candidates: i + 1, Layers: 2, Margins: make([]float32, 2*(i+1))}})
	}
	even, odd := halves(list, 6, 3)
	sizes := func(part []traced) (n []int) {
		for _, t := range part {
			n = append(n, t.trace.Candidates)
		}
		return n
	}
	if got := sizes(even); !slices.Equal(got, []int{5, 6, 6, 6}) { // places 4, 6, 8, 10
		t.Errorf("even places: %v", got)
	}
	if got := sizes(odd); !slices.Equal(got, []int{4, 6, 6, 6}) { // places 3, 5, 7, 9
		t.Errorf("odd places: %v", got)
	}
}

// Queries that are timed are none of those that thresholds are chosen by.
func TestTimedQueriesAreHeldOut(t *testing.T) {
	for n := 1; n < 40; n++ {
		b := &bench{queries: make([]query, n)}
		for i := range b.queries {
			b.queries[i].collection = i
		}
		for b.opts.Timed = 1; b.opts.Timed < 25; b.opts.Timed++ {
			seen := map[int]bool{}
			for _, q := range b.timed(1) {
				if q.collection%2 == 0 && n > 1 || seen[q.collection] {
					t.Fatalf("%d of %d queries: place %d", b.opts.Timed, n, q.collection)
				}
				seen[q.collection] = true
			}
			if want := max(1, min(b.opts.Timed, n/2)); len(seen) != want {
				t.Fatalf("%d of %d queries: %d, want %d", b.opts.Timed, n, len(seen), want)
			}
		}
	}
}
