package generate_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/generate"
	"dowse/engine/generate/draft"
	"dowse/models/modeltest"
)

// told notes what a drafter is told of each step.
type told struct {
	proposer
	t     *testing.T
	truth []int32
	steps int
	timed []int
}

func (d *told) Took(nodes int, seconds float64) {
	if nodes != d.tree.Len() || seconds <= 0 {
		d.t.Errorf("a tree of %d nodes, told of %d in %g s", d.tree.Len(), nodes, seconds)
	}
	d.timed = append(d.timed, nodes)
}

func (d *told) Accept(path, wanted []int32) {
	at := len(d.text) - 1 // of the root
	for i := range d.tree.Tokens {
		node := int32(i)
		if onPath := slices.Contains(path, node); onPath {
			if depth := d.tree.Depth(node); at+depth+1 < len(d.truth) && wanted[i] != d.truth[at+depth+1] {
				d.t.Errorf("after node %d of %v, on the path, %d is wanted, want %d", i, d.tree, wanted[i], d.truth[at+depth+1])
			}
		} else if wanted[i] >= 0 {
			d.t.Errorf("after node %d of %v, off the path, %d is wanted", i, d.tree, wanted[i])
		}
	}
	d.steps++
	d.proposer.Accept(path, wanted)
}

// A drafter is told what is wanted after each node that the text went through, and how
// long the pass took.
func TestDraftersAreToldWhatTheyNeed(t *testing.T) {
	const seed = 71
	rng := rand.New(rand.NewPCG(seed, 0))
	d := openModel(t, modeltest.Decoders()["qwen2"], 0)
	g := newGenerator(t, d)
	prompt := randomPrompt(rng, 30)
	for name, s := range map[string]generate.Sampling{"greedy": {}, "sampled": {Temperature: 1, Seed: 3}} {
		plain := generated(t, d, g, prompt, generate.Options{Sampling: s, MaxTokens: 40})
		truth := append(slices.Clone(prompt), plain.Tokens...)
		for kind, p := range drafters(truth, d.Vocabulary(), 0, rng) {
			w := &told{proposer: *p, t: t, truth: truth}
			got := generated(t, d, g, prompt, generate.Options{Sampling: s, MaxTokens: 40, Drafter: w, Nodes: 12})
			if !slices.Equal(got.Tokens, plain.Tokens) {
				t.Errorf("%s, %s: tokens %v, want %v", name, kind, got.Tokens, plain.Tokens)
			}
			if len(w.timed) != len(got.Stats.Steps) || w.steps != len(w.timed) {
				t.Errorf("%s, %s: %d steps, told of %d and of the time of %d", name, kind, len(got.Stats.Steps), w.steps, len(w.timed))
			}
		}
	}
	var _ generate.Timer = (*told)(nil)
	var _ generate.Timer = (*draft.Drafter)(nil)
}

// The largest logit is that of a loop that looks at one after the other.
func TestLargestIsThatOfAPlainLoop(t *testing.T) {
	const seed = 72
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		logits := make([]float32, 1+rng.IntN(70))
		for i := range logits {
			logits[i] = float32(rng.IntN(12) - 6) // many alike
		}
		want := 0
		for i, v := range logits {
			if v > logits[want] {
				want = i
			}
		}
		if got := choose(t, generate.Sampling{}, logits, 0); int(got) != want {
			t.Fatalf("%v: %d, want %d", logits, got, want)
		}
	}
}

// ProfileBehind measures behind as much as there is room for, and leaves the
// sequence empty.
func TestProfileBehind(t *testing.T) {
	d := openModel(t, modeltest.Decoders()["llama"], 64)
	g, c := newGenerator(t, d), newSequence(t, d)
	for _, tokens := range []int{0, 20, 1000} {
		if costs, err := g.ProfileBehind(t.Context(), c, tokens, 8); err != nil || len(costs.Passes) != 8 || costs.Passes[0] <= 0 || costs.Prompt <= 0 || c.Len() != 0 {
			t.Errorf("behind %d tokens: %v, %v, %d tokens are left", tokens, costs, err, c.Len())
		}
	}
	if _, err := g.ProfileBehind(t.Context(), c, 10, 65); err == nil || c.Len() != 0 {
		t.Errorf("measured beyond the window: %v, %d tokens are left", err, c.Len())
	}
	if err := c.Append(t.Context(), []int32{1, 2}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := g.ProfileBehind(t.Context(), c, 10, 4); err == nil || c.Len() != 2 {
		t.Errorf("a sequence in use: %v, %d tokens are left", err, c.Len())
	}
}
