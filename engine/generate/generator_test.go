package generate_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dowse/engine/generate"
	"dowse/engine/generate/draft"
	"dowse/models/modeltest"
)

// randomPrompt is n words of a small model.
func randomPrompt(rng *rand.Rand, n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = 3 + int32(rng.IntN(100))
	}
	return ids
}

// late is the token that comes up last in a text, or one that never does.
func late(tokens []int32) int32 {
	first := slices.Clone(tokens)
	for i := len(first) - 1; i > 0; i-- {
		if slices.Index(first, first[i]) == i {
			return first[i]
		}
	}
	return 2
}

// Whatever is drafted, in trees of any size, a text has the tokens that it has
// without drafts; greedy and sampled, up to a stop token, a number of tokens, or
// the end of the window; and the sequence is left as it is without drafts.
func TestS1S2_DraftsChangeNoToken(t *testing.T) {
	const seed = 91
	t.Logf("seed %d", seed)
	samplings := map[string]generate.Sampling{
		"greedy": {},
		"hot":    {Temperature: 1.5, Seed: 3},
		"warm":   {Temperature: 0.8, Seed: 4},
	}
	for name, model := range modeltest.Decoders() {
		d := openModel(t, model, 112)
		for kind, sampling := range samplings {
			rng := rand.New(rand.NewPCG(seed, uint64(len(name)+len(kind))))
			prompt := randomPrompt(rng, 1+rng.IntN(60))
			endless := generated(t, d, newGenerator(t, d), prompt, generate.Options{Sampling: sampling})
			if endless.Finish != generate.WindowFull || len(prompt)+len(endless.Tokens) != 113 {
				t.Fatalf("%s, %s: %d tokens after %d, %s", name, kind, len(endless.Tokens), len(prompt), endless.Finish)
			}
			stop := late(endless.Tokens)
			for _, most := range []int{0, 1, 30} {
				for _, stops := range [][]int32{nil, {stop}} {
					g := newGenerator(t, d, stops...)
					o := generate.Options{Sampling: sampling, MaxTokens: most}
					plain := newSequence(t, d)
					want, err := g.Run(t.Context(), plain, prompt, o, nowhere)
					if err != nil {
						t.Fatal(err)
					}
					truth := slices.Concat(prompt, endless.Tokens)
					for drafter, p := range drafters(truth, d.Vocabulary(), stop, rng) {
						o.Drafter, o.Nodes, o.Chunk = p, 1+rng.IntN(64), 1+rng.IntN(40)
						c := newSequence(t, d)
						got, err := g.Run(t.Context(), c, prompt, o, nowhere)
						if err != nil {
							t.Fatal(err)
						}
						if !slices.Equal(got.Tokens, want.Tokens) || got.Finish != want.Finish || got.Text != want.Text {
							t.Errorf("%s, %s, %s, %d nodes: %d tokens %v (%s), want %v (%s)",
								name, kind, drafter, o.Nodes, len(got.Tokens), got.Tokens, got.Finish, want.Tokens, want.Finish)
						}
						if !slices.Equal(c.Tokens(), plain.Tokens()) {
							t.Errorf("%s, %s, %s: the sequence is left with %d tokens, want %d", name, kind, drafter, c.Len(), plain.Len())
						}
					}
				}
			}
		}
	}
}

// What an oracle drafts is accepted whole, in one step.
func TestS3_AnOraclesDraftIsAccepted(t *testing.T) {
	const seed = 92
	rng := rand.New(rand.NewPCG(seed, 0))
	d := openModel(t, modeltest.Decoders()["llama"], 0)
	g := newGenerator(t, d)
	prompt := randomPrompt(rng, 20)
	plain := generated(t, d, g, prompt, generate.Options{MaxTokens: 64})
	if n := len(plain.Stats.Steps); n != 64 || plain.Stats.Drafted() != 0 || plain.Stats.Accepted() != 0 {
		t.Errorf("without drafts: %d steps, %+v", n, plain.Stats)
	}
	truth := slices.Concat(prompt, plain.Tokens)
	for _, nodes := range []int{2, 16, 64} {
		got := generated(t, d, g, prompt, generate.Options{MaxTokens: 64, Nodes: nodes, Drafter: drafters(truth, 128, 0, rng)["oracle"]})
		if len(got.Stats.Steps) != 64/nodes || got.Stats.Accepted() != 64-64/nodes || got.Stats.Accepted() != got.Stats.Drafted() {
			t.Errorf("%d nodes: %d steps, %d of %d accepted", nodes, len(got.Stats.Steps), got.Stats.Accepted(), got.Stats.Drafted())
		}
	}
}

// A prompt may be computed in any chunks, and what a sequence holds of it is
// not computed again.
func TestPromptsAreComputedOnce(t *testing.T) {
	const seed = 93
	rng := rand.New(rand.NewPCG(seed, 0))
	d := openModel(t, modeltest.Decoders()["qwen3"], 0)
	g := newGenerator(t, d)
	prompt := randomPrompt(rng, 200)
	want := generated(t, d, g, prompt, generate.Options{MaxTokens: 20})
	if want.Stats.PromptTokens != 200 || want.Stats.Reused != 0 || want.Stats.FirstToken <= 0 || want.Stats.DecodeTime <= 0 || want.Stats.PromptSpeed() <= 0 || want.Stats.DecodeSpeed() <= 0 {
		t.Errorf("%+v", want.Stats)
	}
	c := newSequence(t, d)
	for _, step := range []struct{ shared, reused int }{{0, 0}, {200, 199}, {120, 120}, {0, 0}} {
		start := slices.Concat(prompt[:step.shared], randomPrompt(rng, 30))
		if step.shared < 200 {
			if _, err := g.Run(t.Context(), c, start, generate.Options{MaxTokens: 3}, nowhere); err != nil {
				t.Fatal(err)
			}
		}
		var reports []int
		got, err := g.Run(t.Context(), c, prompt, generate.Options{MaxTokens: 20, Chunk: 17, Progress: func(done, total int) {
			reports = append(reports, done)
			if total != 199 {
				t.Errorf("%d of %d tokens", done, total)
			}
		}}, nowhere)
		if err != nil || !slices.Equal(got.Tokens, want.Tokens) {
			t.Fatalf("shared %d: %v, tokens %v, want %v", step.shared, err, got.Tokens, want.Tokens)
		}
		if got.Stats.Reused < step.reused || !slices.IsSorted(reports) || step.reused < 199 && reports[len(reports)-1] != 199 {
			t.Errorf("shared %d: reused %d, reports %v", step.shared, got.Stats.Reused, reports)
		}
	}
}

// A run that is given up ends at once, with what it emitted, and leaves a
// sequence that can be used.
func TestARunIsCancelled(t *testing.T) {
	const seed = 94
	rng := rand.New(rand.NewPCG(seed, 0))
	d := openModel(t, modeltest.Decoders()["qwen2"], 0)
	g := newGenerator(t, d)
	prompt := randomPrompt(rng, 100)
	want := generated(t, d, g, prompt, generate.Options{MaxTokens: 40})
	ctx, cancel := context.WithCancel(t.Context())
	c := newSequence(t, d)
	_, err := g.Run(ctx, c, prompt, generate.Options{Chunk: 10, Progress: func(done, _ int) {
		if done > 40 {
			cancel()
		}
	}}, nowhere)
	if !errors.Is(err, context.Canceled) || c.Len() != 50 {
		t.Errorf("while reading the prompt: %v, %d tokens", err, c.Len())
	}
	ctx, cancel = context.WithCancel(t.Context())
	var text strings.Builder
	got, err := g.Run(ctx, c, prompt, generate.Options{}, func(part string) error {
		if text.WriteString(part); text.Len() > 10 {
			cancel()
		}
		return nil
	})
	cancel()
	if !errors.Is(err, context.Canceled) || got.Finish != generate.Unfinished || got.Text != text.String() || len(got.Tokens) > 40 {
		t.Errorf("while decoding: %v, %d tokens, %q, emitted %q", err, len(got.Tokens), got.Text, text.String())
	}
	full := errors.New("nobody listens")
	if _, err = g.Run(t.Context(), c, prompt, generate.Options{}, func(string) error { return full }); !errors.Is(err, full) {
		t.Errorf("an error of emit: %v", err)
	}
	again, err := g.Run(t.Context(), c, prompt, generate.Options{MaxTokens: 40}, nowhere)
	if err != nil || !slices.Equal(again.Tokens, want.Tokens) {
		t.Errorf("afterwards: %v, %v, want %v", err, again.Tokens, want.Tokens)
	}
}

func TestRunRefusesWhatItCannotDo(t *testing.T) {
	d := openModel(t, modeltest.Decoders()["llama"], 32)
	g, c := newGenerator(t, d), newSequence(t, d)
	prompt := []int32{5, 6, 7}
	for name, o := range map[string]generate.Options{
		"negative temperature": {Sampling: generate.Sampling{Temperature: -1}}, "tokens": {MaxTokens: -1}, "nodes": {Nodes: -1}, "chunk": {Chunk: -1},
		"too large a draft": {Drafter: &proposer{propose: func(text []int32, nodes int) (tree draft.Tree) {
			return chain(text[len(text)-1], make([]int32, 99), nodes+1)
		}}},
		"another root": {Drafter: &proposer{propose: func([]int32, int) draft.Tree { return chain(99, nil, 1) }}},
	} {
		if _, err := g.Run(t.Context(), c, prompt, o, nowhere); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := g.Run(t.Context(), c, nil, generate.Options{}, nowhere); err == nil {
		t.Error("an empty prompt")
	}
	if _, err := g.Run(t.Context(), c, make([]int32, 33), generate.Options{}, nowhere); !errors.Is(err, generate.ErrWindow) {
		t.Errorf("a long prompt: %v", err)
	}
	if r, err := g.Run(t.Context(), c, randomPrompt(rand.New(rand.NewPCG(1, 1)), 32), generate.Options{}, nowhere); err != nil || len(r.Tokens) != 1 || r.Finish != generate.WindowFull {
		t.Errorf("a prompt that fills the window: %v, %+v", err, r)
	}
	if _, err := g.Run(t.Context(), c, []int32{1, 2, 4000}, generate.Options{}, nowhere); err == nil {
		t.Error("an unknown token")
	}
	if _, err := generate.New(generate.Model{}); err == nil {
		t.Error("a generator of no model")
	}
}
