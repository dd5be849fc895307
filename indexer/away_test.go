package indexer_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"dowse/engine"
	"dowse/indexer"
	"dowse/store"
)

// absent is an embedder that is away until it comes back.
type absent struct {
	*fakeEmbedder
	back atomic.Bool
}

func (a *absent) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	if !a.back.Load() {
		return nil, fmt.Errorf("%w: nobody is there", engine.ErrNoVectors)
	}
	return a.fakeEmbedder.EmbedDocuments(ctx, texts)
}

// TestWatchBeginsWithoutAnEmbedder: files are found by words, which it says, and changes are
// followed; once the embedder is back all get their vectors. A single run fails, and loses nothing.
func TestWatchBeginsWithoutAnEmbedder(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	opts := b.options()
	embedder := &absent{fakeEmbedder: b.embed}
	opts.Embedder = embedder
	var mu sync.Mutex
	told := ""
	opts.Emit = func(e engine.Event) {
		mu.Lock()
		defer mu.Unlock()
		told += e.Problem
	}
	b.index = indexer.New(opts)
	if _, err := b.index.Run(t.Context(), []string{b.root}); err == nil || !strings.Contains(err.Error(), "nobody is there") {
		t.Error(err)
	}
	b.watching()
	b.write("c.md", "no unicorn\n")
	b.eventually("it is away", map[string]int{"a.md": 1, "c.md": 1})
	b.until("it says so", func(store.Counts) bool {
		mu.Lock()
		defer mu.Unlock()
		return strings.Contains(told, "are found by words alone for now")
	})
	if n := b.counts().Vectors; n > 0 || b.meant() {
		t.Errorf("%d vectors without an embedder", n)
	}
	embedder.back.Store(true)
	b.write("b.md", "horse\n")
	b.write("a.md", "a unicorn\n")
	b.eventually("it is back", map[string]int{"a.md": 1, "b.md": 0, "c.md": 1})
	b.until("all have vectors", func(c store.Counts) bool { return b.meant() && c.Vectors == 3 })
}
