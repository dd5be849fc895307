package weights_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/weights"
	"dowse/models/pack"
)

// Shapes of known rerankers. The bytes of the packs are about right.
var (
	miniLM = weights.Model{Config: pack.Config{
		Architecture: "BertForSequenceClassification", Layers: 6, Hidden: 384, Heads: 12, Intermediate: 1536,
		Vocabulary: 30522, Positions: 512, Types: 2, Epsilon: 1e-12, MaxTokens: 512, Head: pack.TanhHead,
	}, Mapped: 26 << 20, Tokenizer: 1 << 20}
	xlmRobertaLarge = weights.Model{Config: pack.Config{
		Architecture: "XLMRobertaForSequenceClassification", Layers: 24, Hidden: 1024, Heads: 16, Intermediate: 4096,
		Vocabulary: 250002, Positions: 514, FirstPosition: 2, Types: 1, Epsilon: 1e-5, MaxTokens: 512, Head: pack.TanhHead,
	}, Mapped: 570 << 20, Tokenizer: 10 << 20}
	qwen3 = weights.Model{Config: pack.Config{
		Architecture: "Qwen3ForCausalLM", Decoder: true, Layers: 28, Hidden: 1024, Heads: 16, KVHeads: 8, HeadDim: 128, Intermediate: 3072,
		Vocabulary: 151669, Positions: 40960, Epsilon: 1e-6, MaxTokens: 1024, RotaryBase: 1e6, TiedOutput: true, QKNorm: true,
	}, Mapped: 585 << 20, Tokenizer: 4 << 20}
)

func repeated(length, n int) []int { return slices.Repeat([]int{length}, n) }

func TestPlanOfKnownModels(t *testing.T) {
	for _, c := range []struct {
		name     string
		model    weights.Model
		budget   int64
		lengths  []int
		streamed bool
		offload  bool
	}{
		{"no limit", xlmRobertaLarge, 0, repeated(512, 60), false, false},
		{"small model, usual budget", miniLM, 512 << 20, repeated(256, 60), false, false},
		{"small model, small budget", miniLM, 64 << 20, repeated(256, 60), false, false},
		{"large model, large budget", xlmRobertaLarge, 1 << 30, repeated(512, 60), false, false},
		{"large model, usual budget", xlmRobertaLarge, 512 << 20, repeated(512, 60), true, false},
		{"large model, small budget", xlmRobertaLarge, 110 << 20, repeated(512, 60), true, true},
		{"large model, small budget, few candidates", xlmRobertaLarge, 110 << 20, repeated(128, 20), true, false},
		{"decoder, large budget", qwen3, 1 << 30, repeated(512, 60), false, false},
		{"decoder, usual budget", qwen3, 512 << 20, repeated(512, 60), true, false},
		{"decoder, small budget", qwen3, 130 << 20, repeated(512, 60), true, true},
	} {
		p, err := weights.MakePlan(c.model, weights.Limits{Budget: c.budget, Threads: 2}, weights.Work{Lengths: c.lengths})
		if err != nil || p.Streamed != c.streamed || p.Offload != c.offload {
			t.Errorf("%s: %+v, %v", c.name, p, err)
		}
		if p.Streamed && p.TokenRows > (c.model.Config.Vocabulary+9)/10 {
			t.Errorf("%s: keeps %d embedding rows", c.name, p.TokenRows)
		}
		t.Logf("%s: %+v, %d MiB", c.name, p, p.Peak.Total()>>20)
	}
	_, err := weights.MakePlan(xlmRobertaLarge, weights.Limits{Budget: 20 << 20, Threads: 2}, weights.Work{Lengths: repeated(512, 60)})
	if !errors.Is(err, weights.ErrBudget) {
		t.Errorf("20 MiB for a large model: %v", err)
	}
}

// Whatever the request, a plan stays within the budget, and more memory never
// makes it worse.
func TestPlanKeepsToTheBudget(t *testing.T) {
	const seed = 31
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for trial := range 300 {
		m := []weights.Model{miniLM, xlmRobertaLarge, qwen3}[trial%3]
		lengths := make([]int, rng.IntN(100))
		for i := range lengths {
			lengths[i] = 1 + rng.IntN(m.Config.MaxTokens)
		}
		threads := 1 + rng.IntN(8)
		var before weights.Plan
		planned := false
		for budget := int64(8 << 20); budget < 2<<30; budget += budget / 16 {
			p, err := weights.MakePlan(m, weights.Limits{Budget: budget, Threads: threads}, weights.Work{Lengths: lengths})
			if err != nil {
				if !errors.Is(err, weights.ErrBudget) || planned && !before.Streamed {
					t.Fatalf("%d bytes: %v, after %+v", budget, err, before)
				}
				continue
			}
			if p.Peak.Total() > budget {
				t.Fatalf("%d bytes for %+v, the budget is %d", p.Peak.Total(), p, budget)
			}
			if planned && (p.Streamed && !before.Streamed || p.TokenRows < before.TokenRows && p.Streamed) {
				t.Fatalf("%d bytes: %+v, with less %+v", budget, p, before)
			}
			if len(lengths) > 0 && p.ChunkRows < slices.Max(lengths) {
				t.Fatalf("a chunk of %d rows for %d", p.ChunkRows, slices.Max(lengths))
			}
			before, planned = p, true
		}
	}
}

// An embedder is resident if its batches fit beside it, streamed with as many tokens
// in a batch as there is room for if not, and refused in less than one input takes.
func TestPlanOfBatches(t *testing.T) {
	m, batch := miniLM, weights.Work{Batch: 512}
	m.Config.MaxTokens = 256
	p, err := weights.MakePlan(m, weights.Limits{Threads: 3}, batch)
	if err != nil || p.Streamed || p.ChunkRows != 512 {
		t.Errorf("without a limit: %+v, %v", p, err)
	}
	before, streamed := weights.Plan{}, false
	for budget := int64(1 << 20); budget < 64<<20; budget += 1 << 18 {
		p, err := weights.MakePlan(m, weights.Limits{Budget: budget, Threads: 3}, batch)
		if err != nil {
			if !errors.Is(err, weights.ErrBudget) || before.ChunkRows > 0 {
				t.Fatalf("%d bytes: %v, after %+v", budget, err, before)
			}
			continue
		}
		if p.Peak.Total() > budget || p.ChunkRows < 256 || p.Offload {
			t.Fatalf("%d bytes: %+v", budget, p)
		}
		if p.Streamed && before.ChunkRows > 0 && !before.Streamed {
			t.Fatalf("%d bytes: streamed, in less memory resident: %+v", budget, p)
		}
		before, streamed = p, streamed || p.Streamed
	}
	if before.Streamed || before.ChunkRows != 512 || !streamed {
		t.Errorf("with 64 MiB: %+v", before)
	}
}
