package transformer_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/internal/testcache"
	"dowse/models/modeltest"
)

// leastBudget is the smallest budget, about, in which open succeeds, and what it
// charges there to the ledger that it is given.
func leastBudget[T any](t *testing.T, open func(budget int64, l *memory.Ledger) (T, error)) (T, int64, *memory.Ledger) {
	t.Helper()
	for budget := int64(64 << 10); ; budget += 64 << 10 {
		l := &memory.Ledger{}
		opened, err := open(budget, l)
		if err == nil {
			return opened, budget, l
		}
		if !errors.Is(err, transformer.ErrBudget) || l.Total() != 0 || budget > 1<<28 {
			t.Fatalf("%d bytes: %v, %d bytes held", budget, err, l.Total())
		}
	}
}

// An embedder that is read while it computes makes the vectors of one in memory, for
// documents and queries side by side, and keeps to its budget.
func TestStreamedEmbedderChangesNoBit(t *testing.T) {
	path, k := testcache.Published(t), newKernel(t)
	texts, most := sentences(rand.New(rand.NewPCG(61, 0)), 12), 3
	if testing.Short() { // for the race detector two threads and a batch each are enough
		texts, most = texts[:6], 2
	}
	one, err := transformer.OpenEmbedder(t.Context(), path, k, transformer.EmbedderOptions{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	want, tokens, err := one.EmbedCounted(t.Context(), texts)
	if err := errors.Join(err, one.Close()); err != nil || one.Streamed() {
		t.Fatalf("in memory: %v", err)
	}
	for threads := 4 - most; threads <= most; threads++ {
		e, budget, ledger := leastBudget(t, func(budget int64, l *memory.Ledger) (*transformer.Embedder, error) {
			return transformer.OpenEmbedder(t.Context(), path, k, transformer.EmbedderOptions{Threads: threads, Budget: budget, Ledger: l})
		})
		if !e.Streamed() {
			t.Fatalf("%d threads: in memory with %d bytes", threads, budget)
		}
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				got, n, err := e.EmbedCounted(t.Context(), texts)
				if err != nil || n != tokens || !slices.Equal(got, want) {
					t.Errorf("%d threads: other vectors (%d tokens, want %d; %v)", threads, n, tokens, err)
				}
			})
		}
		for i, text := range texts[:5] {
			got, _, err := e.EmbedQuery(t.Context(), text)
			if err != nil || !slices.Equal(got, want[i*e.Dim():(i+1)*e.Dim()]) {
				t.Errorf("%d threads: query %d has another vector (%v)", threads, i, err)
			}
		}
		group.Wait()
		done, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := e.EmbedDocuments(done, texts); !errors.Is(err, context.Canceled) {
			t.Errorf("with a context that is done: %v", err)
		}
		if got, err := e.EmbedDocuments(t.Context(), texts); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d threads, after a call that was given up: other vectors (%v)", threads, err)
		}
		if ledger.Peak() > budget {
			t.Errorf("%d threads: held %d bytes, the budget is %d: %v", threads, ledger.Peak(), budget, ledger.Snapshot())
		}
		if err := e.Close(); err != nil || ledger.Total() != 0 {
			t.Errorf("after Close: %v, %v", err, ledger.Snapshot())
		}
	}
}

// So does a reader.
func TestStreamedSpanReaderChangesNoBit(t *testing.T) {
	model := modeltest.Reranker{Layers: 8, Intermediate: 2000, Seed: 32}
	path, adapter := rerankerPack(t, model), adapterFolder(t, spanTensors(model, 95, spanModules()...), adapterConfig())
	one := openSpanReader(t, path, adapter, 2)
	passages, k := spanPassages(rand.New(rand.NewPCG(62, 0)), 12), newKernel(t)
	want := readSpans(t, one, "who", passages...)
	for threads := 1; threads <= 3; threads++ {
		r, budget, ledger := leastBudget(t, func(budget int64, l *memory.Ledger) (*transformer.SpanReader, error) {
			o := transformer.SpanReaderOptions{Adapter: adapter, Threads: threads, Budget: budget, Ledger: l}
			return transformer.OpenSpanReader(t.Context(), path, k, o)
		})
		if !r.Streamed() {
			t.Fatalf("%d threads: in memory with %d bytes", threads, budget)
		}
		got := readSpans(t, r, "who", passages...)
		for i := range want {
			if !slices.Equal(flatten(got[i]), flatten(want[i])) || !slices.Equal(got[i].Tokens, want[i].Tokens) {
				t.Errorf("%d threads: passage %d has other bits", threads, i)
			}
		}
		if ledger.Peak() > budget {
			t.Errorf("%d threads: held %d bytes, the budget is %d: %v", threads, ledger.Peak(), budget, ledger.Snapshot())
		}
		if err := r.Close(); err != nil || ledger.Total() != 0 {
			t.Errorf("after Close: %v, %v", err, ledger.Snapshot())
		}
	}
}
