package transformer_test

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"dowse/engine/rerank"
	"dowse/engine/transformer"
)

var _ rerank.Forward = (*transformer.Pass)(nil)

// rerankBy runs one pass under the pruning rules.
func rerankBy(t *testing.T, c *transformer.CrossEncoder, pairs []transformer.Pair, o rerank.Options) rerank.Result {
	t.Helper()
	p, err := c.Begin(t.Context(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	r, err := rerank.Run(t.Context(), p, len(pairs), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestG1_RankingWithoutPruningIsThatOfAllScores(t *testing.T) {
	const seed, k = 61, 10
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := rerankerPack(t, rerankers["XLM-RoBERTa"])
	pairs := randomPairs(rng, 30, configOf(t, path))
	scores := naive(t, openPlanned(t, path, 1, everything(), nil), pairs)
	last := scores[len(scores)-1]
	want := upTo(len(pairs))
	slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(last[b], last[a]) })
	got := rerankBy(t, openPlanned(t, path, 2, transformer.Plan{Streamed: true, ChunkRows: 60, TokenRows: 9}, nil), pairs, rerank.Exact(k))
	for i, c := range got.Ranking {
		if i < k && (c.ID != want[i] || c.Score != last[c.ID]) {
			t.Errorf("place %d: %+v, want candidate %d with %v", i, c, want[i], last[want[i]])
		}
	}
}

// Pruning decides by scores, so it decides the same however the model runs.
func TestG2_PruningIsTheSameInEveryWayOfRunning(t *testing.T) {
	const seed = 62
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := rerankerPack(t, rerankers["layer heads"])
	pairs := randomPairs(rng, 30, configOf(t, path))
	for _, mode := range []rerank.Mode{rerank.Set, rerank.Order} {
		o := rerank.Options{K: 5, Mode: mode, Tau: 0.01, Literal: true}
		want := rerankBy(t, openPlanned(t, path, 2, everything(), nil), pairs, o)
		if want.ActiveLayers == 30*5 {
			t.Errorf("mode %v: nothing was pruned", mode)
		}
		for i, plan := range plans(rng) {
			if i%3 != int(mode) {
				continue
			}
			got := rerankBy(t, openPlanned(t, path, 2, plan, nil), pairs, o)
			if !reflect.DeepEqual(got.Ranking, want.Ranking) || got.ActiveLayers != want.ActiveLayers {
				t.Fatalf("mode %v, %+v:\ngot  %+v\nwant %+v", mode, plan, got.Ranking, want.Ranking)
			}
		}
	}
}

// In the mode that promises scores they are those of the full forward, to the
// bit.
func TestG13_ScoresOfWinnersAreFinal(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const seed = 63
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for name, model := range rerankers {
		path := rerankerPack(t, model)
		pairs := randomPairs(rng, 30, configOf(t, path))
		c := openPlanned(t, path, 2, transformer.Plan{ChunkRows: 90}, nil)
		full, err := c.Score(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		r := rerankBy(t, c, pairs, rerank.Options{K: 4, Mode: rerank.Order, Tau: 0, Literal: true})
		for i, candidate := range r.Ranking[:4] {
			if candidate.Score != full[candidate.ID] {
				t.Errorf("%s: place %d has %v, the full forward gives %v", name, i, candidate.Score, full[candidate.ID])
			}
		}
	}
}

// upTo returns 0 to n-1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
