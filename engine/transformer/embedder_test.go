package transformer_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/internal/testcache"
	"dowse/models/pack"
)

// openWith opens the model on particular kernels.
func openWith(t testing.TB, threads int, opts kernel.Options, ledger *memory.Ledger) *transformer.Embedder {
	t.Helper()
	path := testcache.Published(t)
	k, err := kernel.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	e, err := transformer.OpenEmbedder(t.Context(), path, k, transformer.EmbedderOptions{Threads: threads, Ledger: ledger})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(e.Close(), k.Close()); err != nil {
			t.Error(err)
		}
	})
	return e
}

func openEmbedder(t testing.TB, threads int) *transformer.Embedder {
	return openWith(t, threads, kernel.Options{}, nil)
}

// sentences are texts of many lengths, some empty, some above the limit.
func sentences(rng *rand.Rand, n int) []string {
	words := strings.Fields("the router forgot its name servers after a power cut so I set them by hand 8.8.8.8 naïve café 東京 func main() { return err }")
	texts := make([]string, n)
	for i := range texts {
		count := rng.IntN(40)
		if i%7 == 0 {
			count = rng.IntN(400)
		}
		picked := make([]string, count)
		for j := range picked {
			picked[j] = words[rng.IntN(len(words))]
		}
		texts[i] = strings.Join(picked, " ")
	}
	return texts
}

// alone embeds each text by itself: the slow obvious twin of a batch.
func alone(t *testing.T, e *transformer.Embedder, texts []string) [][]float32 {
	t.Helper()
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		v, _, err := e.EmbedQuery(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		vectors[i] = v
	}
	return vectors
}

func TestN4_TextsEmbedToTheSameBitsInAnyBatch(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	n, workers := 60, []int{1, 2, 5}
	if testing.Short() { // for the race detector a batch for each of two workers, and some more, are enough
		n, workers = 12, []int{2}
	}
	texts := sentences(rng, n)
	one := openEmbedder(t, 1)
	want := alone(t, one, texts)
	for _, threads := range workers {
		e := openEmbedder(t, threads)
		order := rng.Perm(len(texts))
		shuffled := make([]string, len(texts))
		for i, at := range order {
			shuffled[i] = texts[at]
		}
		got, err := e.EmbedDocuments(t.Context(), shuffled)
		if err != nil {
			t.Fatal(err)
		}
		for i, at := range order {
			if !slices.Equal(got[i*e.Dim():(i+1)*e.Dim()], want[at]) {
				t.Fatalf("%d threads: text %d has other bits in a batch than alone", threads, at)
			}
		}
	}
}

func TestN1_EveryLevelGivesTheSameBits(t *testing.T) {
	if testing.Short() { // plain Go is slow, under the race detector more so
		t.Skip("compares numbers of plain Go")
	}
	const seed = 12
	t.Logf("seed %d", seed)
	texts := sentences(rand.New(rand.NewPCG(seed, 0)), 6) // one of them long
	want := alone(t, openWith(t, 1, kernel.Options{ISA: kernel.Plain}, nil), texts)
	for _, level := range kernel.ISAs() {
		if level == kernel.Plain {
			continue
		}
		got := alone(t, openWith(t, 1, kernel.Options{ISA: level, Backend: kernel.Own}, nil), texts)
		for i := range texts {
			if !slices.Equal(got[i], want[i]) {
				t.Errorf("level %s: text %d has other bits than on plain Go", level, i)
			}
		}
	}
}

func TestVectorsHaveUnitLength(t *testing.T) {
	for i, v := range alone(t, openEmbedder(t, 1), []string{"", "word", strings.Repeat("long ", 500)}) {
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Errorf("text %d: squared length %v", i, sum)
		}
	}
}

func TestMemoryIsCountedAndGivenBack(t *testing.T) {
	path := testcache.Published(t)
	ledger := &memory.Ledger{}
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := transformer.OpenEmbedder(t.Context(), path, k, transformer.EmbedderOptions{Threads: 2, Ledger: ledger})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.EmbedDocuments(t.Context(), []string{"one", "two"}); err != nil {
		t.Fatal(err)
	}
	if ledger.Total() <= 0 {
		t.Error("the ledger counts nothing")
	}
	if err := errors.Join(e.Close(), k.Close()); err != nil {
		t.Fatal(err)
	}
	if left := ledger.Total(); left != 0 {
		t.Errorf("%d bytes are still held: %v", left, ledger.Snapshot())
	}
}

func TestCancelledEmbedding(t *testing.T) {
	e := openEmbedder(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := e.EmbedQuery(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("query: %v", err)
	}
	if _, err := e.EmbedDocuments(ctx, sentences(rand.New(rand.NewPCG(1, 0)), 100)); !errors.Is(err, context.Canceled) {
		t.Errorf("documents: %v", err)
	}
	if _, err := e.EmbedDocuments(t.Context(), []string{"still works"}); err != nil {
		t.Errorf("after a cancelled call: %v", err)
	}
}

func TestTruncatedModelIsRefused(t *testing.T) {
	data, err := os.ReadFile(testcache.Published(t))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "model.pack")
	if err := os.WriteFile(path, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	k, err := kernel.New(kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := transformer.OpenEmbedder(t.Context(), path, k, transformer.EmbedderOptions{Threads: 1}); !errors.Is(err, pack.ErrTruncated) {
		t.Errorf("error %v, want ErrTruncated", err)
	}
}

func BenchmarkEmbedDocuments(b *testing.B) {
	e := openEmbedder(b, 2)
	texts := make([]string, 64)
	for i := range texts {
		texts[i] = strings.Repeat("the router forgot its name servers after a power cut ", 18)
	}
	tokens := 0
	for b.Loop() {
		_, n, err := e.EmbedCounted(b.Context(), texts)
		if err != nil {
			b.Fatal(err)
		}
		tokens += n
	}
	b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tokens/s")
}
