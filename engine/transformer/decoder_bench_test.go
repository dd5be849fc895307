package transformer_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

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
		d, err := transformer.OpenDecoder(b.Context(), path, k, transformer.DecoderOptions{Threads: threads, MaxTokens: 2048})
		if err != nil {
			b.Fatal(err)
		}
		c := d.NewSequence()
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
		freeSequence(b, c)
		if err := d.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVerify computes trees of growing width behind contexts of some
// lengths, in turns, and reports for each the least time in milliseconds: the
// cost curve c(W) is what that of one node is multiplied by.
func BenchmarkVerify(b *testing.B) {
	path := decoderPack(b)
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		b.Fatal(err)
	}
	widths := []int{1, 2, 4, 8, 16, 64}
	for threads := 1; threads <= 2; threads++ {
		d, err := transformer.OpenDecoder(b.Context(), path, k, transformer.DecoderOptions{Threads: threads, MaxTokens: 4096})
		if err != nil {
			b.Fatal(err)
		}
		c, rng := d.NewSequence(), rand.New(rand.NewPCG(1, 0))
		logits := make([]float32, widths[len(widths)-1]*d.Vocabulary())
		for _, length := range []int{16, 512, 1536} {
			if err := d.Append(b.Context(), c, randomIDs(rng, length-c.Len(), d.Vocabulary()), nil); err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("threads=%d/context=%d", threads, length), func(b *testing.B) {
				least := make([]time.Duration, len(widths))
				for b.Loop() {
					for i, width := range widths {
						tree := randomTree(rng, width, d.Vocabulary())
						begin := time.Now()
						if err := d.Verify(b.Context(), c, tree, logits[:width*d.Vocabulary()]); err != nil {
							b.Fatal(err)
						}
						if t := time.Since(begin); least[i] == 0 || t < least[i] {
							least[i] = t
						}
					}
				}
				for i, width := range widths {
					b.ReportMetric(least[i].Seconds()*1000, fmt.Sprintf("ms/W%d", width))
				}
			})
		}
		freeSequence(b, c)
		if err := d.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
