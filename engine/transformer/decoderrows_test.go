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

// T-A1: a row pack without sparsity gives the bits of its masked twin at no threshold,
// and of itself in any budget.
func TestA1_WithoutSparsityARowPackIsDense(t *testing.T) {
	const seed = 101
	eachDecoder(t, seed, func(t *testing.T, rng *rand.Rand, folder string) {
		path := rowsOf(t, importFolder(t, folder), 2)
		whole := openDecoder(t, path, transformer.DecoderOptions{})
		ids := randomIDs(rng, 150, whole.Vocabulary())
		c := whole.NewSequence()
		defer freeSequence(t, c)
		want := appendAll(t, whole, c, ids, 64)
		for _, threads := range []int{1, 2, 3} {
			o := transformer.DecoderOptions{Threads: threads, MaxTokens: 256, Ledger: &memory.Ledger{}}
			o.Budget = transformer.LeastBudget(t.Context(), path, o)
			d := openDecoder(t, path, o)
			if d.Resident() || d.Sparsity() != 0 {
				t.Fatalf("resident %t, sparsity %g", d.Resident(), d.Sparsity())
			}
			c := d.NewSequence()
			if got := append(appendAll(t, d, c, ids[:100], 30), chained(t, d, c, ids[100:], 1, 7, 1)...); !slices.Equal(got, want) {
				t.Errorf("%d threads: other bits", threads)
			}
			freeSequence(t, c)
		}
	})
}
