package weights_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"dowse/engine/weights"
	"dowse/models/pack"
)

// Shapes of known answerers. The bytes of the packs are about right.
var (
	smolLM2 = weights.Model{Config: pack.Config{
		Architecture: "LlamaForCausalLM", Decoder: true, Layers: 30, Hidden: 576, Heads: 9, KVHeads: 3, HeadDim: 64, Intermediate: 1536,
		Vocabulary: 49152, Positions: 8192, Epsilon: 1e-5, MaxTokens: 2048, RotaryBase: 1e5, TiedOutput: true,
	}, Mapped: 138 << 20, Tokenizer: 2 << 20}
	qwen25 = weights.Model{Config: pack.Config{
		Architecture: "Qwen2ForCausalLM", Decoder: true, Layers: 28, Hidden: 3584, Heads: 28, KVHeads: 4, HeadDim: 128, Intermediate: 18944,
		Vocabulary: 152064, Positions: 32768, Epsilon: 1e-6, MaxTokens: 4096, RotaryBase: 1e6,
	}, Mapped: 7 << 30, Tokenizer: 4 << 20}
)

func TestDecoderPlanOfKnownModels(t *testing.T) {
	for _, c := range []struct {
		name   string
		model  weights.Model
		budget int64
		tokens int
		want   weights.Plan
	}{
		{"no limit", qwen25, 0, 1000, weights.Plan{Kept: 28, RoundRows: 128, KeptAtFirst: 28}},
		{"small model, usual budget", smolLM2, 512 << 20, 2000, weights.Plan{Kept: 30, RoundRows: 128, KeptAtFirst: 30}},
		{"small model, short prompt", smolLM2, 168 << 20, 100, weights.Plan{Streamed: true, Kept: 30, RoundRows: 100, KeptAtFirst: 30}},
		{"small model, long prompt", smolLM2, 150 << 20, 1900, weights.Plan{Streamed: true, Kept: 24, RoundRows: 1900, KeptAtFirst: 23}},
		{"small model, small budget", smolLM2, 100 << 20, 1000, weights.Plan{Streamed: true, Kept: 13, RoundRows: 1000, KeptAtFirst: 12}},
		{"large model, budget of a laptop", qwen25, 4 << 30, 3000, weights.Plan{Streamed: true, Kept: 13, RoundRows: 3000, KeptAtFirst: 13}},
	} {
		p, err := weights.MakePlan(c.model, weights.Limits{Budget: c.budget, Threads: 2}, weights.Work{Conversation: c.tokens})
		if c.budget > 0 && p.Peak.Total() > c.budget {
			t.Errorf("%s: %+v takes %d bytes", c.name, p, p.Peak.Total())
		}
		p.TokenRows, p.ChunkRows, p.Peak = 0, 0, weights.Peak{}
		if err != nil || p != c.want {
			t.Errorf("%s: %+v, want %+v (%v)", c.name, p, c.want, err)
		}
	}
	_, err := weights.MakePlan(qwen25, weights.Limits{Budget: 512 << 20, Threads: 2}, weights.Work{Conversation: 100})
	if !errors.Is(err, weights.ErrBudget) {
		t.Errorf("512 MiB for 7B: %v", err)
	}
}

// More memory or a shorter prompt never keeps fewer layers, no prompt is cut into
// more tokens than it has, and no other way of cutting it into rounds of whole
// blocks reads less.
func TestDecoderPlanIsTheBest(t *testing.T) {
	const seed = 33
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for trial := range 200 {
		m := []weights.Model{smolLM2, qwen25, qwen3}[trial%3]
		limits, tokens, before := weights.Limits{Threads: 1 + rng.IntN(8)}, 1+rng.IntN(m.Config.MaxTokens), -1
		for limits.Budget = 32 << 20; limits.Budget < 9<<30; limits.Budget += limits.Budget / 16 {
			p, err := weights.MakePlan(m, limits, weights.Work{Conversation: tokens})
			if err != nil {
				if before >= 0 {
					t.Fatalf("%+v, after less memory was enough: %v", limits, err)
				}
				continue
			}
			if p.Peak.Total() > limits.Budget {
				t.Fatalf("%+v, %d tokens: %+v takes %d bytes", limits, tokens, p, p.Peak.Total())
			}
			if p.Kept < before || p.KeptAtFirst > p.Kept || p.RoundRows > tokens {
				t.Fatalf("%+v, %d tokens: %+v, with less memory %d are kept", limits, tokens, p, before)
			}
			before = p.Kept
			if shorter, err := weights.MakePlan(m, limits, weights.Work{Conversation: 1 + rng.IntN(tokens)}); err != nil || shorter.Kept < p.Kept {
				t.Fatalf("%+v: a shorter prompt: %+v, %v", limits, shorter, err)
			}
			rounds := (tokens + p.RoundRows - 1) / p.RoundRows
			if best := weights.LeastRead(m, limits, tokens); rounds*(m.Config.Layers-p.KeptAtFirst) != best {
				t.Fatalf("%+v, %d tokens: %+v reads %d layers, %d will do", limits, tokens, p, rounds*(m.Config.Layers-p.KeptAtFirst), best)
			}
		}
	}
}

func TestLongestContextFits(t *testing.T) {
	limits := weights.Limits{Budget: 64 << 20, Threads: 2}
	n := weights.LongestConversation(smolLM2, limits, 100, 2048)
	if n <= 100 || n >= 2048 {
		t.Fatalf("%d tokens in 64 MiB", n)
	}
	m := smolLM2
	for tokens, fits := range map[int]bool{n: true, n + 128: false} {
		m.Config.MaxTokens = tokens
		if _, err := weights.MakePlan(m, limits, weights.Work{Conversation: 1}); (err == nil) != fits {
			t.Errorf("%d tokens: %v", tokens, err)
		}
	}
	limits.Budget = 1 << 20
	if n := weights.LongestConversation(smolLM2, limits, 100, 2048); n != 0 {
		t.Errorf("%d tokens in a megabyte", n)
	}
	limits.Budget = 0
	if n := weights.LongestConversation(smolLM2, limits, 100, 2048); n != 2048 {
		t.Errorf("%d tokens without a limit", n)
	}
}
