package transformer_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/models/pack"
)

// BenchmarkResidency reads a prompt of 1500 tokens and writes 64 in budgets that
// hold less and less of the model.
func BenchmarkResidency(b *testing.B) {
	path := decoderPack(b)
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s, err := pack.OpenStream(path)
	if err != nil {
		b.Fatal(err)
	}
	size := s.Size()
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for _, share := range []int64{0, 100, 80, 60, 50} {
		b.Run(fmt.Sprintf("budget=%d%%", share), func(b *testing.B) {
			o := transformer.DecoderOptions{Threads: 2, MaxTokens: 2048, Ledger: &memory.Ledger{}, Budget: size * share / 100}
			d, err := transformer.OpenDecoder(b.Context(), path, k, o)
			if err != nil {
				b.Skip(err)
			}
			for b.Loop() {
				answerOnce(b, d)
			}
			b.ReportMetric(float64(o.Ledger.Peak())/(1<<20), "MiB")
			if err := d.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
	if err := k.Close(); err != nil {
		b.Fatal(err)
	}
}

// answerOnce reports what the parts of an answer cost.
func answerOnce(b *testing.B, d *transformer.Decoder) {
	b.Helper()
	const prompt, answer = 1500, 64
	c, rng := d.NewSequence(), rand.New(rand.NewPCG(1, 0))
	logits, before := make([]float32, d.Vocabulary()), d.Stats().Window.BytesRead
	begin := b.Elapsed()
	if err := d.Append(b.Context(), c, randomIDs(rng, prompt, d.Vocabulary()), logits); err != nil {
		b.Fatal(err)
	}
	first, read := b.Elapsed(), d.Stats().Window.BytesRead
	for range answer {
		if err := d.Append(b.Context(), c, []int32{likeliest(logits)}, logits); err != nil {
			b.Fatal(err)
		}
	}
	stats := d.Stats()
	b.ReportMetric(float64(prompt)/(first-begin).Seconds(), "prompt-tokens/s")
	b.ReportMetric(float64(answer)/(b.Elapsed()-first).Seconds(), "tokens/s")
	b.ReportMetric(float64(read-before)/(1<<20), "prompt-MiB")
	b.ReportMetric(float64(stats.Window.BytesRead-read)/(1<<20)/answer, "MiB/token")
	b.ReportMetric(float64(stats.Kept), "layers")
	freeSequence(b, c)
}
