package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/indexer"
)

// fuse is a context that is cancelled once somebody has looked at it so often.
type fuse struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func newFuse(parent context.Context, looks int64) *fuse {
	f := &fuse{}
	f.Context, f.cancel = context.WithCancel(parent)
	f.left.Store(looks)
	return f
}

func (f *fuse) Err() error {
	if f.left.Add(-1) < 0 {
		f.cancel()
	}
	return f.Context.Err()
}

// TestCancelledRunLeavesASoundIndex cancels runs at every stage: in quantizing,
// merging and vacuuming by the looks they take at their context,
// elsewhere by the events they emit.
func TestCancelledRunLeavesASoundIndex(t *testing.T) {
	b, rng := newBench(t), seeded(t, 205)
	f := b.fill(rng)
	b.run(b.root)
	change := func() {
		for range 6 {
			name := f.name(rng)
			f[name] = newSections(rng, 10)
			b.write(name, f[name].text())
		}
	}
	cancelled := func(ctx context.Context, ix *indexer.Indexer, when string) (ended bool) {
		t.Helper()
		_, err := ix.Run(ctx, nil)
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at %s: %v", when, err)
		}
		b.check()
		if _, err := os.Stat(b.db.Path() + ".compact"); err == nil {
			t.Errorf("cancelled at %s: half of a file is left", when)
		}
		return err == nil
	}
	looks, cut := int64(0), 0
	for ; ; looks = looks + looks/2 + 1 {
		change()
		ctx := newFuse(t.Context(), looks)
		ended := cancelled(ctx, b.index, fmt.Sprintf("look %d", looks))
		ctx.cancel()
		if ended {
			break
		}
		cut++
	}
	for at := int64(1); ; at += 2 {
		change()
		ctx, cancel := context.WithCancel(t.Context())
		var events atomic.Int64
		ix := indexer.New(indexer.Options{
			Store: b.db, Analyzer: lexical.NewAnalyzer(), Embedder: b.embed, Dot: plainDot{}, Budget: 0.05, Threads: 2, MaxFile: 1 << 20,
			Emit: func(engine.Event) {
				if events.Add(1) == at {
					cancel()
				}
			},
		})
		ended := cancelled(ctx, ix, fmt.Sprintf("event %d", at))
		cancel()
		if ended {
			break
		}
		cut++
	}
	t.Logf("%d runs were cut short, the last at look %d", cut, looks)
	if cut < 12 {
		t.Errorf("only %d runs were cut short", cut)
	}
	r := b.run()
	b.quantized(r.Chunks)
	b.sameAs(b.rebuilt())
}
