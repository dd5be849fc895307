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

// TestWatchBeginsWithoutAnEmbedder: it says that files wait, and follows changes; what is
// written once the embedder is back is indexed. A single run fails, and loses nothing.
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
	mu.Lock()
	if !strings.Contains(told, "cannot be indexed yet, and will be tried again") {
		t.Errorf("%q", told)
	}
	mu.Unlock()
	embedder.back.Store(true)
	b.write("b.md", "horse\n")
	b.write("a.md", "a unicorn\n")
	b.eventually("it is back", map[string]int{"a.md": 1, "b.md": 0})
}
