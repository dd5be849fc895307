package transformer_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/transformer"
	"dowse/internal/testcache"
	"dowse/models"
)

// tableOf is a table of random rows.
func tableOf(rng *rand.Rand, words, dim int) []byte {
	data := []byte("dowsestt")
	data = binary.LittleEndian.AppendUint32(data, uint32(words))
	data = binary.LittleEndian.AppendUint32(data, uint32(dim))
	for range words {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(rng.Float64())))
	}
	for range words * dim / 2 {
		data = append(data, byte(rng.Uint32()))
	}
	return data
}

// TestStaticVectorsAreSumsOfRows: of the tokens that the tokenizer makes, by the root of their counts.
func TestStaticVectorsAreSumsOfRows(t *testing.T) {
	e := openEmbedder(t, 1)
	rng := rand.New(rand.NewPCG(5, 1))
	words, dim := e.Vocabulary(), e.Dim()
	data := tableOf(rng, words, dim)
	table, err := transformer.ReadStaticTable(data)
	if err != nil || !table.Fits(e) {
		t.Fatal(err)
	}
	if other, err := transformer.ReadStaticTable(tableOf(rng, words-1, dim)); err != nil || other.Fits(e) {
		t.Errorf("a table of fewer rows fits: %v", err)
	}
	texts := append(sentences(rng, 20), "", "the the the the cat")
	got := e.EmbedStatic(table, texts)
	for i, text := range texts {
		counts := map[int32]float64{}
		for _, id := range e.Bag(text) {
			counts[id]++
		}
		want, length := make([]float64, dim), 0.0
		for id, n := range counts {
			scale := math.Float32frombits(binary.LittleEndian.Uint32(data[16+4*id:]))
			for j := range want {
				nibble := data[16+4*words+(int(id)*dim+j)/2] >> (4 * (j % 2)) & 15
				want[j] += float64(scale) * math.Sqrt(n) * (float64(nibble) - 8)
			}
		}
		for _, x := range want {
			length += x * x
		}
		for j, x := range want {
			if length > 0 {
				x /= math.Sqrt(length)
			}
			if d := x - float64(got[i*dim+j]); math.Abs(d) > 1e-5 {
				t.Fatalf("%q: number %d is %v, want %v", text, j, got[i*dim+j], x)
			}
		}
	}
}

// TestStaticTableRefusals: what is cut off, or says other than it has, is no table.
func TestStaticTableRefusals(t *testing.T) {
	data := tableOf(rand.New(rand.NewPCG(5, 2)), 7, 6)
	if _, err := transformer.ReadStaticTable(data); err != nil {
		t.Fatal(err)
	}
	long := append([]byte(nil), data...)
	binary.LittleEndian.PutUint32(long[8:], math.MaxUint32)
	odd := append([]byte(nil), data...)
	binary.LittleEndian.PutUint32(odd[12:], 5)
	for name, bad := range map[string][]byte{"empty": nil, "cut": data[:len(data)-1], "another": append([]byte("x"), data...), "longer": append(data[:len(data):len(data)], 0), "rows": long, "odd": odd} {
		if _, err := transformer.ReadStaticTable(bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// BenchmarkStaticVectors: passages a second on one core, tokenizer included.
func BenchmarkStaticVectors(b *testing.B) {
	e := openEmbedder(b, 1)
	rng := rand.New(rand.NewPCG(5, 3))
	table, err := transformer.ReadStaticTable(tableOf(rng, e.Vocabulary(), e.Dim()))
	if err != nil {
		b.Fatal(err)
	}
	texts := sentences(rng, 256)
	for b.Loop() {
		e.EmbedStatic(table, texts)
	}
	b.ReportMetric(float64(len(texts)*b.N)/b.Elapsed().Seconds(), "passages/s")
}

// TestTheTableIsNearTheEmbedder: static vectors of the table that the program carries point where the embedder's do.
func TestTheTableIsNearTheEmbedder(t *testing.T) {
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := transformer.OpenEmbedder(t.Context(), testcache.Embedder(t), k, transformer.EmbedderOptions{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(e.Close(), k.Close()); err != nil {
			t.Error(err)
		}
	})
	data, err := models.StaticTable(models.DefaultEmbedder)()
	if err != nil {
		t.Fatal(err)
	}
	table, err := transformer.ReadStaticTable(data)
	if err != nil || !table.Fits(e) {
		t.Fatalf("the table does not fit: %v", err)
	}
	texts := []string{
		"The boiler is serviced every October by the man from Hull, who leaves the invoice behind the clock.",
		"To find the largest files below a folder, pipe du through sort and take the last lines.",
		"Mildew on the courgettes: a spray of milk and water once a week helped, the copper one did not.",
		"A mutex that is copied guards nothing; vet reports functions that take one by value.",
	}
	exact, err := e.EmbedDocuments(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	static, dim := e.EmbedStatic(table, texts), e.Dim()
	for i := range texts {
		for j := range texts {
			cosine := float32(0)
			for d := range dim {
				cosine += static[i*dim+d] * exact[j*dim+d]
			}
			if near := cosine > .6; near != (i == j) {
				t.Errorf("text %d has a cosine of %.3f with text %d", i, cosine, j)
			}
		}
	}
	if other := models.StaticTable(models.DefaultReranker); other != nil {
		t.Error("a reranker has static vectors")
	}
}
