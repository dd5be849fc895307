package transformer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/models/modeltest"
	"dowse/models/pack"
	"dowse/models/tokenizer"
)

// spanModel is a BERT of pairs that adapters point at spans with.
var spanModel = modeltest.Reranker{Layers: 3, Seed: 31}

// spanModules are all projections of its layers.
func spanModules() []string {
	return []string{
		"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
		"intermediate.dense", "output.dense",
	}
}

// spanTensors draws an adapter with a head for some projections of a model.
func spanTensors(m modeltest.Reranker, seed uint64, modules ...string) map[string]modeltest.Tensor {
	rng, all, body := rand.New(rand.NewPCG(seed, 1)), map[string]modeltest.Tensor{}, m.Tensors()
	drawn := func(spread float64, rows, columns int) modeltest.Tensor {
		t := modeltest.Tensor{Shape: []int{rows, columns}, Values: make([]float32, rows*columns)}
		for i := range t.Values {
			t.Values[i] = float32(spread * rng.NormFloat64())
		}
		return t
	}
	all["spans.weight"] = drawn(1, transformer.SpanHeads, modeltest.Hidden)
	for l := range m.Layers {
		for _, module := range modules {
			name := fmt.Sprintf("bert.encoder.layer.%d.%s", l, module)
			shape := body[name+".weight"].Shape
			all["base_model.model."+name+".lora_A.weight"] = drawn(0.2, adapterRank, shape[1])
			all["base_model.model."+name+".lora_B.weight"] = drawn(0.2, shape[0], adapterRank)
		}
	}
	return all
}

// openSpanReader opens one that is closed, with all that it took given back, when
// the test ends.
func openSpanReader(t testing.TB, path, adapter string, threads int) *transformer.SpanReader {
	t.Helper()
	ledger := &memory.Ledger{}
	r, err := transformer.OpenSpanReader(t.Context(), path, newKernel(t), transformer.SpanReaderOptions{Adapter: adapter, Threads: threads, Ledger: ledger})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil || ledger.Total() != 0 {
			t.Errorf("%d bytes are still held (%v)", ledger.Total(), err)
		}
	})
	return r
}

// newSpanReader is one with an adapter for every projection.
func newSpanReader(t testing.TB, threads int) (r *transformer.SpanReader, path, adapter string) {
	t.Helper()
	path = rerankerPack(t, spanModel)
	adapter = adapterFolder(t, spanTensors(spanModel, 94, spanModules()...), adapterConfig())
	return openSpanReader(t, path, adapter, threads), path, adapter
}

func readSpans(t testing.TB, r *transformer.SpanReader, question string, passages ...string) []transformer.SpanLogits {
	t.Helper()
	found, err := r.Read(t.Context(), question, passages)
	if err != nil || len(found) != len(passages) {
		t.Fatalf("%d results for %d passages, %v", len(found), len(passages), err)
	}
	return found
}

// flatten lists all logits of a passage.
func flatten(l transformer.SpanLogits) []float32 {
	return slices.Concat(append([][]float32{l.None[:]}, l.Heads[:]...)...)
}

// spanReference computes the logits of a pair in float32, with an adapter added
// to the weights.
func spanReference(t *testing.T, tensors map[string]modeltest.Tensor, modules []string, ids []int32, types []uint8) []float32 {
	t.Helper()
	files, err := spanModel.Files()
	folder := t.TempDir()
	if err := errors.Join(err, modeltest.Write(folder, files)); err != nil {
		t.Fatal(err)
	}
	r := openReference(t, folder)
	for l := range spanModel.Layers {
		for _, module := range modules {
			name := fmt.Sprintf("encoder.layer.%d.%s", l, module)
			down, up := tensors["base_model.model.bert."+name+".lora_A.weight"], tensors["base_model.model.bert."+name+".lora_B.weight"]
			inputs, weights := down.Shape[1], r.tensors[name+".weight"]
			for i := range weights {
				for j := range adapterRank {
					weights[i] += 8.0 / adapterRank * up.Values[i/inputs*adapterRank+j] * down.Values[j*inputs+i%inputs]
				}
			}
		}
	}
	states := r.embed(ids, types)
	for l := range spanModel.Layers {
		states = r.layer(l, states)
	}
	var logits [transformer.SpanHeads][]float32
	first := slices.Index(types, 1)
	head := tensors["spans.weight"].Values
	for side := range logits {
		weights := head[side*modeltest.Hidden:][:modeltest.Hidden]
		logits[side] = append(logits[side], dot(states[0], weights))
		for _, state := range states[first : len(states)-1] {
			logits[side] = append(logits[side], dot(state, weights))
		}
	}
	var none, tokens []float32
	for _, l := range logits {
		none, tokens = append(none, l[0]), append(tokens, l[1:]...)
	}
	return append(none, tokens...)
}

// packTokenizer is that of a pack, which stays open until the test ends.
func packTokenizer(t testing.TB, path string) *tokenizer.Tokenizer {
	t.Helper()
	p, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	tok, err := p.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// Each projection of an encoder takes an adapter as if it were added to the
// weights, and the head reads the state of every token.
func TestSpanAdapterIsAddedToTheWeights(t *testing.T) {
	const seed = 95
	t.Logf("seed %d", seed)
	const question, passage = "who am i", "a heron in the reeds, 42"
	path := rerankerPack(t, spanModel)
	ids, types := packTokenizer(t, path).EncodePair(question, passage, 0)
	for _, module := range append(spanModules(), "", "all") {
		modules := []string{module}
		switch module {
		case "":
			modules = nil
		case "all":
			modules = spanModules()
		}
		tensors := spanTensors(spanModel, seed, modules...)
		r := openSpanReader(t, path, adapterFolder(t, tensors, adapterConfig()), 1)
		got := flatten(readSpans(t, r, question, passage)[0])
		without := spanReference(t, tensors, nil, ids, types)
		want := spanReference(t, tensors, modules, ids, types)
		with, before := correlation(got, want), correlation(got, without)
		t.Logf("%q: correlation with the merged model %.5f, without the adapter %.5f", module, with, before)
		if len(got) != len(want) || !(with > 0.995) {
			t.Errorf("%q: %d logits for %d, correlation %.5f (want 0.995)", module, len(got), len(want), with)
		}
		if module != "" && !(before < with-0.0005) {
			t.Errorf("%q: correlation without the adapter is %.5f, with it %.5f", module, before, with)
		}
	}
}

// checkTokens wants ranges that ascend in the passage and leave out nothing but
// white space up to the last one.
func checkTokens(t *testing.T, passage string, l transformer.SpanLogits) {
	t.Helper()
	for head, logits := range l.Heads {
		if len(logits) != len(l.Tokens) {
			t.Fatalf("%d tokens, %d logits of head %d", len(l.Tokens), len(logits), head)
		}
	}
	at := 0
	for i, token := range l.Tokens {
		if token.Start < at || token.End <= token.Start || token.End > len(passage) {
			t.Fatalf("%q: token %d is %v after %d, of %d bytes", passage, i, token, at, len(passage))
		}
		if between := passage[at:token.Start]; utf8.ValidString(between) && strings.TrimSpace(between) != "" {
			t.Errorf("%q: %q before token %d is in none", passage, between, i)
		}
		at = token.End
	}
}

func TestSpanTokensLieInThePassage(t *testing.T) {
	r, path, _ := newSpanReader(t, 2)
	tok := packTokenizer(t, path)
	long := strings.Repeat("heron, 42 reeds ", 10)
	passages := []string{
		"a heron in the reeds", "", " \t\n ", "\xff\xfe a\xc3 b\x80", "naïve Ünïcode 한국 \u00a0 \U0001f426", long, "[SEP] x [CLS]", "\x00", "x",
	}
	for _, question := range []string{"who", "", "  \n", "\xff", strings.Repeat("who ", 100)} {
		for i, l := range readSpans(t, r, question, passages...) {
			checkTokens(t, passages[i], l)
			ids, types := tok.EncodePair(question, passages[i], modeltest.Positions)
			if want := len(ids) - slices.Index(types, 1) - 1; len(l.Tokens) != want {
				t.Errorf("%.10q, %.20q: %d tokens, %d were read", question, passages[i], len(l.Tokens), want)
			}
			if len(ids) < modeltest.Positions { // all of it found room
				if all := tok.Encode(passages[i]); len(l.Tokens) != len(all) {
					t.Errorf("%.10q, %.20q: %d tokens of %d", question, passages[i], len(l.Tokens), len(all))
				}
			}
			if passages[i] == long {
				if last := l.Tokens[len(l.Tokens)-1]; last.End >= len(long) || len(l.Tokens) < modeltest.Positions/2-3 {
					t.Errorf("%.10q: %d tokens up to byte %d of %d", question, len(l.Tokens), last.End, len(long))
				}
			}
		}
	}
}

// What is cut off changes nothing: the logits are those of the part that was read.
func TestSpanReaderCutsAtTheEnd(t *testing.T) {
	r, _, _ := newSpanReader(t, 1)
	long := strings.Repeat("ab cd ", 30)
	cut := readSpans(t, r, "who", long)[0]
	end := cut.Tokens[len(cut.Tokens)-1].End
	short := readSpans(t, r, "who", long[:end])[0]
	if !slices.Equal(flatten(cut), flatten(short)) || !slices.Equal(cut.Tokens, short.Tokens) {
		t.Errorf("%d bytes of %d are read otherwise than by themselves", end, len(long))
	}
}

// spanPassages are n texts of random letters, of every length that the model takes
// and beyond.
func spanPassages(rng *rand.Rand, n int) []string {
	list := make([]string, n)
	for i := range list {
		text := make([]byte, rng.IntN(3*modeltest.Positions))
		for j := range text {
			text[j] = "abcdefghij 0123456789.,"[rng.IntN(23)]
		}
		list[i] = string(text)
	}
	return list
}

// Neither what is read beside a passage nor the number of threads changes a bit.
func TestN3_SpanLogitsAreThoseOfEachPassageAlone(t *testing.T) {
	const seed = 96
	t.Logf("seed %d", seed)
	one, path, adapter := newSpanReader(t, 1)
	passages := spanPassages(rand.New(rand.NewPCG(seed, 0)), 40)
	var want [][]float32
	for _, p := range passages {
		want = append(want, flatten(readSpans(t, one, "what is it", p)[0]))
	}
	for _, threads := range []int{0, 1, 2, 5} {
		r := openSpanReader(t, path, adapter, threads)
		for i, l := range readSpans(t, r, "what is it", passages...) {
			if !slices.Equal(flatten(l), want[i]) {
				t.Errorf("%d threads: passage %d has other bits", threads, i)
			}
		}
		if got := readSpans(t, r, "what is it"); len(got) != 0 {
			t.Errorf("nothing: %v", got)
		}
		if r.Fingerprint() != one.Fingerprint() {
			t.Error("the same model has another fingerprint")
		}
	}
	other := adapterFolder(t, spanTensors(spanModel, 94, "output.dense"), adapterConfig())
	if openSpanReader(t, path, other, 1).Fingerprint() == one.Fingerprint() {
		t.Error("another adapter has the same fingerprint")
	}
}

// Several may ask at once, more of them than there are threads.
func TestSpanReaderIsShared(t *testing.T) {
	r, _, _ := newSpanReader(t, 2)
	passages := spanPassages(rand.New(rand.NewPCG(97, 0)), 6)
	want := readSpans(t, r, "who", passages...)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			got, err := r.Read(t.Context(), "who", passages)
			if err != nil || len(got) != len(want) {
				t.Errorf("%d results, %v", len(got), err)
				return
			}
			for i := range got {
				if !slices.Equal(flatten(got[i]), flatten(want[i])) {
					t.Errorf("passage %d has other bits", i)
				}
			}
		})
	}
	group.Wait()
}

// afterwards is a context that ends once it was asked so often.
type afterwards struct {
	context.Context
	mu   sync.Mutex
	left int
	end  context.CancelFunc
}

func (c *afterwards) Err() error {
	c.mu.Lock()
	if c.left--; c.left == 0 {
		c.end()
	}
	c.mu.Unlock()
	return c.Context.Err()
}

func TestSpanReaderIsCancelled(t *testing.T) {
	r, path, adapter := newSpanReader(t, 2)
	passages := spanPassages(rand.New(rand.NewPCG(98, 0)), 30)
	want := flatten(readSpans(t, r, "who", passages[0])[0])
	before, cancel := context.WithCancel(t.Context())
	cancel()
	inner, end := context.WithCancel(t.Context())
	defer end()
	for what, ctx := range map[string]context.Context{"before": before, "meanwhile": &afterwards{Context: inner, left: 2, end: end}} {
		if found, err := r.Read(ctx, "who", passages); found != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %d results, %v", what, len(found), err)
		}
	}
	if got := flatten(readSpans(t, r, "who", passages[0])[0]); !slices.Equal(got, want) {
		t.Error("afterwards the logits have other bits")
	}
	o := transformer.SpanReaderOptions{Adapter: adapter, Ledger: &memory.Ledger{}}
	if _, err := transformer.OpenSpanReader(before, path, newKernel(t), o); !errors.Is(err, context.Canceled) || o.Ledger.Total() != 0 {
		t.Errorf("opening: %v, %d bytes held", err, o.Ledger.Total())
	}
}
