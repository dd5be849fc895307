package transformer_test

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// A text has the bits that it has alone in any batch, with an embedder of every family.
func TestEmbeddersOfEveryFamilyGiveTheSameBits(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	for _, folder := range referenceFolders(t, "embedders") {
		path := packOf(t, folder)
		var ids [][]int32
		for _, text := range referenceOf[[]embeddedText](t, folder, "vectors.json") {
			ids = append(ids, text.IDs)
		}
		e := openPacked(t, path)
		var alone []float32
		for _, own := range ids {
			vector, err := e.EmbedIDs(t.Context(), [][]int32{own})
			if err != nil {
				t.Fatal(err)
			}
			alone = append(alone, vector...)
		}
		if got, err := e.EmbedIDs(t.Context(), ids); err != nil || !slices.Equal(got, alone) {
			t.Errorf("%s: other bits in a batch (%v)", folder, err)
		}
	}
}

// A decoder that is read while it embeds makes the vectors of one in memory, and keeps to
// its budget. A text without tokens has zeros.
func TestStreamedDecoderEmbedderChangesNoBit(t *testing.T) {
	files, err := modeltest.Decoder{Architecture: "Qwen3ForCausalLM", Layers: 8, Intermediate: 2000, Seed: 44, Rotary: `"rope_theta": 10000.0`}.Files()
	if err != nil {
		t.Fatal(err)
	}
	files["modules.json"] = []byte(`[{"path": "1_Pooling", "type": "m.Pooling"}, {"path": "2_Normalize", "type": "m.Normalize"}]`)
	files["1_Pooling/config.json"] = []byte(`{"pooling_mode": "lasttoken"}`)
	folder, k := t.TempDir(), newKernel(t)
	path := filepath.Join(folder, "model.pack")
	if err := errors.Join(modeltest.Write(folder, files), pack.Import(t.Context(), folder, path, nil)); err != nil {
		t.Fatal(err)
	}
	texts := []string{"", "abc", "a", "the cat and the dog"}
	e := openPacked(t, path)
	want, tokens, err := e.EmbedCounted(t.Context(), texts)
	if err != nil || tokens == 0 || slices.Max(want[:e.Dim()]) != 0 || slices.Max(want[e.Dim():2*e.Dim()]) == 0 {
		t.Fatalf("%d tokens: %v", tokens, err)
	}
	streamed, budget, ledger := leastBudget(t, func(budget int64, l *memory.Ledger) (*transformer.Embedder, error) {
		return transformer.OpenEmbedder(t.Context(), path, k, transformer.EmbedderOptions{Threads: 2, Budget: budget, Ledger: l})
	})
	got, _, err := streamed.EmbedCounted(t.Context(), texts)
	if err != nil || !slices.Equal(got, want) || !streamed.Streamed() {
		t.Errorf("other bits with %d bytes, streamed: %t (%v)", budget, streamed.Streamed(), err)
	}
	for i, text := range texts {
		if v, _, err := streamed.EmbedQuery(t.Context(), text); err != nil || !slices.Equal(v, want[i*e.Dim():(i+1)*e.Dim()]) {
			t.Errorf("query %q has another vector (%v)", text, err)
		}
	}
	if ledger.Peak() > budget {
		t.Errorf("held %d bytes, the budget is %d: %v", ledger.Peak(), budget, ledger.Snapshot())
	}
	if err := streamed.Close(); err != nil || ledger.Total() != 0 {
		t.Errorf("after Close: %v, %v", err, ledger.Snapshot())
	}
}

// Fewer numbers of a vector are the first ones of the whole, normalised again, and vectors
// of another length are those of another model.
func TestShortenedVectors(t *testing.T) {
	path, k := packOf(t, filepath.Join("testdata", "embedders", "modernbert-mean")), newKernel(t)
	open := func(dimensions int) (*transformer.Embedder, error) {
		return transformer.OpenEmbedder(t.Context(), path, k, transformer.EmbedderOptions{Threads: 1, Dimensions: dimensions})
	}
	prints := map[string]int{}
	var whole []float32
	for _, dimensions := range []int{0, 24, 8, 1} {
		e, err := open(dimensions)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.EmbedDocuments(t.Context(), []string{"a few words"})
		if err := errors.Join(err, e.Close()); err != nil {
			t.Fatal(err)
		}
		if dimensions == 0 {
			whole = got
		}
		if dimensions > 0 && (e.Dim() != dimensions || len(got) != dimensions) {
			t.Fatalf("%d numbers, want %d", len(got), dimensions)
		}
		length := math.Sqrt(float64(dot(whole[:len(got)], whole[:len(got)])))
		for i, v := range got {
			if math.Abs(float64(v)-float64(whole[i])/length) > 1e-6 {
				t.Errorf("%d numbers: %v at %d, want %v", dimensions, v, i, float64(whole[i])/length)
			}
		}
		prints[e.Fingerprint()]++
	}
	if len(prints) != 3 { // 0 and 24 are the same
		t.Errorf("%d fingerprints", len(prints))
	}
	for _, dimensions := range []int{25, -1} {
		if _, err := open(dimensions); err == nil || !strings.Contains(err.Error(), "ask for 1 to 24") {
			t.Errorf("%d numbers of 24: %v", dimensions, err)
		}
	}
}

// A decoder whose states become vectors neither writes nor scores.
func TestDecodersThatEmbedDoNothingElse(t *testing.T) {
	path := packOf(t, filepath.Join("testdata", "embedders", "qwen3-last-short"))
	if _, err := transformer.OpenDecoder(t.Context(), path, newKernel(t), transformer.DecoderOptions{}); err == nil || !strings.Contains(err.Error(), "makes vectors") {
		t.Errorf("it writes: %v", err)
	}
	if _, err := transformer.OpenCrossEncoder(t.Context(), path, newKernel(t), transformer.CrossEncoderOptions{}); err == nil || !strings.Contains(err.Error(), "makes vectors") {
		t.Errorf("it scores: %v", err)
	}
}
