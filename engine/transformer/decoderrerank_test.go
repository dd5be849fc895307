package transformer_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/rerank"
	"dowse/engine/transformer"
	"dowse/models/pack"
)

// yesNo asks nothing: the last token's state says "yes" or "no".
func yesNo() *transformer.Prompt {
	return &transformer.Prompt{Body: []string{"{query}", "{passage}"}, Yes: "yes", No: "no"}
}

// openDecoderReranker opens a model that runs by one plan, and closes it with
// the test.
func openDecoderReranker(t testing.TB, path string, o transformer.CrossEncoderOptions, plan transformer.Plan) *transformer.CrossEncoder {
	t.Helper()
	o.Spill = t.TempDir()
	if o.Prompt == nil {
		o.Prompt = yesNo()
	}
	c, err := transformer.OpenPlanned(path, newKernel(t), o, plan)
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

// decoderPairs are n candidates that begin with the same tokens, of which some
// consist of little else.
func decoderPairs(rng *rand.Rand, n, shared, longest int, c pack.Config) []transformer.Pair {
	prefix := randomIDs(rng, shared, c.Vocabulary)
	pairs := make([]transformer.Pair, n)
	for i := range pairs {
		own := 1 + rng.IntN(longest)
		if i%6 == 5 {
			own = 1
		}
		pairs[i].IDs = append(slices.Clone(prefix), randomIDs(rng, own, c.Vocabulary)...)
	}
	return pairs
}

func TestG1_DecoderScoresAreThoseOfEachCandidateAlone(t *testing.T) {
	const seed = 81
	eachDecoder(t, seed, func(t *testing.T, rng *rand.Rand, folder string) {
		path := importFolder(t, folder)
		pairs := decoderPairs(rng, 19, 37, 60, configOf(t, path))
		alone := openDecoderReranker(t, path, transformer.CrossEncoderOptions{}, everything())
		want := naive(t, alone, pairs)
		o := transformer.CrossEncoderOptions{Limits: transformer.Limits{Threads: 2}}
		c := openDecoderReranker(t, path, o, everything())
		requireEqual(t, "together", trace(t, c, pairs), want)
		last, err := c.Score(t.Context(), pairs)
		if err != nil || !slices.Equal(last, want[len(want)-1]) {
			t.Errorf("Score = %v, want %v (%v)", last, want[len(want)-1], err)
		}
		pairs[3].IDs[0]++ // no prefix is left
		requireEqual(t, "with nothing in common", trace(t, c, pairs), naive(t, alone, pairs))
	})
}

func TestG2_NoWayOfRunningADecoderChangesABit(t *testing.T) {
	const seed = 82
	t.Logf("seed %d", seed)
	for name, model := range decoders() {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			path := importFolder(t, model.folder(t))
			pairs := decoderPairs(rng, 13, 21, 50, configOf(t, path))
			want := trace(t, openDecoderReranker(t, path, transformer.CrossEncoderOptions{}, everything()), pairs)
			for i, plan := range plans(rng) {
				if plan.TokenRows != 1 && !plan.Streamed {
					continue
				}
				o := transformer.CrossEncoderOptions{Limits: transformer.Limits{Threads: 1 + i%3}}
				c := openDecoderReranker(t, path, o, plan)
				for range 2 { // the second time with what the first has left behind
					requireEqual(t, fmt.Sprintf("%+v, %d threads", plan, 1+i%3), trace(t, c, pairs), want)
				}
			}
		})
	}
}

func TestG2_DroppingCandidatesOfADecoderChangesNoOthers(t *testing.T) {
	const seed = 83
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := importFolder(t, decoders()["Qwen3"].folder(t))
	pairs := decoderPairs(rng, 20, 30, 40, configOf(t, path))
	want := trace(t, openDecoderReranker(t, path, transformer.CrossEncoderOptions{}, everything()), pairs)
	for _, plan := range plans(rng) {
		c := openDecoderReranker(t, path, transformer.CrossEncoderOptions{Limits: transformer.Limits{Threads: 2}}, plan)
		got := traceActive(t, c, pairs, func(layer int, active []int) []int {
			kept := slices.Clone(active)
			for range layer * 6 {
				at := rng.IntN(len(kept))
				kept = slices.Delete(kept, at, at+1)
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

// A pass under the pruning rules ranks as it does when it runs in any other way.
func TestG1_PruningADecoderIsTheSameInEveryWayOfRunning(t *testing.T) {
	const seed = 84
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := importFolder(t, decoders()["Llama"].folder(t))
	pairs := decoderPairs(rng, 24, 30, 40, configOf(t, path))
	o := rerank.Options{K: 5, Mode: rerank.Order, Tau: 0.01, Literal: true}
	want := rerankBy(t, openDecoderReranker(t, path, transformer.CrossEncoderOptions{}, everything()), pairs, o)
	plan := transformer.Plan{Streamed: true, Offload: true, ChunkRows: 70, TokenRows: 9}
	got := rerankBy(t, openDecoderReranker(t, path, transformer.CrossEncoderOptions{Limits: transformer.Limits{Threads: 2}}, plan), pairs, o)
	if !slices.Equal(got.Ranking, want.Ranking) {
		t.Errorf("%v\nwant %v", got.Ranking, want.Ranking)
	}
}

// The margins agree with the float32 forward, after every layer: of the last
// token, after the final norm, between the rows of the two words.
func TestDecoderMarginsAgreeWithTheReference(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const seed = 85
	eachDecoder(t, seed, func(t *testing.T, rng *rand.Rand, folder string) {
		path := importFolder(t, folder)
		r := openDecoderReference(t, folder)
		c := openDecoderReranker(t, path, transformer.CrossEncoderOptions{}, everything())
		d := openDecoder(t, path, transformer.DecoderOptions{})
		yes, _ := d.Tokenizer().ID("yes")
		no, _ := d.Tokenizer().ID("no")
		pairs := decoderPairs(rng, 16, 10, 30, configOf(t, path))
		want := make([][]float32, c.Layers())
		for _, p := range pairs {
			for l, state := range r.read(p.IDs) {
				logits := r.logits(state)
				want[l] = append(want[l], logits[yes]-logits[no])
			}
		}
		for l, got := range trace(t, c, pairs) {
			correlation, _ := agreement(t, t.Name(), l, got, want[l])
			if !(correlation > 0.99) {
				t.Errorf("layer %d: correlation %.5f (want 0.99)", l, correlation)
			}
		}
	})
}

// What is planned for a budget is not exceeded by any pool.
func TestDecoderBudgetIsKept(t *testing.T) {
	const seed = 86
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	model := decoderModel{architecture: "Qwen3ForCausalLM", layers: 6, hidden: 128, heads: 4, kvHeads: 2, head: 32, intermediate: 384, vocabulary: 6000, seed: 9}
	path := importFolder(t, model.folder(t))
	o := transformer.CrossEncoderOptions{MaxTokens: 160, Prompt: yesNo()}
	pairs := decoderPairs(rng, 150, 50, 100, configOf(t, path))
	want := trace(t, openDecoderReranker(t, path, o, everything()), pairs)
	seen := map[string]bool{}
	for budget := int64(1 << 20); budget < 20<<20; budget += budget / 5 {
		ledger := &memory.Ledger{}
		o.Limits, o.Ledger, o.Spill = transformer.Limits{Budget: budget, Threads: 2}, ledger, t.TempDir()
		c, err := transformer.OpenCrossEncoder(t.Context(), path, newKernel(t), o)
		if errors.Is(err, transformer.ErrBudget) {
			seen["too small"] = true
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		requireEqual(t, "in a budget", trace(t, c, pairs), want)
		p, err := c.Begin(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		plan := p.Stats().Plan
		if err := errors.Join(p.Close(), c.Close()); err != nil {
			t.Fatal(err)
		}
		requirePeaks(t, ledger, plan, budget)
		seen[map[bool]string{true: "streamed", false: "resident"}[plan.Streamed]] = true
		seen[map[bool]string{true: "offload", false: "in memory"}[plan.Offload]] = true
		if left := ledger.Total(); left != 0 {
			t.Errorf("%d bytes are still held: %v", left, ledger.Snapshot())
		}
	}
	for _, way := range []string{"too small", "streamed", "resident", "offload", "in memory"} {
		if !seen[way] {
			t.Errorf("no budget led to %q", way)
		}
	}
}

// The known prompts become exactly the tokens that the models are trained on:
// special ones where they belong, and none out of a query or a passage.
func TestPromptsOfKnownRerankers(t *testing.T) {
	const query, passage = "why <|im_end|>?", "because</think> of it"
	qwen3 := "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. " +
		"Note that the answer can only be \"yes\" or \"no\".<|im_end|>\n<|im_start|>user\n" +
		"<Instruct>: Given a web search query, retrieve relevant passages that answer the query\n<Query>: " + query + "\n<Document>: " + passage +
		"<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
	mxbai := "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\n" +
		"query: " + query + "\ndocument: " + passage + "\nYou are a search relevance expert who evaluates how well documents match search queries. " +
		"For each query-document pair, carefully analyze the semantic relationship between them, then provide your binary relevance judgment " +
		"(0 for not relevant, 1 for relevant).\nRelevance:<|im_end|>\n<|im_start|>assistant\n"
	for _, c := range []struct {
		model, text string
		special     int
	}{{"Qwen3", qwen3, 7}, {"Qwen2", mxbai, 5}} {
		path := importFolder(t, decoders()[c.model].folder(t))
		d := openDecoder(t, path, transformer.DecoderOptions{})
		e, err := transformer.OpenCrossEncoder(t.Context(), path, newKernel(t), transformer.CrossEncoderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		ids := e.Encode(query, passage).IDs
		if text := written(d, ids); text != c.text {
			t.Errorf("%s: %q\nwant %q", c.model, text, c.text)
		}
		special := 0
		for _, id := range ids {
			if id >= 259 {
				special++
			}
		}
		if special != c.special {
			t.Errorf("%s: %d special tokens, want %d", c.model, special, c.special)
		}
		requireCut(t, e, d, c.text, passage)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// written is how tokens are written, special ones included.
func written(d *transformer.Decoder, ids []int32) string {
	var text strings.Builder
	for _, id := range ids {
		text.WriteString(d.Tokenizer().Token(id))
	}
	return text.String()
}

// requireCut encodes what is too long: the passage loses its end, a long query
// leaves it half of the room, and the question at the end stays.
func requireCut(t *testing.T, e *transformer.CrossEncoder, d *transformer.Decoder, text, passage string) {
	t.Helper()
	end := text[strings.Index(text, passage)+len(passage):]
	for name, pair := range map[string][2]string{
		"a long passage": {"q", strings.Repeat("p", 5000)}, "a long query": {strings.Repeat("q", 5000), strings.Repeat("p", 5000)},
	} {
		ids := e.Encode(pair[0], pair[1]).IDs
		got := written(d, ids)
		if len(ids) != e.MaxTokens() || !strings.HasSuffix(got, end) || strings.Count(got, "pppp") < 40 {
			t.Errorf("%s: %d tokens of %d: %q", name, len(ids), e.MaxTokens(), got)
		}
	}
}

func TestDecoderRerankerNeedsAQuestion(t *testing.T) {
	llama := importFolder(t, decoders()["Llama"].folder(t))
	for name, prompt := range map[string]*transformer.Prompt{
		"no prompt": nil, "no words": {Body: []string{"{passage}"}}, "an unknown word": {Yes: "perhaps", No: "no"},
	} {
		if _, err := transformer.OpenCrossEncoder(t.Context(), llama, newKernel(t), transformer.CrossEncoderOptions{Prompt: prompt}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// BenchmarkDecoderPass is a pass over passages of 100 tokens after a prompt of 60.
func BenchmarkDecoderPass(b *testing.B) {
	path := os.Getenv("DOWSE_TEST_DECODER")
	if path == "" {
		b.Skip("set DOWSE_TEST_DECODER to the pack of a decoder")
	}
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	pairs := decoderPairs(rng, 20, 60, 100, configOf(b, path))
	c, err := transformer.OpenCrossEncoder(b.Context(), path, k, transformer.CrossEncoderOptions{Limits: transformer.Limits{Threads: 2}, Prompt: yesNo()})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Score(b.Context(), pairs); err != nil {
			b.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		b.Fatal(err)
	}
}
