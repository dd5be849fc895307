package search

import (
	"context"
	"errors"
	"testing"

	"dowse/engine"
	"dowse/engine/leann"
	"dowse/internal/testwait"
)

// TestWarm lets a settled index be warmed, and then searches it: nothing is
// left to recompute, and the ranking is the same.
func TestWarm(t *testing.T) {
	w, _ := grown(t, 11)
	w.settle(32)
	before := w.search(engine.Request{Query: "word7 word8 word9", Mode: engine.Vector, K: 20})
	if before.Stats.Recomputed == 0 {
		t.Fatal("the cold search recomputed nothing")
	}
	w.memo = leann.NewMemo(64<<20, dim, nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Warm(ctx) }()
	testwait.Until(t, "not all chunks are warm", func() bool { return w.memo.Len() >= manyChunks })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("warming ended with %v", err)
	}
	after := w.search(engine.Request{Query: "word7 word8 word9", Mode: engine.Vector, K: 20})
	if after.Stats.Recomputed != 0 || after.Stats.Memoized == 0 {
		t.Errorf("the warm search recomputed %d vectors and knew %d", after.Stats.Recomputed, after.Stats.Memoized)
	}
	for i, p := range after.Passages {
		if q := before.Passages[i]; p.ChunkID != q.ChunkID || p.VectorScore != q.VectorScore {
			t.Errorf("rank %d: chunk %d (%v) warm, %d (%v) cold", i+1, p.ChunkID, p.VectorScore, q.ChunkID, q.VectorScore)
		}
	}
}

// TestWarmStopsWhenFull leaves what does not fit to the searches.
func TestWarmStopsWhenFull(t *testing.T) {
	w, _ := grown(t, 12)
	w.settle(32)
	const room = 64
	w.memo = leann.NewMemo(room*(4*dim+192), dim, nil)
	if err := w.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := w.memo.Len(); n != room {
		t.Errorf("%d vectors in a memo for %d", n, room)
	}
}
