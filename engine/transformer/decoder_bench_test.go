package transformer_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/transformer"
)

// decoderPack is the pack of a decoder of real size, or skips.
func decoderPack(t testing.TB) string {
	t.Helper()
	path := os.Getenv("DOWSE_TEST_DECODER")
	if path == "" {
		t.Skip("set DOWSE_TEST_DECODER to the pack of a decoder")
	}
	return path
}

// BenchmarkAppend appends tokens to a context of 256: one token with its
// logits, drafts with those of every token, and pieces of a prompt without.
func BenchmarkAppend(b *testing.B) {
	path := decoderPack(b)
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for threads := 1; threads <= 2; threads++ {
		d, err := transformer.OpenDecoder(path, k, transformer.DecoderOptions{Threads: threads, MaxTokens: 2048})
		if err != nil {
			b.Fatal(err)
		}
		c := d.NewContext()
		rng := rand.New(rand.NewPCG(1, 0))
		if err := d.Append(b.Context(), c, randomIDs(rng, 256, d.Vocabulary()), nil); err != nil {
			b.Fatal(err)
		}
		for _, step := range []struct{ tokens, logits int }{{1, 1}, {4, 4}, {8, 8}, {16, 16}, {512, 0}} {
			b.Run(fmt.Sprintf("threads=%d/tokens=%d", threads, step.tokens), func(b *testing.B) {
				ids, logits := randomIDs(rng, step.tokens, d.Vocabulary()), make([]float32, step.logits*d.Vocabulary())
				for b.Loop() {
					if err := d.Append(b.Context(), c, ids, logits); err != nil {
						b.Fatal(err)
					}
					if err := c.Truncate(256); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(step.tokens)*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
			})
		}
		freeContext(b, c)
		if err := d.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
