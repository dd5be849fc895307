package search_test

import (
	"math"
	"testing"

	"dowse/engine/fusion"
	"dowse/engine/kernel"
	"dowse/engine/transformer"
	"dowse/internal/testcache"
)

// The model that fusion was fitted on is on its own scale.
func TestScaleOfTheFittedModel(t *testing.T) {
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := transformer.OpenEmbedder(t.Context(), testcache.Embedder(t), k, transformer.EmbedderOptions{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	s, err := fusion.MeasureScale(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	for _, cosine := range []float64{-.1, 0, .3, 1} {
		if got := s.Of(cosine); math.Abs(got-cosine) > 1e-5 || math.Abs(s.Cosine(got)-cosine) > 1e-9 {
			t.Errorf("%g is %g, and back %g: %+v", cosine, got, s.Cosine(got), s)
		}
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}
