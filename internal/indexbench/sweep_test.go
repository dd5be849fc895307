package indexbench

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"dowse/engine/leann"
)

// staged is a method whose settings ask for Keep vectors and find the first
// Rerank of the truth.
func staged(c *Collection, ladders ...[]Setting) *method {
	return &method{name: "staged", ladders: ladders, open: func() search {
		return func(ctx context.Context, query []float32, s Setting, exact leann.Exact) ([]leann.Hit, error) {
			err := exact.Vectors(ctx, make([]uint32, s.Keep), make([]float32, s.Keep*testDim), make([]bool, s.Keep))
			return bySorting(c.Vectors, query, s.Rerank), err
		}
	}}
}

func TestSweepPicksTheCheapest(t *testing.T) {
	c := clustered(t, 100, 6)
	b := quiet()
	m := staged(c,
		[]Setting{{Keep: 1, Rerank: 1}, {Keep: 9, Rerank: 2}, {Keep: 30, Rerank: 3}, {Keep: 2, Rerank: 3, Beam: 1}}, // the last is behind one that is enough
		[]Setting{{Keep: 8, Rerank: 2}, {Keep: 20, Rerank: 3}, {Keep: 40, Rerank: 3}},
		[]Setting{{Keep: 25, Rerank: 1}, {Keep: 3, Rerank: 3}}, // dearer than what reached all
	)
	found, err := b.sweep(t.Context(), c, m, []float64{0.3, 0.6, 0.9})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Setting{{Keep: 1, Rerank: 1}, {Keep: 8, Rerank: 2}, {Keep: 20, Rerank: 3}} {
		if found[i] == nil || found[i].Setting != want || found[i].Recomputes != float64(want.Keep) {
			t.Errorf("goal %d: got %+v, want %v", i, found[i], want)
		}
	}
	found, err = b.sweep(t.Context(), c, staged(c, []Setting{{Keep: 1, Rerank: 2}}), goals)
	if err != nil || !slices.Equal(found, []*Outcome{nil, nil}) {
		t.Errorf("recall of two thirds: %v, %v", found, err)
	}
}

func TestEvaluateCountsAlikeOnAnyGoroutines(t *testing.T) {
	c := clustered(t, 200, 15)
	g, err := quiet().build(t.Context(), "", c.Vectors, fullShape)
	if err != nil {
		t.Fatal(err)
	}
	m := exactWalk("walk", c, g)
	m.cached = hubCache(g, true, 0.1)
	one, err := quiet().evaluate(t.Context(), c, m, Setting{Ratio: 1, Keep: 5}, 1)
	if err != nil {
		t.Fatal(err)
	}
	three, err := quiet().evaluate(t.Context(), c, m, Setting{Ratio: 1, Keep: 5}, 3)
	if err != nil {
		t.Fatal(err)
	}
	one.OwnMicros, three.OwnMicros, one.Millis, three.Millis = 0, 0, 0, 0
	if one != three || one.Cached == 0 || one.Recomputes != one.Vectors-one.Cached {
		t.Errorf("one goroutine %+v, three %+v", one, three)
	}
	m.stored = true
	stored, err := quiet().evaluate(t.Context(), c, m, Setting{Ratio: 1, Keep: 5}, 1)
	if err != nil || stored.Recomputes != 0 || stored.Vectors != one.Vectors {
		t.Errorf("stored %+v: %v", stored, err)
	}
}

func TestEvaluateStops(t *testing.T) {
	c := clustered(t, 50, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := quiet().sweep(ctx, c, staged(c, []Setting{{Rerank: 3}}), goals); err == nil {
		t.Error("a sweep went on after its end")
	}
}

func TestSettingText(t *testing.T) {
	s := Setting{Ratio: 0.3, Keep: 8, Probes: 2}
	if got := s.String(); got != "a=0.3 keep=8 probes=2" {
		t.Errorf("got %q", got)
	}
	if b, err := json.Marshal(s); err != nil || string(b) != `{"a":0.3,"keep":8,"probes":2}` {
		t.Errorf("got %s, %v", b, err)
	}
}
