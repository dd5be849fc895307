package crossencoder

import (
	"errors"
	"testing"

	"dowse/engine/opened"
	"dowse/models"
)

// Passages are read as far as their prior, in margins of the model, is near the first's; an exact reranker, and one whose
// model is not known, reads all.
func TestNearCountsMargins(t *testing.T) {
	find := func(name string) (models.Installation, error) {
		if name == "away" {
			return models.Installation{}, errors.New("it is away")
		}
		return models.Installation{Name: name}, nil
	}
	scores := []float64{.9, .8, .75, .71, .62, .4, .2}
	for name, c := range map[string]struct {
		Options
		scores []float64
		want   int
	}{
		"worth 20":        {Options{Name: models.DefaultReranker}, scores, 5},
		"worth 10":        {Options{Name: "somebody's"}, scores, 6},
		"two at least":    {Options{Name: models.DefaultReranker}, []float64{.9, .1, 0}, 2},
		"one":             {Options{Name: models.DefaultReranker}, scores[:1], 1},
		"none":            {Options{Name: models.DefaultReranker}, nil, 0},
		"exact":           {Options{Name: models.DefaultReranker, Exact: true}, scores, 7},
		"of a model away": {Options{Name: "away"}, scores, 7},
	} {
		if got := New(opened.Machine{Find: find}, c.Options).Near(c.scores); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
