package generate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/generate"
	"dowse/engine/generate/draft"
	"dowse/models/modeltest"
)

// The drafter of package draft is what a Generator wants.
var (
	_ generate.Drafter  = (*draft.Drafter)(nil)
	_ generate.Observer = (*draft.Drafter)(nil)
)

func TestCandidatesAreTheLikeliest(t *testing.T) {
	const seed = 99
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		n := 1 + rng.IntN(40)
		words, logits, order := make([]int32, n), make([]float32, n), make([]int, n)
		total := 0.0
		for i := range n {
			words[i], logits[i], order[i] = int32(10*i), float32(3*rng.NormFloat64()), i
			total += math.Exp(float64(logits[i]))
		}
		slices.SortStableFunc(order, func(a, b int) int {
			if logits[a] > logits[b] {
				return -1
			}
			return 1
		})
		got := generate.Candidates(words, logits)
		for i, c := range got {
			p := math.Exp(float64(logits[order[i]])) / total
			if c.Token != words[order[i]] || math.Abs(float64(c.Probability)-p) > 1e-3 || p < 0.0499 {
				t.Fatalf("%v: candidate %d is %v, want %d with %.4f", logits, i, c, words[order[i]], p)
			}
		}
		if len(got) < min(3, n) && math.Exp(float64(logits[order[len(got)]]))/total > 0.0501 || len(got) > 3 {
			t.Fatalf("%v: only %v", logits, got)
		}
	}
	if generate.Candidates(nil, nil) != nil {
		t.Error("a candidate of nothing")
	}
}

// watcher notes what it is told.
type watcher struct {
	proposer
	places []int
	told   [][]draft.Candidate
}

func (w *watcher) Observe(place int, candidates []draft.Candidate) {
	w.places, w.told = append(w.places, place), append(w.told, candidates)
}

// A drafter that observes is told of each token of the prompt that is computed,
// by its place, and of nothing without a shortlist; no token of the text changes.
func TestS8_PromptsAreObserved(t *testing.T) {
	const seed = 100
	rng := rand.New(rand.NewPCG(seed, 0))
	d := openModel(t, modeltest.Decoders()["qwen2"], 0)
	g, c := newGenerator(t, d), newSequence(t, d)
	prompt := randomPrompt(rng, 200)
	plain := generated(t, d, g, prompt, generate.Options{MaxTokens: 20})
	quiet := func(text []int32, _ int) draft.Tree { return draft.NewTree(text[len(text)-1]) }
	w := &watcher{proposer: proposer{propose: quiet}}
	all := make([]int32, d.Vocabulary())
	for i := range all {
		all[i] = int32(i)
	}
	o := generate.Options{MaxTokens: 20, Drafter: w, Shortlist: all, Chunk: 33}
	got, err := g.Run(t.Context(), c, prompt, o, nowhere)
	if err != nil || !slices.Equal(got.Tokens, plain.Tokens) {
		t.Fatalf("%v, tokens %v, want %v", err, got.Tokens, plain.Tokens)
	}
	logits := make([]float32, len(prompt)*d.Vocabulary())
	if err := newSequence(t, d).Append(t.Context(), prompt, logits); err != nil {
		t.Fatal(err)
	}
	var want [][]draft.Candidate
	for i := range len(prompt) - 1 {
		if found := generate.Candidates(all, logits[i*d.Vocabulary():(i+1)*d.Vocabulary()]); len(found) > 0 {
			if place := w.places[len(want)]; place != i {
				t.Fatalf("place %d, want %d", place, i)
			}
			want = append(want, found)
		}
	}
	if !slices.EqualFunc(w.told, want, slices.Equal) {
		t.Errorf("told %v, want %v", w.told, want)
	}
	w.places = nil
	if _, err := g.Run(t.Context(), c, append(prompt[:150:150], 5, 6, 7), o, nowhere); err != nil || len(w.places) > 2 || len(w.places) > 0 && w.places[0] < 150 {
		t.Errorf("%v; of a prompt that is known but for two tokens, places %v were told", err, w.places)
	}
	w.places, o.Shortlist = nil, nil
	if _, err := g.Run(t.Context(), c, prompt[:9], o, nowhere); err != nil || w.places != nil {
		t.Errorf("without a shortlist: %v, %v", err, w.places)
	}
}
