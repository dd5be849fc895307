package crossencoder

import (
	"math"
	"testing"

	"dowse/engine"
	"dowse/engine/rerank"
	"dowse/models"
)

func TestPriorOf(t *testing.T) {
	for want, m := range map[float64]models.Installation{
		20:                {Name: models.DefaultReranker},
		7.5:               {Name: "x", Job: &models.Job{Purpose: models.Purpose{Prior: 7.5}}},
		rerank.UsualPrior: {Name: "y", Job: &models.Job{}},
	} {
		if got := PriorOf(m); got != want {
			t.Errorf("%s: %g, want %g", m.Name, got, want)
		}
	}
}

// A model that was not calibrated has no line.
func TestLineOf(t *testing.T) {
	known, _ := models.Lookup(models.DefaultReranker)
	for _, c := range []struct {
		want float64
		m    models.Installation
	}{
		{known.RelevantFrom, models.Installation{Name: models.DefaultReranker}},
		{-7.5, models.Installation{Name: "x", Job: &models.Job{Purpose: models.Purpose{RelevantFrom: -7.5}}}},
		{0, models.Installation{Name: "y", Job: &models.Job{}}},
	} {
		if got := lineOf(c.m); got != c.want {
			t.Errorf("%s: %g, want %g", c.m.Name, got, c.want)
		}
	}
	if known.RelevantFrom == 0 {
		t.Error("the default reranker has no line")
	}
}

// TestRelevanceIsTheModelsOwn: the prior that a search ranks by is out of it, and
// those that left early have none.
func TestRelevanceIsTheModelsOwn(t *testing.T) {
	m := &Model{Prior: 20, Line: 1}
	job := engine.RerankJob{Prior: []float64{0.5, 0.9, 0.7}, Closeness: []float64{0.2, 0.4, 0.6}}
	own := []float32{3, -2, 7}
	prior := rerank.ScalePrior(job.Prior, m.Prior)
	result := rerank.Result{Ranking: []rerank.Candidate{
		{ID: 0, Score: own[0] + prior[0], Fate: rerank.Finished},
		{ID: 1, Score: own[1] + prior[1], Fate: rerank.Finished},
		{ID: 2, Score: own[2] + prior[2], Fate: rerank.Dropped},
	}}
	got := m.relevance(result, job)
	if want := []float64{3 + 5*0.2 - 1, -2 + 5*0.4 - 1}; len(got) != 3 || math.Abs(got[0]-want[0]) > 1e-5 || math.Abs(got[1]-want[1]) > 1e-5 || !math.IsNaN(got[2]) {
		t.Errorf("%v, want %v and no number", got, want)
	}
	m.Line = 0
	if got := m.relevance(result, job); got != nil {
		t.Errorf("without a line: %v", got)
	}
}
