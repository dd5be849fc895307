package transformer_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/internal/testcache"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// staticPack imports a folder that has all that belongs to it.
func staticPack(t testing.TB, folder string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.pack")
	if err := pack.Import(t.Context(), folder, path, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// Static models make the vectors of model2vec and of sentence-transformers, but for their
// rows being bytes; see testdata/statics.py.
func TestStaticModelsAgreeWithTheirPackages(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join("testdata", "statics", "*"))
	if err != nil || len(folders) != 3 {
		t.Fatalf("%v, %v", folders, err)
	}
	for _, folder := range folders {
		path, k := staticPack(t, folder), newKernel(t)
		e := openPacked(t, path)
		var texts []string
		least, longest := 1.0, 0.0
		for _, text := range referenceOf[[]embeddedText](t, folder, "vectors.json") {
			texts = append(texts, text.Text)
			got, tokens, err := e.EmbedQuery(t.Context(), text.Text)
			if err != nil || len(got) != len(text.Vector) {
				t.Fatalf("%s: %q has %d numbers, %v", folder, text.Text, len(got), err)
			}
			length := math.Sqrt(float64(dot(text.Vector, text.Vector)))
			longest = max(longest, math.Abs(math.Sqrt(float64(dot(got, got)))-length)/max(length, 1))
			if tokens == 0 || length == 0 {
				if slices.ContainsFunc(append(got, text.Vector...), func(v float32) bool { return v != 0 }) {
					t.Errorf("%s: %q has no tokens and %v, want %v", folder, text.Text, got, text.Vector)
				}
				continue
			}
			least = min(least, float64(dot(got, text.Vector))/length/math.Sqrt(float64(dot(got, got))))
		}
		t.Logf("%s: least cosine %.6f, largest difference of lengths %.2g", folder, least, longest)
		if !(least > .9995) || !(longest < .005) {
			t.Errorf("%s: least cosine %g (want .9995), lengths differ by %g", folder, least, longest)
		}
		want, err := e.EmbedDocuments(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		streamed, budget, ledger := leastBudget(t, func(budget int64, l *memory.Ledger) (*transformer.Embedder, error) {
			return transformer.OpenEmbedder(t.Context(), path, k, transformer.EmbedderOptions{Threads: 2, Budget: budget, Ledger: l})
		})
		got, err := streamed.EmbedDocuments(t.Context(), texts)
		if err := errors.Join(err, streamed.Close()); err != nil || !slices.Equal(got, want) || ledger.Peak() > budget || ledger.Total() != 0 {
			t.Errorf("%s: with %d bytes other bits, or %d held (%v)", folder, budget, ledger.Peak(), err)
		}
	}
}

// Of a table that does not fit, the rows that texts need are read.
func TestStreamedStaticModelChangesNoBit(t *testing.T) {
	const rows, width = 72 + 6000, 256
	folder := filepath.Join("testdata", "statics", "model2vec")
	copied := t.TempDir()
	table := modeltest.Tensor{Shape: []int{rows, width}, Values: make([]float32, rows*width)}
	for i := range table.Values {
		table.Values[i] = float32(i*7919%1009) - 500
	}
	weights, err := modeltest.Safetensors(map[string]modeltest.Tensor{"embeddings": table})
	if err := errors.Join(err, os.CopyFS(copied, os.DirFS(folder)), modeltest.Write(copied, map[string][]byte{"model.safetensors": weights})); err != nil {
		t.Fatal(err)
	}
	path, k := staticPack(t, copied), newKernel(t)
	texts := []string{"the router forgot", "", "a b c 1 2 3", strings.Repeat("xyz ", 150)}
	want, err := openPacked(t, path).EmbedDocuments(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	streamed, budget, ledger := leastBudget(t, func(budget int64, l *memory.Ledger) (*transformer.Embedder, error) {
		return transformer.OpenEmbedder(t.Context(), path, k, transformer.EmbedderOptions{Threads: 1, Budget: budget, Ledger: l})
	})
	got, err := streamed.EmbedDocuments(t.Context(), texts)
	if err != nil || !slices.Equal(got, want) || !streamed.Streamed() {
		t.Errorf("with %d bytes other bits, streamed: %t (%v)", budget, streamed.Streamed(), err)
	}
	if err := streamed.Close(); err != nil || ledger.Peak() > budget || ledger.Total() != 0 {
		t.Errorf("%d bytes held of %d, %d left (%v)", ledger.Peak(), budget, ledger.Total(), err)
	}
}

func TestStaticModelRefusals(t *testing.T) {
	folder := filepath.Join("testdata", "statics", "model2vec-shared")
	change := func(files map[string][]byte, tensors map[string]modeltest.Tensor) string {
		copied := t.TempDir()
		err := errors.Join(os.CopyFS(copied, os.DirFS(folder)), modeltest.Write(copied, files))
		if tensors != nil {
			weights, encoding := modeltest.Safetensors(tensors)
			err = errors.Join(err, encoding, modeltest.Write(copied, map[string][]byte{"model.safetensors": weights}))
		}
		if err != nil {
			t.Fatal(err)
		}
		return copied
	}
	few := modeltest.Tensor{Shape: []int{3, 4}, Values: make([]float32, 12)}
	for want, copied := range map[string]string{
		"the model embeds 3":             change(nil, map[string]modeltest.Tensor{"embeddings": few}),
		`no tensor "embeddings"`:         change(nil, map[string]modeltest.Tensor{"table": few}),
		`tensor "more" is of no use`:     change(nil, map[string]modeltest.Tensor{"embeddings": few, "more": few}),
		"where whole numbers are needed": change(nil, map[string]modeltest.Tensor{"embeddings": few, "mapping": {Shape: []int{2}, Values: []float32{0, 1}}}),
		"module m.WordWeights is not":    change(map[string][]byte{"modules.json": []byte(`[{"path": ".", "type": "m.StaticEmbedding"}, {"path": "", "type": "m.WordWeights"}]`)}, nil),
		"truncate_dim 99":                change(map[string][]byte{pack.PromptsFile: []byte(`{"truncate_dim": 99}`)}, nil),
	} {
		err := pack.Import(t.Context(), copied, filepath.Join(t.TempDir(), "model.pack"), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := transformer.OpenCrossEncoder(t.Context(), staticPack(t, folder), newKernel(t), transformer.CrossEncoderOptions{}); err == nil {
		t.Error("a static model scores")
	}
	if _, err := transformer.OpenDecoder(t.Context(), staticPack(t, folder), newKernel(t), transformer.DecoderOptions{}); err == nil {
		t.Error("a static model writes")
	}
}

// BenchmarkStatic embeds texts of some 200 tokens with a table of real size beside a
// transformer.
func BenchmarkStatic(b *testing.B) {
	text := strings.Repeat("the router forgot its name servers after a power cut ", 8)
	for name, path := range map[string]string{"static": os.Getenv("DOWSE_TEST_STATIC"), "MiniLM": testcache.Published(b)} {
		b.Run(name, func(b *testing.B) {
			if path == "" {
				b.Skip("set DOWSE_TEST_STATIC to the pack of a static model")
			}
			e, err := transformer.OpenEmbedder(b.Context(), path, newKernel(b), transformer.EmbedderOptions{Threads: 1})
			if err != nil {
				b.Fatal(err)
			}
			texts := slices.Repeat([]string{text}, 64)
			for b.Loop() {
				if _, err := e.EmbedDocuments(b.Context(), texts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
			if err := e.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
