package transformer_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/transformer"
	"dowse/models/modeltest"
	"dowse/models/pack"
	"dowse/models/prompt"
)

// embeddedText is a text with the vector that sentence-transformers makes of it; see
// testdata/embedders.py.
type embeddedText struct {
	Text   string // of a real model alone
	IDs    []int32
	Vector []float32
}

// lastStates opens a folder's reference for the states of all tokens behind the last norm.
func lastStates(t *testing.T, folder string) func(ids []int32) [][]float32 {
	t.Helper()
	var config struct{ Architectures []string }
	decode(t, read(t, filepath.Join(folder, "config.json")), &config)
	switch name := strings.ToLower(config.Architectures[0]); {
	case strings.Contains(name, "bert"), strings.Contains(name, "mpnet"):
		return openReference(t, folder).last
	case strings.Contains(name, "gemma"):
		return openGemmaReference(t, folder).last
	}
	return openDecoderReference(t, folder).last
}

// vectorOf is the reference's vector of a text with these states: pooled as the name of the
// folder says, through its module Dense, and normalised where there is one.
func vectorOf(t *testing.T, folder string, states [][]float32) []float32 {
	t.Helper()
	pooled := make([]float32, len(states[0]))
	for j := range pooled {
		pooled[j] = poolColumn(filepath.Base(folder), states, j)
	}
	for _, module := range []string{"2_Dense", "3_Dense"} {
		if !exists(filepath.Join(folder, module)) {
			continue
		}
		dense := openReferenceAt(t, folder, filepath.Join(folder, module))
		if _, ok := dense.tensors["linear.bias"]; !ok {
			dense.tensors["linear.bias"] = make([]float32, len(dense.tensors["linear.weight"])/len(pooled))
		}
		pooled = dense.linear("linear", pooled)
		if strings.HasSuffix(folder, "tanh") {
			for i, y := range pooled {
				pooled[i] = float32(math.Tanh(float64(y)))
			}
		}
	}
	if strings.HasSuffix(folder, "sqrt") { // the one without a module Normalize
		return pooled
	}
	if strings.HasSuffix(folder, "short") { // truncate_dim
		pooled = pooled[:10]
	}
	length := float32(math.Sqrt(float64(dot(pooled, pooled))))
	for i := range pooled {
		pooled[i] /= length
	}
	return pooled
}

// last are the states of all tokens after the last layer, and the last norm.
func (r *reference) last(ids []int32) [][]float32 {
	states := r.embed(ids, make([]uint8, len(ids)))
	for l := range r.config.Layers {
		states = r.layer(l, states)
	}
	if r.modern() {
		return r.modernFinish(states)
	}
	return states
}

// last are the states of all tokens after the last layer, and the last norm.
func (r *decoderReference) last(ids []int32) [][]float32 {
	var s decoderState
	states := make([][]float32, len(ids))
	for i, id := range ids {
		after := r.next(&s, id)
		states[i] = r.norm("model.norm", after[len(after)-1])
	}
	return states
}

// poolColumn is one number of a pooled state.
func poolColumn(way string, states [][]float32, j int) float32 {
	best, sum, weighted, weights := float32(math.Inf(-1)), float32(0), float32(0), float32(0)
	for i, state := range states {
		best = max(best, state[j])
		sum += state[j]
		weighted += float32(i+1) * state[j]
		weights += float32(i + 1)
	}
	switch {
	case strings.Contains(way, "max"):
		return best
	case strings.Contains(way, "last"):
		return states[len(states)-1][j]
	case strings.Contains(way, "weighted"):
		return weighted / weights
	case strings.Contains(way, "cls"):
		return states[0][j]
	case !strings.Contains(way, "sqrt"):
		return sum / float32(len(states))
	}
	return sum / float32(math.Sqrt(float64(len(states))))
}

// The plain float32 twin agrees with sentence-transformers to 1e-4, for each way of
// pooling and with a module Dense, and the executor with its integers points the same way.
func TestEmbeddersAgreeWithSentenceTransformers(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	for _, folder := range referenceFolders(t, "embedders") {
		last, e := lastStates(t, folder), openPacked(t, packOf(t, folder))
		texts := referenceOf[[]embeddedText](t, folder, "vectors.json")
		worst, least := 0.0, 1.0
		for i, text := range texts {
			for j, v := range vectorOf(t, folder, last(text.IDs)) {
				worst = max(worst, math.Abs(float64(v-text.Vector[j])))
			}
			got, err := e.EmbedIDs(t.Context(), [][]int32{text.IDs})
			if err != nil || len(got) != len(text.Vector) || e.Dim() != len(got) {
				t.Fatalf("%s: text %d has %d numbers of %d, %v", folder, i, len(got), len(text.Vector), err)
			}
			c := float64(dot(got, text.Vector)) / math.Sqrt(float64(dot(got, got))*float64(dot(text.Vector, text.Vector)))
			least = min(least, c)
		}
		t.Logf("%s: largest difference of float32 %.2g, least cosine of the executor %.5f", folder, worst, least)
		if !(worst < 1e-4) || !(least > .999) {
			t.Errorf("%s: %g (want 1e-4), cosine %g (want .999)", folder, worst, least)
		}
	}
}

// openPacked opens a pack as an embedder.
func openPacked(t *testing.T, path string) *transformer.Embedder {
	t.Helper()
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := transformer.OpenEmbedder(t.Context(), path, k, transformer.EmbedderOptions{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// A prompt stands before the text, that of queries before queries alone; it takes room of
// passages.
func TestPromptsStandBeforeTexts(t *testing.T) {
	open := func(prompts string, usual prompt.Embedding) *transformer.Embedder {
		files, err := modeltest.Files()
		if err != nil {
			t.Fatal(err)
		}
		if prompts != "" {
			files[pack.PromptsFile] = []byte(prompts)
		}
		folder := t.TempDir()
		path := filepath.Join(folder, "model.pack")
		if err := modeltest.Write(folder, files); err != nil {
			t.Fatal(err)
		}
		if err := pack.ImportWith(t.Context(), folder, path, usual, nil); err != nil {
			t.Fatal(err)
		}
		return openPacked(t, path)
	}
	plain := open("", prompt.Embedding{})
	want, err := plain.EmbedDocuments(t.Context(), []string{"q: ab", "p: ab"})
	if err != nil {
		t.Fatal(err)
	}
	query, passage := want[:plain.Dim()], want[plain.Dim():]
	for name, e := range map[string]*transformer.Embedder{
		"of the files": open(`{"prompts": {"query": "q: ", "document": "p: "}}`, prompt.Embedding{Query: "other ", Passage: "other "}),
		"usual":        open("", prompt.Embedding{Query: "q: ", Passage: "p: "}),
		"by default":   open(`{"prompts": {"query": "q: ", "text": "p: "}, "default_prompt_name": "text"}`, prompt.Embedding{}),
	} {
		asked, _, err := e.EmbedQuery(t.Context(), "ab")
		if err != nil {
			t.Fatal(err)
		}
		several, err := e.EmbedQueries(t.Context(), []string{"ab", "ab"})
		if err != nil {
			t.Fatal(err)
		}
		stored, err := e.EmbedDocuments(t.Context(), []string{"ab"})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(asked, query) || !slices.Equal(several, slices.Concat(query, query)) || !slices.Equal(stored, passage) {
			t.Errorf("prompts %s are not those that stand before the texts", name)
		}
		if used := plain.Room() - e.Room(); used != 2 || e.Fingerprint() == plain.Fingerprint() {
			t.Errorf("prompts %s take %d tokens of room", name, used)
		}
	}
}

// The same for a model of real size: by what the folder's vectors.json says, or by the twin
// in float32.
func TestARealEmbedderAgreesWithItsTwin(t *testing.T) {
	folder := os.Getenv("DOWSE_TEST_EMBEDDER")
	if folder == "" {
		t.Skip("set DOWSE_TEST_EMBEDDER to a Hugging Face folder of an embedder, with text, ids and vector of some texts in vectors.json or pooling by the mean, the first or the last token")
	}
	path := filepath.Join(t.TempDir(), "model.pack")
	if err := pack.Import(t.Context(), folder, path, nil); err != nil {
		t.Fatal(err)
	}
	e := openPacked(t, path)
	mapped, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mapped.Close() }()
	tokenizer, err := mapped.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	var texts []embeddedText
	if exists(filepath.Join(folder, "vectors.json")) {
		texts = referenceOf[[]embeddedText](t, folder, "vectors.json")
	} else {
		last := lastStates(t, folder)
		for _, text := range []string{"who wrote grep?", "Wo liegt München?", "東京の天気", "как починить велосипед", "func main() { return err }"} {
			ids := tokenizer.EncodeDocument(text, 0)
			texts = append(texts, embeddedText{text, ids, pooledAs(mapped.Config().Pooling, last(ids))})
		}
	}
	least := 1.0
	for _, text := range texts {
		got, err := e.EmbedDocuments(t.Context(), []string{text.Text})
		if err != nil {
			t.Fatal(err)
		}
		if ids := tokenizer.EncodeDocument(text.Text, 0); !slices.Equal(ids, text.IDs) {
			t.Errorf("%q: tokens %v, want %v", text.Text, ids, text.IDs)
		}
		want := text.Vector
		c := float64(dot(got, want)) / math.Sqrt(float64(dot(got, got))*float64(dot(want, want)))
		t.Logf("%.5f %v %s", c, text.IDs, text.Text)
		least = min(least, c)
	}
	if !(least > .99) {
		t.Errorf("cosine %g, want .99", least)
	}
}

// pooledAs is the reference of the ways of pooling that real models have.
func pooledAs(way pack.Pooling, states [][]float32) []float32 {
	switch way {
	case pack.CLS:
		return states[0]
	case pack.LastToken:
		return states[len(states)-1]
	}
	mean := make([]float32, len(states[0]))
	for _, state := range states {
		mean = add(mean, state)
	}
	return mean
}
