package transformer_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/swap"
	"dowse/engine/swap/calibrate"
	"dowse/engine/transformer"
	"dowse/models"
	"dowse/models/pack"
)

// rowsOf makes a row pack of a pack.
func rowsOf(t testing.TB, path string, group, bits int) string {
	t.Helper()
	p, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := filepath.Join(t.TempDir(), "model.rows")
	err = pack.WriteRows(t.Context(), p, rows, pack.RowOptions{GroupLayers: group, Bits: bits}, nil)
	if err := errors.Join(err, p.Close()); err != nil {
		t.Fatal(err)
	}
	return rows
}

// sparsityOf are thresholds at which models of tests leave about half of the inputs
// out, calibrated on random tokens.
func sparsityOf(t testing.TB, path string, level float64) *swap.Sparsity {
	t.Helper()
	d := openDecoder(t, path, transformer.DecoderOptions{Threads: 2})
	thresholds, err := transformer.ThresholdsFor(t.Context(), d, randomIDs(rand.New(rand.NewPCG(9, 0)), 200, d.Vocabulary()), level)
	if err != nil {
		t.Fatal(err)
	}
	return &swap.Sparsity{Level: level, Thresholds: thresholds}
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
		path := rowsOf(t, importFolder(t, folder), 2, 8)
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
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	for bits, seed := range map[int]uint64{8: 102, 4: 112} {
		t.Run(fmt.Sprintf("%d bits", bits), func(t *testing.T) { sparsePassesHaveTheBitsOfMaskedOnes(t, seed, bits) })
	}
}

func sparsePassesHaveTheBitsOfMaskedOnes(t *testing.T, seed uint64, bits int) {
	t.Helper()
	eachDecoder(t, seed, func(t *testing.T, rng *rand.Rand, folder string) {
		path := rowsOf(t, importFolder(t, folder), 2, bits)
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
					o := transformer.DecoderOptions{Threads: threads, MaxTokens: 256, Ledger: &memory.Ledger{}, Passes: swap.SparsePasses, Sparsity: s}
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

// T-C3: what a prompt leaves in memory for the tokens behind it changes no bit of them,
// and is counted.
func TestC3_WhatAPromptKeepsChangesNoBit(t *testing.T) {
	const seed = 103
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := rowsOf(t, importFolder(t, decoders()["Llama"].folder(t)), 1, 8)
	s := sparsityOf(t, path, .5)
	o := transformer.DecoderOptions{MaxTokens: 256, Passes: swap.SparsePasses, Sparsity: s}
	o.Budget = rowBudget(t, path, o, .6)
	warm, cold := openDecoder(t, path, o), openDecoder(t, path, o)
	transformer.KeepNothing(cold)
	prompt, ids := randomIDs(rng, 70, warm.Vocabulary()), randomIDs(rng, 10, warm.Vocabulary())
	var logits [2][]float32
	var kept [2]int
	for i, d := range []*transformer.Decoder{warm, cold} {
		c := d.NewSequence()
		appendAll(t, d, c, prompt, 35)
		logits[i], kept[i] = chained(t, d, c, ids, 1), d.Stats().Swap.Warmed
		freeSequence(t, c)
	}
	if !slices.Equal(logits[0], logits[1]) {
		t.Error("other bits")
	}
	if kept[0] == 0 || kept[1] != 0 {
		t.Errorf("%d rows were kept by the prompt, %d with the switch off", kept[0], kept[1])
	}
}

// T-A6 for a decoder: conversations grow, go and come at random while texts are decoded;
// nothing that they take from the rows changes a token, and the budget holds.
func TestA6_RowsMakeRoomForSequences(t *testing.T) {
	const seed = 104
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := rowsOf(t, importFolder(t, decoders()["Qwen3"].folder(t)), 2, 8)
	s := sparsityOf(t, path, .5)
	twin := openDecoder(t, path, transformer.DecoderOptions{})
	transformer.MaskResident(twin, s)
	o := transformer.DecoderOptions{MaxTokens: 600, Passes: swap.SparsePasses, Sparsity: s, Ledger: &memory.Ledger{}, ChunkTokens: 16}
	o.Budget = rowBudget(t, path, o, .3)
	d := openDecoder(t, path, o)
	texts := make([][2]*transformer.Sequence, 3)
	for i := range texts {
		texts[i] = [2]*transformer.Sequence{d.NewSequence(), twin.NewSequence()}
	}
	for step := range 60 {
		text := &texts[rng.IntN(len(texts))]
		if text[0].Len() > 150 || rng.IntN(8) == 0 {
			for i := range text {
				if err := text[i].Truncate(0); err != nil {
					t.Fatal(err)
				}
			}
		}
		ids, sizes := randomIDs(rng, 1+rng.IntN(12), d.Vocabulary()), []int{1 + rng.IntN(3)}
		if rng.IntN(3) == 0 || text[0].Len() == 0 {
			more := randomIDs(rng, 1+rng.IntN(60), d.Vocabulary())
			appendAll(t, d, text[0], more, 40)
			appendAll(t, twin, text[1], more, 40)
		}
		if got, want := chained(t, d, text[0], ids, sizes...), chained(t, twin, text[1], ids, 5); !slices.Equal(got, want) {
			t.Fatalf("step %d: other logits", step)
		}
	}
	for _, text := range texts {
		freeSequence(t, text[0])
		freeSequence(t, text[1])
	}
	if peak := o.Ledger.Peak(); peak > o.Budget {
		t.Errorf("%d bytes were held, the budget is %d", peak, o.Budget)
	}
}

// T-A7: thresholds leave out the share that they are for, on the text that they were
// taken from, and the same ones come out on any number of threads.
func TestA7_CalibratedThresholdsLeaveOutTheirShare(t *testing.T) {
	const seed = 105
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := rowsOf(t, importFolder(t, decoders()["Qwen2"].folder(t)), 2, 8)
	text := make([]byte, 700)
	for i := range text {
		text[i] = byte('a' + rng.IntN(26))
	}
	o := calibrate.Options{Text: "letters", Levels: []float64{.3, .5, .7}, Windows: 3, Tokens: 200}
	var want *models.Thresholds
	for threads := 1; threads <= 3; threads += 2 {
		d := openDecoder(t, path, transformer.DecoderOptions{Threads: threads})
		done := 0
		got, err := calibrate.Run(t.Context(), d, []string{string(text)}, o, func(at, total int) {
			if at <= done || at > total {
				t.Errorf("%d tokens of %d after %d", at, total, done)
			}
			done = at
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range got.Levels {
			if math.Abs(l.Measured-l.Sparsity) > .02 {
				t.Errorf("level %g: %.3f of the inputs were left out", l.Sparsity, l.Measured)
			}
		}
		if got.Tokens != 297 || !(got.Perplexity > 1) {
			t.Errorf("%d tokens, perplexity %g", got.Tokens, got.Perplexity)
		}
		if want == nil {
			want = got
		} else if !reflect.DeepEqual(got, want) {
			t.Error("other thresholds on other threads")
		}
		if _, err := calibrate.Run(t.Context(), d, []string{"short"}, o, nil); err == nil {
			t.Error("five letters are enough")
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := calibrate.Run(ctx, d, []string{string(text)}, o, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
	p, err := pack.OpenRows(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(want.Check(p.Fingerprint(), p.Config()), p.Close()); err != nil {
		t.Error(err)
	}
}

// What is left out of a model that does not fit is part of what it is, and of one that
// fits nothing is.
func TestSparsityCountsWhereRowsDoNotFit(t *testing.T) {
	path := rowsOf(t, importFolder(t, decoders()["Qwen2"].folder(t)), 2, 8)
	o := transformer.DecoderOptions{MaxTokens: 128, Passes: swap.SparsePasses, Sparsity: sparsityOf(t, path, .5)}
	whole := openDecoder(t, path, o)
	o.Budget = rowBudget(t, path, o, .5)
	part := openDecoder(t, path, o)
	o.Sparsity = nil
	dense := openDecoder(t, path, o)
	if whole.Sparsity() != 0 || part.Sparsity() != .5 || dense.Sparsity() != 0 {
		t.Errorf("sparsities %g, %g and %g", whole.Sparsity(), part.Sparsity(), dense.Sparsity())
	}
	if whole.Fingerprint() != dense.Fingerprint() || part.Fingerprint() == dense.Fingerprint() {
		t.Error("keys and values of one sparsity pass for those of another")
	}
	least, _, err := transformer.RowBudgets(path, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Budget = least - 1
	if d, err := transformer.OpenDecoder(t.Context(), path, newKernel(t), o); !errors.Is(err, transformer.ErrBudget) {
		t.Errorf("a byte less than the least budget: %v, %v", d, err)
	}
	o.Budget, o.Sparsity = 0, &swap.Sparsity{Level: .5}
	if _, err := transformer.OpenDecoder(t.Context(), path, newKernel(t), o); err == nil {
		t.Error("thresholds of no layers are taken")
	}
}

// A pass that was broken off leaves a decoder that goes on with the same bits.
func TestCancelledSparsePass(t *testing.T) {
	path := rowsOf(t, importFolder(t, decoders()["Llama"].folder(t)), 1, 8)
	o := transformer.DecoderOptions{MaxTokens: 128, Passes: swap.SparsePasses, Sparsity: sparsityOf(t, path, .5)}
	o.Budget = rowBudget(t, path, o, .2)
	d := openDecoder(t, path, o)
	c := d.NewSequence()
	defer freeSequence(t, c)
	appendAll(t, d, c, []int32{1, 2, 3}, 3)
	one := kv.Tree{Tokens: []int32{4}, Parents: []int32{-1}}
	want := slices.Clone(verify(t, d, c, one))
	logits := make([]float32, d.Vocabulary())
	for after := range 3 {
		ctx := &impatient{Context: t.Context(), calls: after}
		if err := d.Verify(ctx, c, one, logits); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %d looks: %v", after, err)
		}
		if err := d.Append(ctx, c, []int32{5}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("append after %d looks: %v", after, err)
		}
		if got := verify(t, d, c, one); !slices.Equal(got, want) {
			t.Fatalf("after a pass that ended after %d looks: other bits", after)
		}
	}
}
