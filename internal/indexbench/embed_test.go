package indexbench

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestEmbedOnce(t *testing.T) {
	embedded := 0
	model := words{&embedded}
	cache := opened(t, filepath.Join(t.TempDir(), "a.vec"), testDim)
	texts := []string{"a heron", "two herons", "a heron"}
	first, err := Embed(t.Context(), model, cache, texts, func(int, int) {})
	if err != nil || embedded != 2 {
		t.Fatalf("%d texts were embedded, want 2: %v", embedded, err)
	}
	second, err := Embed(t.Context(), model, cache, texts, func(int, int) {})
	if err != nil || embedded != 2 || !slices.Equal(first, second) {
		t.Errorf("embedded %d, want still 2; the same vectors %v: %v", embedded, slices.Equal(first, second), err)
	}
	want, err := model.EmbedDocuments(t.Context(), texts)
	if err != nil || !slices.Equal(first, want) {
		t.Errorf("other vectors than the model's: %v", err)
	}
}

func TestCostByBatch(t *testing.T) {
	cost := EmbedCost{{1, 10}, {2, 8}, {4, 5}}
	for n, want := range map[int]float64{0: 0, 1: 10, 2: 16, 3: 24, 4: 20, 100: 500} {
		if got := cost.Of(n); got != want {
			t.Errorf("%d passages: %v ms, want %v", n, got, want)
		}
	}
	embedded := 0
	measured, err := MeasureCost(t.Context(), words{&embedded}, []string{"a", "b", "c", "d", "e"})
	if err != nil || len(measured) != 3 || measured[2].Batch != 4 || measured[0].Millis <= 0 {
		t.Errorf("measured %v: %v", measured, err)
	}
}
