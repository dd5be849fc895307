package search

import (
	"context"
	"errors"
	"slices"
	"testing"

	"dowse/engine"
	"dowse/engine/leann"
	"dowse/engine/search/snapshot"
	"dowse/internal/testwait"
	"dowse/store"
)

// keeping is a settled world that keeps so many vectors.
func keeping(t *testing.T, seed uint64, room int) *world {
	w, _ := grown(t, seed)
	w.embedder.rounds = true
	w.settle(32)
	w.opts.Kept = int64(room * (dim + 64))
	if n := leann.KeptRoom(w.opts.Kept, dim); n < room {
		t.Fatalf("there is room for %d", n)
	}
	w.Engine = New(w.opts)
	return w
}

// kept lists the chunks whose vectors the index keeps, by how often they were asked for.
func (w *world) kept() (asked map[uint32]int) {
	w.t.Helper()
	asked = map[uint32]int{}
	err := w.db.View(func(tx *store.Tx) error {
		return leann.EachKept(snapshot.Vectors(tx), func(chunk uint32, times int) { asked[chunk] = times })
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return asked
}

// warming warms until enough, and ends.
func (w *world) warming(enough func() bool) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Warm(ctx) }()
	testwait.Until(w.t, "warming goes on", enough)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		w.t.Errorf("warming ended with %v", err)
	}
}

var warmQuery = engine.Request{Query: "word7 word8 word9", Mode: engine.Vector, K: 20}

// TestWarm lets a settled index be warmed, and another process search it: nothing is
// left to recompute, and the ranking is the same, to the bit.
func TestWarm(t *testing.T) {
	w := keeping(t, 11, 2*manyChunks)
	before := w.search(warmQuery)
	if before.Stats.Recomputed == 0 {
		t.Fatal("the cold search recomputed nothing")
	}
	w.warming(func() bool { return len(w.kept()) >= manyChunks })
	w.Engine = New(w.opts)
	embedded := w.embedder.documents.Load()
	after := w.search(warmQuery)
	if after.Stats.Recomputed != 0 || after.Stats.Memoized == 0 || w.embedder.documents.Load() != embedded {
		t.Errorf("the warm search recomputed %d vectors and knew %d", after.Stats.Recomputed, after.Stats.Memoized)
	}
	for i, p := range after.Passages {
		if q := before.Passages[i]; p.ChunkID != q.ChunkID || p.VectorScore != q.VectorScore {
			t.Errorf("rank %d: chunk %d (%v) warm, %d (%v) cold", i+1, p.ChunkID, p.VectorScore, q.ChunkID, q.VectorScore)
		}
	}
}

// TestWarmKeepsWhatIsAskedFor: where room is short, what searches asked for takes it, and is kept when
// the process ends at once; what was computed ahead stays behind it.
func TestWarmKeepsWhatIsAskedFor(t *testing.T) {
	const room = 64
	w := keeping(t, 12, room)
	w.warming(func() bool { return len(w.kept()) >= room })
	if n := len(w.kept()); n > leann.KeptRoom(w.opts.Kept, dim) {
		t.Errorf("%d vectors are kept where there is room for %d", n, leann.KeptRoom(w.opts.Kept, dim))
	}
	w.Engine = New(w.opts)
	w.search(warmQuery)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Warm(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("warming ended with %v", err)
	}
	w.Engine = New(w.opts)
	if after := w.search(warmQuery); after.Stats.Recomputed != 0 {
		t.Errorf("%d of the vectors that a search asked for were not kept", after.Stats.Recomputed)
	}
}

// TestWarmWaits: nothing is computed ahead while the machine is on its battery, and what was asked for
// is kept all the same.
func TestWarmWaits(t *testing.T) {
	w := keeping(t, 13, manyChunks)
	w.opts.Waits = func() bool { return true }
	w.Engine = New(w.opts)
	w.search(warmQuery)
	embedded := w.embedder.documents.Load()
	w.warming(func() bool { return len(w.kept()) > 0 })
	if n := w.embedder.documents.Load(); n != embedded {
		t.Errorf("%d vectors were computed ahead", n-embedded)
	}
	if kept := w.kept(); len(kept) == 0 || len(kept) > int(embedded) {
		t.Errorf("%d vectors are kept, %d were asked for", len(kept), embedded)
	}
}

// TestKeptVectorsAreOfTheirText: a vector that was asked for is dropped where its chunk has another
// text by the time that it is kept.
func TestKeptVectorsAreOfTheirText(t *testing.T) {
	w := keeping(t, 14, manyChunks)
	w.search(warmQuery)
	list := w.asks.take()
	if len(list) == 0 {
		t.Fatal("nothing was asked for")
	}
	list[0].Key.Hash++
	if err := w.keepVectors(slices.Clone(list)); err != nil {
		t.Fatal(err)
	}
	if kept := w.kept(); len(kept) != len(list)-1 || kept[list[0].Key.Chunk] != 0 {
		t.Errorf("%d of %d are kept", len(kept), len(list))
	}
}
