package eval

import (
	"context"
	"math"
	"testing"
)

// listed ranks documents, best first.
func listed(ids ...string) []Ranked {
	ranked := make([]Ranked, len(ids))
	for i, id := range ids {
		ranked[i] = Ranked{ID: id, Score: 1 / float64(i+1)}
	}
	return ranked
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestScoreByHand(t *testing.T) {
	grades := map[string]int{"a": 3, "b": 1, "c": 1, "d": 1, "zero": 0}
	// b at rank 2, a at rank 3, d at rank 6, c at rank 11.
	ranked := listed("x", "b", "a", "a", "zero", "1", "d", "3", "4", "5", "6", "c")
	got := Score(ranked, grades)
	ideal := 3/math.Log2(2) + 1/math.Log2(3) + 1/math.Log2(4) + 1/math.Log2(5)
	want := Scores{
		NDCG10:   (1/math.Log2(3) + 3/math.Log2(4) + 1/math.Log2(7)) / ideal,
		Recall5:  2.0 / 4,
		Recall10: 3.0 / 4,
		Recall20: 1,
		MRR10:    0.5,
	}
	if !near(got.NDCG10, want.NDCG10) || !near(got.Recall5, want.Recall5) || !near(got.Recall10, want.Recall10) || !near(got.Recall20, want.Recall20) || !near(got.MRR10, want.MRR10) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestScoreEdges(t *testing.T) {
	if s := Score(nil, map[string]int{"a": 1}); s != (Scores{}) {
		t.Errorf("empty list: %+v", s)
	}
	if s := Score(listed("a"), map[string]int{"a": 0}); s != (Scores{}) {
		t.Errorf("nothing relevant: %+v", s)
	}
	perfect := Scores{NDCG10: 1, Recall5: 1, Recall10: 1, Recall20: 1, MRR10: 1}
	if s := Score(listed("b", "a"), map[string]int{"a": 1, "b": 2}); s != perfect {
		t.Errorf("perfect list: %+v", s)
	}
}

func TestPercentile(t *testing.T) {
	values := []float64{5, 1, 4, 2, 3}
	for share, want := range map[float64]float64{0: 1, 0.2: 1, 0.5: 3, 0.95: 5, 1: 5} {
		if got := Percentile(values, share); got != want {
			t.Errorf("Percentile(%v) = %v, want %v", share, got, want)
		}
	}
	if Percentile(nil, 0.5) != 0 {
		t.Error("no values")
	}
}

// constant always returns the same list.
type constant []Ranked

func (c constant) Retrieve(context.Context, string, string, int) ([]Ranked, Cost, error) {
	return c, Cost{Recomputed: 3, Memoized: 4, ActiveLayers: 5, FullLayers: 6}, nil
}

func TestRun(t *testing.T) {
	judged := []Query{{ID: "q1", Grades: map[string]int{"d1": 1}}, {ID: "q3", Grades: map[string]int{"d2": 2}}}
	calls := 0
	report, err := Run(t.Context(), "set", judged, constant(listed("d1", "d2")), []string{"lexical"}, 0, func(int, int) { calls++ })
	if err != nil {
		t.Fatal(err)
	}
	got := report.Stages["lexical"]
	if calls != 2 || !near(got.NDCG10, (1+1/math.Log2(3))/2) || !near(got.MRR10, 0.75) {
		t.Errorf("calls %d, report %+v", calls, got)
	}
	if want := (Cost{Recomputed: 6, Memoized: 8, ActiveLayers: 10, FullLayers: 12}); got.Cost != want {
		t.Errorf("cost %+v, want %+v", got.Cost, want)
	}
	if r := report.Rankings; len(r) != 2 || r[1].Query != "q3" || len(r[1].Documents) != 2 || r[1].Documents[1].ID != "d2" {
		t.Errorf("rankings %+v", r)
	}
	if report, err = Run(t.Context(), "set", judged, constant(listed("d1")), []string{"lexical"}, 1, nil); err != nil || report.Queries != 1 || report.Stages["lexical"].NDCG10 != 1 {
		t.Errorf("limited to the first query: %+v, %v", report, err)
	}
}
