package opened

import (
	"context"
	"testing"

	"dowse/engine/swap"
	"dowse/models"
	"dowse/models/pack"
)

// A disk whose reads take as long whatever their size wants the rows of many layers
// together; one whose small reads are as fast as large ones does not, nor does a model
// that fits.
func TestTheDiskChoosesHowManyLayersLieTogether(t *testing.T) {
	c := pack.Config{
		Architecture: "LlamaForCausalLM", Decoder: true, Layers: 16, Hidden: 1024, Heads: 16, KVHeads: 16, HeadDim: 64,
		Intermediate: 4096, Vocabulary: 1000, MaxTokens: 512, TiedOutput: true,
	}
	l, err := pack.NewRowLayout(c, 1, 8)
	if err != nil {
		t.Fatal(err)
	}
	m, whole := models.Installation{Config: c}, swap.Whole(l)+int64(c.EmbeddingsBuffer()+c.OutputBuffer())
	on := func(p swap.DiskProfile) DiskCosts {
		return func(context.Context, string) swap.DiskProfile { return p }
	}
	seeks := on(swap.DiskProfile{Sizes: []int{1 << 20}, Rates: []float64{1e9}, Sequential: 1e9, Memory: 1e12})
	even := on(swap.DiskProfile{Sizes: []int{1}, Rates: []float64{1e9}, Sequential: 1e9, Memory: 1e12})
	for _, c := range []struct {
		name   string
		budget int64
		disk   DiskCosts
		more   bool
	}{
		{"a disk that seeks", whole / 2, seeks, true},
		{"a disk that does not", whole / 2, even, false},
		{"a model that fits", whole, seeks, false},
		{"any budget", 0, seeks, false},
		{"too small a budget", 1, seeks, false},
	} {
		if got := GroupLayers(t.Context(), m, 8, c.budget, c.disk); got > 1 != c.more {
			t.Errorf("%s: groups of %d", c.name, got)
		}
	}
}
