package transformer_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/memory"
	"dowse/engine/swap"
	"dowse/engine/transformer"
)

// Passes may change between sparse and dense at any token: the bits are those of either.
func TestChangingPassesHaveTheBitsOfEither(t *testing.T) {
	const seed = 121
	rng := rand.New(rand.NewPCG(seed, 0))
	path := rowsOf(t, importFolder(t, decoders()["Qwen2"].folder(t)), 2, 8)
	o := transformer.DecoderOptions{MaxTokens: 128, Sparsity: sparsityOf(t, path, .5)}
	o.Budget = rowBudget(t, path, o, .5)
	var prompt, ids, want = []int32(nil), []int32(nil), []float32(nil)
	for _, passes := range []swap.Passes{swap.SparsePasses, swap.DensePasses, swap.CheaperPasses} {
		o.Passes, o.Ledger = passes, &memory.Ledger{}
		d := openDecoder(t, path, o)
		if want == nil {
			prompt, ids = randomIDs(rng, 40, d.Vocabulary()), randomIDs(rng, 20, d.Vocabulary())
		}
		if passes == swap.CheaperPasses {
			transformer.SlowDown(d)
		}
		c := d.NewSequence()
		appendAll(t, d, c, prompt, 20)
		got := chained(t, d, c, ids, 1)
		if want == nil {
			want = got
		}
		stats := d.Stats()
		if !slices.Equal(got, want) {
			t.Errorf("seed %d, passes %d: other bits", seed, passes)
		}
		if stats.SparsePasses+stats.DensePasses != len(ids) || (stats.SparsePasses > 0) != (passes != swap.DensePasses) ||
			(stats.DensePasses > 0) != (passes != swap.SparsePasses) {
			t.Errorf("passes %d: %d sparse and %d dense", passes, stats.SparsePasses, stats.DensePasses)
		}
		if peak := o.Ledger.Peak(); peak > o.Budget {
			t.Errorf("passes %d: %d bytes were held, the budget is %d", passes, peak, o.Budget)
		}
		freeSequence(t, c)
	}
}

// The disk says which passes come first: rows where small reads are fast, whole layers
// where a read costs the same whatever its size.
func TestTheDiskChoosesThePasses(t *testing.T) {
	path := rowsOf(t, importFolder(t, deep()["untied"].folder(t)), 1, 8)
	o := transformer.DecoderOptions{MaxTokens: 128, Sparsity: sparsityOf(t, path, .5)}
	o.Budget = rowBudget(t, path, o, 0)
	for _, c := range []struct {
		name   string
		disk   swap.DiskProfile
		sparse bool
	}{
		{"small reads as fast as large ones", swap.DiskProfile{Sizes: []int{1}, Rates: []float64{1e6}, Sequential: 1e6, Memory: 1e12}, true},
		{"a disk that seeks", swap.DiskProfile{Sizes: []int{4096}, Rates: []float64{1e5}, Sequential: 1e9, Memory: 1e12}, false},
	} {
		o.Disk = c.disk
		d := openDecoder(t, path, o)
		s := d.NewSequence()
		appendAll(t, d, s, []int32{1, 2, 3}, 3)
		chained(t, d, s, []int32{4}, 1)
		if stats := d.Stats(); stats.SparsePasses != 0 != c.sparse {
			t.Errorf("%s: %d sparse passes and %d dense ones", c.name, stats.SparsePasses, stats.DensePasses)
		}
		freeSequence(t, s)
	}
}
