package transformer_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// BenchmarkPass is a full forward of 20 candidates of 200 tokens through a
// model of random weights with the shape of a 12-layer MiniLM, or through the
// pack that DOWSE_TEST_RERANKER_PACK names, in all ways of running.
func BenchmarkPass(b *testing.B) {
	path := os.Getenv("DOWSE_TEST_RERANKER_PACK")
	if path == "" {
		path = rerankerPack(b, modeltest.Reranker{
			Layers: 12, Hidden: 384, Heads: 12, Intermediate: 1536, Positions: 512, Vocabulary: 30522,
		})
	}
	config := configOf(b, path)
	pairs := fixedPairs(20, 200, config)
	rows := (config.Vocabulary + 9) / 10
	for _, way := range []struct {
		name string
		plan transformer.Plan
	}{
		{"resident", transformer.Plan{ChunkRows: 128 + 199}},
		{"resident-at-once", transformer.Plan{ChunkRows: 1 << 20}},
		{"streamed", transformer.Plan{Streamed: true, ChunkRows: 128 + 199, TokenRows: rows}},
		{"streamed-offload", transformer.Plan{Streamed: true, Offload: true, ChunkRows: 256 + 199, TokenRows: rows}},
	} {
		b.Run(way.name, func(b *testing.B) { benchPass(b, path, way.plan, pairs) })
	}
}

func benchPass(b *testing.B, path string, plan transformer.Plan, pairs []transformer.Pair) {
	ledger := &memory.Ledger{}
	c := openPlanned(b, path, 2, plan, ledger)
	all := upTo(len(pairs))
	var stats transformer.PassStats
	for b.Loop() {
		p, err := c.Begin(b.Context(), pairs)
		if err != nil {
			b.Fatal(err)
		}
		for l := range p.Layers() {
			if err := p.Advance(b.Context(), l, all); err != nil {
				b.Fatal(err)
			}
		}
		stats = p.Stats()
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
	}
	peak := int64(0)
	for _, bytes := range peaks(ledger) {
		peak += bytes
	}
	b.ReportMetric(float64(len(pairs)*b.N)/b.Elapsed().Seconds(), "pairs/s")
	b.ReportMetric(float64(peak)/(1<<20), "MiB-peak")
	b.ReportMetric(float64(stats.Window.BytesRead+stats.Rows.BytesRead)/(1<<20), "MiB-read/op")
	b.ReportMetric(float64(stats.Window.StallTime.Microseconds())/1000, "ms-stalled/op")
}

// fixedPairs are n candidates of so many tokens.
func fixedPairs(n, tokens int, c pack.Config) []transformer.Pair {
	rng := rand.New(rand.NewPCG(1, 0))
	pairs := make([]transformer.Pair, n)
	for i := range pairs {
		for range tokens {
			pairs[i].IDs = append(pairs[i].IDs, int32(rng.IntN(c.Vocabulary)))
		}
	}
	return pairs
}
