package generate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/generate"
	"dowse/engine/transformer"
	"dowse/models/modeltest"
)

// plainRefusing is the twin of a run with a refusal: the model is asked for one
// token after the other, and the first one is looked at before it is drawn.
func plainRefusing(t *testing.T, d *transformer.Decoder, prompt []int32, f generate.Refusal, s generate.Sampling, most int) (tokens []int32, probability float64) {
	t.Helper()
	c, logits := newSequence(t, d), make([]float32, d.Vocabulary())
	if err := c.Append(t.Context(), prompt, logits); err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, v := range logits {
		total += math.Exp(float64(v))
	}
	if probability = math.Exp(float64(logits[f.Token])) / total; probability >= f.From {
		return nil, probability
	}
	logits[f.Token] = float32(math.Inf(-1))
	for {
		id, err := generate.Choose(s, logits, c.Len())
		if err != nil {
			t.Fatal(err)
		}
		if tokens = append(tokens, id); len(tokens) == most {
			return tokens, probability
		}
		if err := c.Append(t.Context(), []int32{id}, logits); err != nil {
			t.Fatal(err)
		}
	}
}

// A refusal is what a plain loop makes of it, whatever is drafted: all of the
// text from its threshold on, and below no beginning of it.
func TestRefusal(t *testing.T) {
	const seed, most = 104, 24
	t.Logf("seed %d", seed)
	for name, model := range modeltest.Decoders() {
		d := openModel(t, model, 160)
		g := newGenerator(t, d)
		for _, s := range []generate.Sampling{{}, {Temperature: 1.3, Seed: 7}, {Temperature: 0.7, Seed: 8}} {
			rng := rand.New(rand.NewPCG(seed, uint64(len(name))+s.Seed))
			prompt := randomPrompt(rng, 2+rng.IntN(80))
			free := generated(t, d, g, prompt, generate.Options{MaxTokens: most, Sampling: s})
			token := free.Tokens[0] // what the text would begin with
			_, p := plainRefusing(t, d, prompt, generate.Refusal{Token: token, From: 1}, s, 1)
			for _, from := range []float64{0, p / 2, p * 0.999, p * 1.001, (1 + p) / 2, 1} {
				f := generate.Refusal{Token: token, From: from}
				want, _ := plainRefusing(t, d, prompt, f, s, most)
				truth := slices.Concat(prompt, want)
				if len(want) == 0 {
					truth = slices.Concat(prompt, free.Tokens)
				} else if want[0] == token {
					t.Fatal("the twin began with what it may not")
				}
				all := drafters(truth, d.Vocabulary(), 2, rng)
				all["the refusal"] = drafters(slices.Concat(prompt, free.Tokens), d.Vocabulary(), 2, rng)["oracle"]
				for drafter, drafts := range all {
					c := newSequence(t, d)
					got, err := g.Run(t.Context(), c, prompt, generate.Options{
						MaxTokens: most, Sampling: s, Refusal: &f, Drafter: drafts, Nodes: 1 + rng.IntN(30), Chunk: 1 + rng.IntN(40),
					}, nowhere)
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got.Tokens, want) || (got.Finish == generate.Refused) != (len(want) == 0) || math.Abs(got.Refusal-p) > 1e-6*p {
						t.Errorf("%s, %s, from %g: %v with %g (%s), want %v with %g", name, drafter, from, got.Tokens, got.Refusal, got.Finish, want, p)
					}
					if len(want) == 0 && (got.Text != "" || !slices.Equal(c.Tokens(), prompt[:len(prompt)-1]) || len(got.Stats.Steps) != 0 || got.Stats.FirstToken <= 0) {
						t.Errorf("%s, %s: refused, and %q was said, %d tokens are left, %+v", name, drafter, got.Text, c.Len(), got.Stats)
					}
				}
			}
		}
	}
}

// After a refusal the prompt is there, and without one the same sequence goes on
// as ever.
func TestPromptIsKeptAfterARefusal(t *testing.T) {
	d := openModel(t, modeltest.Decoders()["llama"], 0)
	g, c := newGenerator(t, d), newSequence(t, d)
	prompt := randomPrompt(rand.New(rand.NewPCG(105, 0)), 50)
	want := generated(t, d, g, prompt, generate.Options{MaxTokens: 10})
	refused, err := g.Run(t.Context(), c, prompt, generate.Options{Refusal: &generate.Refusal{Token: want.Tokens[0]}}, nowhere)
	if err != nil || refused.Finish != generate.Refused || refused.Finish.String() != "refused" {
		t.Fatalf("%+v, %v", refused, err)
	}
	got, err := g.Run(t.Context(), c, prompt, generate.Options{MaxTokens: 10}, nowhere)
	if err != nil || !slices.Equal(got.Tokens, want.Tokens) || got.Stats.Reused != 49 || got.Refusal != 0 {
		t.Errorf("%+v, %v; want %v", got, err, want.Tokens)
	}
	for _, f := range []generate.Refusal{{Token: -1}, {Token: int32(d.Vocabulary())}, {From: -0.1}, {From: 1.1}, {From: math.NaN()}} {
		if _, err := g.Run(t.Context(), c, prompt, generate.Options{Refusal: &f}, nowhere); err == nil {
			t.Errorf("%+v is taken", f)
		}
	}
}
