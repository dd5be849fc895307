package generate_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/generate"
	"dowse/models/modeltest"
)

// The score of an answer is the sum of what its tokens' logits say, one by one.
func TestScore(t *testing.T) {
	const seed = 101
	rng := rand.New(rand.NewPCG(seed, 0))
	d := openModel(t, modeltest.Decoders()["qwen3"], 400)
	g, c := newGenerator(t, d), newSequence(t, d)
	for _, size := range []int{1, 7, 200} {
		prompt, answer := randomPrompt(rng, 40), randomPrompt(rng, size)
		plain := newSequence(t, d)
		if err := plain.Append(t.Context(), prompt[:39], nil); err != nil {
			t.Fatal(err)
		}
		want, logits := 0.0, make([]float32, d.Vocabulary())
		for i, id := range slices.Concat(prompt[39:], answer[:size-1]) {
			if err := plain.Append(t.Context(), []int32{id}, logits); err != nil {
				t.Fatal(err)
			}
			total := 0.0
			for _, v := range logits {
				total += math.Exp(float64(v))
			}
			want += float64(logits[answer[i]]) - math.Log(total)
		}
		got, err := g.Score(t.Context(), c, prompt, answer)
		if err != nil || math.Abs(got-want) > 1e-6*math.Abs(want) || !slices.Equal(c.Tokens(), prompt[:39]) {
			t.Errorf("%d tokens: %g, want %g, %v; %d tokens are left", size, got, want, err, c.Len())
		}
		again, err := g.Run(t.Context(), c, prompt, generate.Options{MaxTokens: 1}, nowhere)
		if err != nil || again.Stats.Reused != 39 {
			t.Errorf("a run after it: %v, %d tokens reused", err, again.Stats.Reused)
		}
	}
	if _, err := g.Score(t.Context(), c, make([]int32, 399), make([]int32, 3)); !errors.Is(err, generate.ErrWindow) {
		t.Errorf("beyond the window: %v", err)
	}
	for _, answer := range [][]int32{nil, {3, 4000}, {4000, 3}} {
		if _, err := g.Score(t.Context(), c, []int32{5, 6}, answer); err == nil {
			t.Errorf("%v has a score", answer)
		}
	}
}

func TestProfile(t *testing.T) {
	d := openModel(t, modeltest.Decoders()["llama"], 64)
	g, c := newGenerator(t, d), newSequence(t, d)
	if err := c.Append(t.Context(), randomPrompt(rand.New(rand.NewPCG(102, 0)), 20), nil); err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{1, 3, 18, 44} {
		times, err := g.Profile(t.Context(), c, most)
		if err != nil || len(times) != most || times[0] <= 0 || !rising(times) || c.Len() != 20 {
			t.Errorf("up to %d nodes: %v, %v, %d tokens", most, times, err, c.Len())
		}
	}
	curve := []float64{9, 2, 3, 0, 5, 0, 0, 4.1, 0, 8}
	generate.Interpolate(curve, []int{1, 2, 3, 5, 8, 10})
	for i, want := range []float64{2, 2, 3, 3.55, 4.1, 4.1, 4.1, 4.1, 6.05, 8} {
		if math.Abs(curve[i]-want) > 1e-9 {
			t.Errorf("the curve is %v at %d nodes, want %g", curve, i+1, want)
		}
	}
	if _, err := g.Profile(t.Context(), c, 45); err == nil {
		t.Error("measured beyond the window")
	}
}

// rising says that no number is below the one before it, but for rounding.
func rising(x []float64) bool {
	for i := range x[1:] {
		if x[i+1] < x[i]*(1-1e-12) {
			return false
		}
	}
	return true
}
