package transformer_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"dowse/engine/transformer"
)

// BenchmarkDensity decodes behind 1,536 tokens with attention counted and without, by
// turns, and reports the ratios of the medians and of the shortest.
func BenchmarkDensity(b *testing.B) {
	const known = 1536
	d := openDecoder(b, decoderPack(b), transformer.DecoderOptions{Threads: 1, ChunkTokens: 16, MaxTokens: 2048})
	rng := rand.New(rand.NewPCG(1, 0))
	ids, logits := randomIDs(rng, known, d.Vocabulary()), make([]float32, d.Vocabulary())
	var sequences [2]*transformer.Sequence
	var times [2][]time.Duration
	for i := range sequences {
		c := d.NewSequence()
		if err := d.Append(b.Context(), c, ids, nil); err != nil {
			b.Fatal(err)
		}
		sequences[i] = c
	}
	sequences[1].TrackDensity()
	for b.Loop() {
		for i, c := range sequences {
			begin := time.Now()
			if err := d.Append(b.Context(), c, ids[:1], logits); err != nil {
				b.Fatal(err)
			}
			times[i] = append(times[i], time.Since(begin))
			if err := c.Truncate(known); err != nil {
				b.Fatal(err)
			}
		}
	}
	for i, c := range sequences {
		slices.Sort(times[i])
		freeSequence(b, c)
	}
	plain, counted := times[0][len(times[0])/2], times[1][len(times[1])/2]
	b.ReportMetric(float64(counted)/float64(plain), "median/plain")
	b.ReportMetric(float64(times[1][0])/float64(times[0][0]), "shortest/plain")
}
