package transformer_test

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/models/pack"
)

// rowsOf makes a row pack of a pack.
func rowsOf(t testing.TB, path string, group int) string {
	t.Helper()
	p, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := filepath.Join(t.TempDir(), "model.rows")
	err = pack.WriteRows(t.Context(), p, rows, pack.RowOptions{GroupLayers: group, Bits: 8}, nil)
	if err := errors.Join(err, p.Close()); err != nil {
		t.Fatal(err)
	}
	return rows
}

// sparsityOf are thresholds at which models of tests leave about half of the inputs
// out, calibrated on random tokens.
func sparsityOf(t testing.TB, path string, level float64) *transformer.Sparsity {
	t.Helper()
	d := openDecoder(t, path, transformer.DecoderOptions{Threads: 2})
	thresholds, err := transformer.ThresholdsFor(t.Context(), d, randomIDs(rand.New(rand.NewPCG(9, 0)), 200, d.Vocabulary()), level)
	if err != nil {
		t.Fatal(err)
	}
	return &transformer.Sparsity{Level: level, Thresholds: thresholds}
}

// chained decodes tokens after a prompt as trees of some sizes, the last of which is
// repeated, and returns the logits of all of them.
func chained(t testing.TB, d *transformer.Decoder, c *transformer.Sequence, ids []int32, sizes ...int) []float32 {
	t.Helper()
	var all []float32
	for len(ids) > 0 {
		n := min(sizes[0], len(ids))
		tree, path := kv.Tree{Tokens: ids[:n]}, []int32(nil)
		for i := range n {
			tree.Parents, path = append(tree.Parents, int32(i-1)), append(path, int32(i))
		}
		all, ids = append(all, verify(t, d, c, tree)...), ids[n:]
		if err := c.Keep(path); err != nil {
			t.Fatal(err)
		}
		if len(sizes) > 1 {
			sizes = sizes[1:]
		}
	}
	return all
}

// rowBudget is a budget for a row pack: the least, and a share of what else all rows take.
func rowBudget(t testing.TB, path string, o transformer.DecoderOptions, share float64) int64 {
	t.Helper()
	least, whole, err := transformer.RowBudgets(path, o)
	if err != nil {
		t.Fatal(err)
	}
	return least + int64(share*float64(whole-least))
}

// T-A1: without sparsity, a row pack gives the same bits in any budget, one that holds
// all rows among them, however tokens are cut into prompts and trees.
func TestA1_WithoutSparsityARowPackIsDense(t *testing.T) {
	const seed = 101
	eachDecoder(t, seed, func(t *testing.T, rng *rand.Rand, folder string) {
		path := rowsOf(t, importFolder(t, folder), 2)
		whole := openDecoder(t, path, transformer.DecoderOptions{})
		if !whole.Resident() {
			t.Fatal("without a budget, rows are not all in memory")
		}
		ids := randomIDs(rng, 120, whole.Vocabulary())
		c := whole.NewSequence()
		defer freeSequence(t, c)
		want := appendAll(t, whole, c, ids, 64)
		for _, threads := range []int{1, 3} {
			for _, share := range []float64{0, .9, 1} {
				o := transformer.DecoderOptions{Threads: threads, MaxTokens: 256, Ledger: &memory.Ledger{}}
				o.Budget = rowBudget(t, path, o, share)
				d := openDecoder(t, path, o)
				if d.Resident() != (share == 1) || d.Sparsity() != 0 {
					t.Fatalf("share %g: resident %t, sparsity %g", share, d.Resident(), d.Sparsity())
				}
				c := d.NewSequence()
				if got := append(appendAll(t, d, c, ids[:100], 30), chained(t, d, c, ids[100:], 1, 7, 1)...); !slices.Equal(got, want) {
					t.Errorf("%d threads, share %g: other bits", threads, share)
				}
				freeSequence(t, c)
				if peak := o.Ledger.Peak(); peak > o.Budget {
					t.Errorf("share %g: %d bytes were held, the budget is %d", share, peak, o.Budget)
				}
			}
		}
	})
}

// T-A2, T-N1, T-N3, T-S1: what is decoded one token at a time, from active rows, has the
// bits of trees, which are dense and masked, and of a twin that has all weights in memory
// and masks; on any number of threads, in any budget.
func TestA2_SparsePassesHaveTheBitsOfMaskedOnes(t *testing.T) {
	const seed = 102
	eachDecoder(t, seed, func(t *testing.T, rng *rand.Rand, folder string) {
		plain := importFolder(t, folder)
		path := rowsOf(t, plain, 2)
		whole := openDecoder(t, path, transformer.DecoderOptions{Threads: 2})
		prompt, ids := randomIDs(rng, 50, whole.Vocabulary()), randomIDs(rng, 24, whole.Vocabulary())
		for _, level := range []float64{.2, .6, .97} {
			s := sparsityOf(t, path, level)
			twin := openDecoder(t, path, transformer.DecoderOptions{Threads: 2})
			transformer.MaskResident(twin, s)
			c := twin.NewSequence()
			appendAll(t, twin, c, prompt, len(prompt))
			want := chained(t, twin, c, ids, len(ids))
			bits := transformer.TokenBits(c)
			freeSequence(t, c)
			for _, share := range []float64{0, .5, .95} {
				for _, threads := range []int{1, 3} {
					o := transformer.DecoderOptions{Threads: threads, MaxTokens: 256, Ledger: &memory.Ledger{}, Sparsity: s}
					o.Budget = rowBudget(t, path, o, share)
					d := openDecoder(t, path, o)
					for _, sizes := range [][]int{{1}, {3, 1, 5, 1}} {
						c := d.NewSequence()
						appendAll(t, d, c, prompt, 20)
						if got := chained(t, d, c, ids, sizes...); !slices.Equal(got, want) {
							t.Errorf("level %g, share %g, %d threads, trees of %v: other logits", level, share, threads, sizes)
						}
						if !slices.EqualFunc(transformer.TokenBits(c), bits, slices.Equal) {
							t.Errorf("level %g, share %g, %d threads, trees of %v: other keys and values", level, share, threads, sizes)
						}
						freeSequence(t, c)
					}
					if stats := d.Stats().Swap; stats.Hits+stats.Misses == 0 {
						t.Errorf("level %g: no active rows were asked for: %+v", level, stats)
					}
					if peak := o.Ledger.Peak(); peak > o.Budget {
						t.Errorf("level %g, share %g: %d bytes were held, the budget is %d", level, share, peak, o.Budget)
					}
				}
			}
		}
	})
}
