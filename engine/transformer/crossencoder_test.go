package transformer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// rerankers are small models of every kind.
var rerankers = map[string]modeltest.Reranker{
	"BERT":                    {Layers: 4, Vocabulary: 600, Seed: 3},
	"XLM-RoBERTa":             {XLMRoberta: true, Layers: 3, Hidden: 48, Heads: 3, Intermediate: 100, Vocabulary: 300, Seed: 4},
	"layer heads":             {LayerHeads: true, Layers: 5, Vocabulary: 400, Seed: 5},
	"ModernBERT":              {ModernBERT: true, Layers: 5, Vocabulary: 500, Seed: 6},
	"mean pooled":             {ModernBERT: true, MeanPooled: true, Layers: 4, Hidden: 48, Heads: 3, Vocabulary: 200, Seed: 7},
	"modern with layer heads": {ModernBERT: true, LayerHeads: true, Layers: 4, Vocabulary: 300, Seed: 8},
}

// rerankerPack imports a small model.
func rerankerPack(t testing.TB, r modeltest.Reranker) string {
	t.Helper()
	files, err := r.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "model.pack")
	if err := pack.Import(context.Background(), folder, path, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// newKernel returns the kernels of a test.
func newKernel(t testing.TB) *kernel.Kernel {
	t.Helper()
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

// openPlanned opens a model that runs by one plan, and closes it with the test.
func openPlanned(t testing.TB, path string, threads int, plan transformer.Plan, ledger *memory.Ledger) *transformer.CrossEncoder {
	t.Helper()
	c, err := transformer.OpenPlanned(path, newKernel(t), transformer.CrossEncoderOptions{
		Limits: transformer.Limits{Threads: threads}, Ledger: ledger, Spill: t.TempDir(),
	}, plan)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// randomPairs are n candidates of random words, some of one token, some as
// long as the model takes.
func randomPairs(rng *rand.Rand, n int, c pack.Config) []transformer.Pair {
	pairs := make([]transformer.Pair, n)
	for i := range pairs {
		length := 1 + rng.IntN(c.MaxTokens)
		if i%5 == 4 {
			length = []int{1, c.MaxTokens}[rng.IntN(2)]
		}
		p := transformer.Pair{IDs: make([]int32, length), Types: make([]uint8, length)}
		second := rng.IntN(length)
		for j := range length {
			p.IDs[j] = int32(rng.IntN(c.Vocabulary))
			if j >= second {
				p.Types[j] = 1
			}
		}
		pairs[i] = p
	}
	return pairs
}

// configOf reads the configuration of a pack.
func configOf(t testing.TB, path string) pack.Config {
	t.Helper()
	p, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	return p.Config()
}

// trace runs all candidates to the end, dropping none, and returns the scores
// after every layer, [layers][n].
func trace(t testing.TB, c *transformer.CrossEncoder, pairs []transformer.Pair) [][]float32 {
	t.Helper()
	return traceActive(t, c, pairs, func(_ int, active []int) []int { return active })
}

// traceActive is trace for candidates that choose narrows down before each
// layer. What was given up has the score 0.
func traceActive(t testing.TB, c *transformer.CrossEncoder, pairs []transformer.Pair, choose func(layer int, active []int) []int) [][]float32 {
	t.Helper()
	p, err := c.Begin(t.Context(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	active := upTo(len(pairs))
	var scores [][]float32
	for l := range p.Layers() {
		active = choose(l, active)
		if err := p.Advance(t.Context(), l, active); err != nil {
			t.Fatal(err)
		}
		some, all := make([]float32, len(active)), make([]float32, len(pairs))
		p.Scores(l, active, some)
		for i, c := range active {
			all[c] = some[i]
		}
		scores = append(scores, all)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return scores
}

// naive scores candidate by candidate, each alone in a pass.
func naive(t testing.TB, c *transformer.CrossEncoder, pairs []transformer.Pair) [][]float32 {
	t.Helper()
	scores := make([][]float32, c.Layers())
	for _, pair := range pairs {
		for l, s := range trace(t, c, []transformer.Pair{pair}) {
			scores[l] = append(scores[l], s[0])
		}
	}
	return scores
}

// everything is the plan of a resident model without limits.
func everything() transformer.Plan { return transformer.Plan{ChunkRows: 1 << 20} }

func requireEqual(t *testing.T, what string, got, want [][]float32) {
	t.Helper()
	for l := range want {
		if !slices.Equal(got[l], want[l]) {
			t.Fatalf("%s: scores after layer %d have other bits:\ngot  %v\nwant %v", what, l, got[l], want[l])
		}
	}
}

func TestG1_ScoresAreThoseOfEachCandidateAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const seed = 21
	t.Logf("seed %d", seed)
	for name, model := range rerankers {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 0))
			path := rerankerPack(t, model)
			c := openPlanned(t, path, 2, everything(), nil)
			pairs := randomPairs(rng, 23, configOf(t, path))
			want := naive(t, openPlanned(t, path, 1, everything(), nil), pairs)
			requireEqual(t, "together", trace(t, c, pairs), want)
			last, err := c.Score(t.Context(), pairs)
			if err != nil || !slices.Equal(last, want[len(want)-1]) {
				t.Errorf("Score = %v, want %v (%v)", last, want[len(want)-1], err)
			}
		})
	}
}

// plans are ways to run a model that must not show.
func plans(rng *rand.Rand) []transformer.Plan {
	var list []transformer.Plan
	for _, streamed := range []bool{false, true} {
		for _, offload := range []bool{false, true} {
			for _, rows := range []int{1, 40, 2 + rng.IntN(200)} {
				for _, words := range []int{1, 7, 60} {
					list = append(list, transformer.Plan{Streamed: streamed, Offload: offload, ChunkRows: rows, TokenRows: words})
				}
			}
		}
	}
	return list
}

func TestG2_NoWayOfRunningChangesABit(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers of many plans")
	}
	const seed = 22
	t.Logf("seed %d", seed)
	for name, model := range rerankers {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			path := rerankerPack(t, model)
			pairs := randomPairs(rng, 17, configOf(t, path))
			want := trace(t, openPlanned(t, path, 1, everything(), nil), pairs)
			for i, plan := range plans(rng) {
				if plan.TokenRows != 1 && !plan.Streamed {
					continue
				}
				c := openPlanned(t, path, 1+i%3, plan, nil)
				for range 2 { // the second time with what the first has left behind
					requireEqual(t, fmt.Sprintf("%+v, %d threads", plan, 1+i%3), trace(t, c, pairs), want)
				}
			}
		})
	}
}

// Candidates that others are dropped around keep their bits, in every way of
// running.
func TestG2_DroppingCandidatesChangesNoOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const seed = 23
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := rerankerPack(t, rerankers["layer heads"])
	pairs := randomPairs(rng, 25, configOf(t, path))
	want := trace(t, openPlanned(t, path, 1, everything(), nil), pairs)
	for _, plan := range plans(rng) {
		c := openPlanned(t, path, 2, plan, nil)
		got := traceActive(t, c, pairs, func(layer int, active []int) []int {
			kept := slices.Clone(active)
			for range layer * 2 {
				at := rng.IntN(len(kept))
				kept = slices.Delete(kept, at, at+1)
			}
			if layer == 4 {
				kept = kept[:min(len(kept), 1)]
			}
			return kept
		})
		for l := range got {
			for i, score := range got[l] {
				if score != 0 && score != want[l][i] {
					t.Fatalf("%+v: candidate %d has %v after layer %d, want %v", plan, i, score, l, want[l][i])
				}
			}
		}
	}
}

// The states of the last layer are computed for the first token alone; the
// earlier layers' scores are those of a model that ends there.
func TestLastLayerOfAShorterModelIsThatLayer(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const seed = 24
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	long, short := rerankers["BERT"], rerankers["BERT"]
	path := rerankerPack(t, long)
	pairs := randomPairs(rng, 9, configOf(t, path))
	want := trace(t, openPlanned(t, path, 2, everything(), nil), pairs)
	for short.Layers = 1; short.Layers < long.Layers; short.Layers++ {
		c := openPlanned(t, rerankerPack(t, short), 2, everything(), nil)
		got := trace(t, c, pairs)
		requireEqual(t, fmt.Sprintf("%d layers", short.Layers), got, want[:short.Layers])
	}
}

func TestNoCandidates(t *testing.T) {
	for _, plan := range []transformer.Plan{everything(), {Streamed: true, Offload: true, ChunkRows: 10, TokenRows: 3}} {
		c := openPlanned(t, rerankerPack(t, rerankers["BERT"]), 2, plan, nil)
		if scores := trace(t, c, nil); len(scores) != c.Layers() {
			t.Errorf("%d layers", len(scores))
		}
	}
}

func TestPassRefusesWhatItCannotDo(t *testing.T) {
	path := rerankerPack(t, rerankers["BERT"])
	config := configOf(t, path)
	c := openPlanned(t, path, 2, everything(), nil)
	long := transformer.Pair{IDs: make([]int32, config.MaxTokens+1)}
	for name, pair := range map[string]transformer.Pair{
		"no tokens": {}, "too many": long, "types that do not match": {IDs: []int32{1, 2}, Types: []uint8{0}},
		"an unknown token": {IDs: []int32{int32(config.Vocabulary)}}, "a negative token": {IDs: []int32{-1}},
		"an unknown type": {IDs: []int32{1}, Types: []uint8{2}},
	} {
		if _, err := c.Begin(t.Context(), []transformer.Pair{{IDs: []int32{1}}, pair}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, steps := range map[string][]struct {
		layer  int
		active []int
	}{
		"a layer left out":       {{1, []int{0, 1, 2}}},
		"a layer twice":          {{0, []int{0}}, {0, []int{0}}},
		"a candidate came back":  {{0, []int{0, 2}}, {1, []int{1}}},
		"a candidate twice":      {{0, []int{1, 1}}},
		"not ascending":          {{0, []int{2, 1}}},
		"no such candidate":      {{0, []int{3}}},
		"a negative candidate":   {{0, []int{-1, 0}}},
		"a layer after the last": {{0, nil}, {1, nil}, {2, nil}, {3, nil}, {4, nil}},
	} {
		p, err := c.Begin(t.Context(), []transformer.Pair{{IDs: []int32{1}}, {IDs: []int32{2}}, {IDs: []int32{3}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			err = p.Advance(t.Context(), s.layer, s.active)
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if again := p.Advance(t.Context(), 0, nil); again == nil {
			t.Errorf("%s: the pass goes on", name)
		}
		if err := errors.Join(p.Close(), p.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEncodersAndRerankersAreToldApart(t *testing.T) {
	files, err := modeltest.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder, path := t.TempDir(), filepath.Join(t.TempDir(), "model.pack")
	if err := errors.Join(modeltest.Write(folder, files), pack.Import(t.Context(), folder, path, nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := transformer.OpenCrossEncoder(t.Context(), path, newKernel(t), transformer.CrossEncoderOptions{}); err == nil {
		t.Error("a model of vectors scores")
	}
	if _, err := transformer.OpenEmbedder(t.Context(), rerankerPack(t, rerankers["BERT"]), newKernel(t), transformer.EmbedderOptions{}); err == nil {
		t.Error("a model of scores makes vectors")
	}
}

func TestCrossEncoderEncodesPairs(t *testing.T) {
	c := openPlanned(t, rerankerPack(t, rerankers["XLM-RoBERTa"]), 1, everything(), nil)
	pair := c.Encode("ab", "c")
	if len(pair.IDs) != 7 || pair.IDs[0] != 2 || pair.IDs[3] != 3 || pair.IDs[4] != 3 || pair.IDs[6] != 3 {
		t.Errorf("%+v", pair)
	}
}
