package transformer_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/transformer"
)

// openDecoder opens a model, and closes it with the test.
func openDecoder(t testing.TB, path string, o transformer.DecoderOptions) *transformer.Decoder {
	t.Helper()
	d, err := transformer.OpenDecoder(t.Context(), path, newKernel(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// randomIDs are n words of a vocabulary.
func randomIDs(rng *rand.Rand, n, vocabulary int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(rng.IntN(vocabulary))
	}
	return ids
}

// appendAll appends tokens in pieces of the given sizes, the last of which is
// repeated, and returns the logits of all of them.
func appendAll(t testing.TB, d *transformer.Decoder, c *transformer.Sequence, ids []int32, sizes ...int) []float32 {
	t.Helper()
	var all []float32
	for len(ids) > 0 {
		n := min(sizes[0], len(ids))
		logits := make([]float32, n*d.Vocabulary())
		if err := d.Append(t.Context(), c, ids[:n], logits); err != nil {
			t.Fatal(err)
		}
		all, ids = append(all, logits...), ids[n:]
		if len(sizes) > 1 {
			sizes = sizes[1:]
		}
	}
	return all
}

func freeSequence(t testing.TB, c *transformer.Sequence) {
	t.Helper()
	if err := c.Free(); err != nil {
		t.Error(err)
	}
}

// However a text is cut into calls, and on however many threads, its logits are
// the same: token by token, in one go, and in pieces that cross the blocks of a
// context.
func TestN3_LogitsDoNotDependOnHowATextIsCut(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const seed, tokens = 71, 300
	eachDecoder(t, seed, func(t *testing.T, rng *rand.Rand, folder string) {
		path := importFolder(t, folder)
		one := openDecoder(t, path, transformer.DecoderOptions{})
		ids := randomIDs(rng, tokens, one.Vocabulary())
		c := one.NewSequence()
		want := appendAll(t, one, c, ids, 1)
		freeSequence(t, c)
		for threads := 1; threads <= 3; threads++ {
			d := openDecoder(t, path, transformer.DecoderOptions{Threads: threads})
			for _, sizes := range [][]int{{tokens}, {8}, {100, 1, 60, 3}, {1 + rng.IntN(tokens)}} {
				c := d.NewSequence()
				if got := appendAll(t, d, c, ids, sizes...); !slices.Equal(got, want) {
					t.Errorf("%d threads, pieces of %v: other bits", threads, sizes)
				}
				if !slices.Equal(c.Tokens(), ids) {
					t.Errorf("the context has other tokens")
				}
				freeSequence(t, c)
			}
		}
	})
}

// Asking for the logits of fewer tokens changes neither these nor those of
// what comes later.
func TestN3_LogitsOnlyWhereAsked(t *testing.T) {
	const seed, tokens = 72, 150
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	d := openDecoder(t, importFolder(t, decoders()["Qwen3"].folder(t)), transformer.DecoderOptions{Threads: 2})
	ids := randomIDs(rng, tokens, d.Vocabulary())
	c := d.NewSequence()
	defer freeSequence(t, c)
	want := appendAll(t, d, c, ids, tokens)
	for _, wanted := range []int{0, 1, 2, 22, 23, 70, tokens} {
		if err := c.Truncate(0); err != nil {
			t.Fatal(err)
		}
		got := make([]float32, wanted*d.Vocabulary())
		if err := d.Append(t.Context(), c, ids, got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want[len(want)-len(got):]) {
			t.Errorf("logits of %d tokens have other bits", wanted)
		}
		after := appendAll(t, d, c, ids[:1], 1)
		if err := c.Truncate(tokens); err != nil {
			t.Fatal(err)
		}
		if again := appendAll(t, d, c, ids[:1], 1); !slices.Equal(after, again) {
			t.Errorf("after %d tokens were asked for, what follows has other bits", wanted)
		}
	}
}

// What was cut off leaves nothing behind, in bits or in memory.
func TestContextTruncates(t *testing.T) {
	const seed = 73
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ledger := &memory.Ledger{}
	d := openDecoder(t, importFolder(t, decoders()["Llama"].folder(t)), transformer.DecoderOptions{Ledger: ledger})
	ids := randomIDs(rng, 400, d.Vocabulary())
	fresh, used := d.NewSequence(), d.NewSequence()
	want := appendAll(t, d, fresh, ids, len(ids))
	appendAll(t, d, used, randomIDs(rng, 333, d.Vocabulary()), 50)
	for _, keep := range []int{290, 128, 127, 5, 0} {
		if err := used.Truncate(keep); err != nil || used.Len() != keep {
			t.Fatal(err)
		}
	}
	if used.Bytes() != 0 {
		t.Errorf("an empty context holds %d bytes", used.Bytes())
	}
	appendAll(t, d, used, ids[:200], 200)
	appendAll(t, d, used, randomIDs(rng, 99, d.Vocabulary()), 33)
	if err := used.Truncate(200); err != nil {
		t.Fatal(err)
	}
	if got := appendAll(t, d, used, ids[200:], 7); !slices.Equal(got, want[200*d.Vocabulary():]) {
		t.Error("after cutting off, what follows has other bits")
	}
	if used.Truncate(401) == nil || used.Truncate(-1) == nil {
		t.Error("kept what is not there")
	}
	freeSequence(t, fresh)
	freeSequence(t, used)
	for _, p := range ledger.Snapshot() {
		if p.Name == kv.Pool && (p.Bytes != 0 || p.Peak == 0) {
			t.Errorf("contexts: %+v", p)
		}
	}
}

// A call that is given up leaves the context as it was.
func TestCancelledAppend(t *testing.T) {
	ledger := &memory.Ledger{}
	d := openDecoder(t, importFolder(t, decoders()["Qwen2"].folder(t)), transformer.DecoderOptions{Ledger: ledger})
	c := d.NewSequence()
	defer freeSequence(t, c)
	ids := randomIDs(rand.New(rand.NewPCG(1, 0)), 500, d.Vocabulary())
	if err := d.Append(t.Context(), c, ids[:100], nil); err != nil {
		t.Fatal(err)
	}
	held := c.Bytes()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Append(ctx, c, ids, nil); !errors.Is(err, context.Canceled) || c.Len() != 100 || c.Bytes() != held {
		t.Errorf("%v; %d tokens, %d bytes", err, c.Len(), c.Bytes())
	}
	if err := d.Append(t.Context(), c, ids, nil); err != nil || c.Len() != 600 {
		t.Errorf("after a cancelled call: %v, %d tokens", err, c.Len())
	}
}

// Every level of kernels makes the same logits.
func TestN1_EveryLevelGivesADecoderTheSameBits(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const seed, tokens = 74, 60
	t.Logf("seed %d", seed)
	for name, model := range decoders() {
		path := importFolder(t, model.folder(t))
		var want []float32
		for _, level := range kernel.ISAs() {
			k, err := kernel.New(kernel.Options{ISA: level})
			if err != nil {
				t.Fatal(err)
			}
			d, err := transformer.OpenDecoder(t.Context(), path, k, transformer.DecoderOptions{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			c := d.NewSequence()
			got := appendAll(t, d, c, randomIDs(rand.New(rand.NewPCG(seed, 0)), tokens, d.Vocabulary()), 45, 1)
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: level %s has other bits", name, level)
			}
			freeSequence(t, c)
			if err := errors.Join(d.Close(), k.Close()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestDecoderRefusesWhatItCannotDo(t *testing.T) {
	path := importFolder(t, decoders()["Qwen2"].folder(t))
	d := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: 10})
	c := d.NewSequence()
	defer freeSequence(t, c)
	if err := d.Append(t.Context(), c, []int32{1, 2, 3}, nil); err != nil {
		t.Fatal(err)
	}
	v := d.Vocabulary()
	for name, call := range map[string]struct {
		ids    []int32
		logits int
	}{
		"an unknown token": {[]int32{4, int32(v)}, 0}, "a negative token": {[]int32{-1}, 0},
		"more logits than tokens": {[]int32{1}, 2 * v}, "half a row of logits": {[]int32{1}, v / 2},
		"too many tokens": {make([]int32, 8), 0},
	} {
		if err := d.Append(t.Context(), c, call.ids, make([]float32, call.logits)); err == nil || c.Len() != 3 {
			t.Errorf("%s: %v, %d tokens", name, err, c.Len())
		}
	}
	other := openDecoder(t, path, transformer.DecoderOptions{})
	if err := other.Append(t.Context(), c, []int32{1}, nil); err == nil {
		t.Error("a decoder appends to the context of another")
	}
	if _, err := transformer.OpenDecoder(t.Context(), rerankerPack(t, rerankers["BERT"]), newKernel(t), transformer.DecoderOptions{}); err == nil {
		t.Error("an encoder continues texts")
	}
	if _, err := transformer.OpenEmbedder(t.Context(), path, newKernel(t), transformer.EmbedderOptions{Threads: 1}); err == nil {
		t.Error("a decoder makes vectors")
	}
}
