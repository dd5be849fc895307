package kv

import (
	"slices"
	"sync/atomic"
	"testing"

	"dowse/engine/memory"
)

// chunked is a cache of 12 tokens in chunks of 5, the last of which is open.
func chunked(t *testing.T, ledger *memory.Ledger, held *atomic.Int64) *Cache {
	t.Helper()
	c := NewCache(small, ledger, held)
	extend(t, c, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	t.Cleanup(func() {
		if err := c.Free(); err != nil || ledger.Total() != 0 || held.Load() != 0 {
			t.Errorf("after Free: %v, %d bytes, %d held", err, ledger.Total(), held.Load())
		}
	})
	return c
}

func requireMissing(t *testing.T, c *Cache, want ...int) {
	t.Helper()
	if got := c.MissingChunks(); !slices.Equal(got, want) {
		t.Fatalf("chunks %v are missing, want %v", got, want)
	}
}

// A chunk that was dropped takes no memory, and with its bytes in place again the cache
// is as before.
func TestDroppedChunksComeBack(t *testing.T) {
	ledger, held := &memory.Ledger{}, &atomic.Int64{}
	c := chunked(t, ledger, held)
	if c.Chunks() != 3 || !c.Sealed(1) || c.Sealed(2) || !slices.Equal(c.ChunkTokens(1), []int32{6, 7, 8, 9, 10}) || !slices.Equal(c.ChunkTokens(2), []int32{11, 12}) {
		t.Errorf("%d chunks, the last of %v", c.Chunks(), c.ChunkTokens(2))
	}
	whole, of, kept := c.HeldWith(12), held.Load(), [][]byte{}
	for i := range c.Chunks() {
		kept = append(kept, slices.Clone(c.Data(i)))
		if len(kept[i]) != small.ChunkBytes(Level8) {
			t.Errorf("chunk %d has %d bytes", i, len(kept[i]))
		}
	}
	for i := range 3 {
		if err := c.Drop(i); err != nil {
			t.Fatal(err)
		}
		if err := c.Drop(i); err != nil { // which is nothing
			t.Fatal(err)
		}
	}
	requireMissing(t, c, 0, 1, 2)
	if c.Bytes() != 0 || ledger.Total() != 0 || held.Load() != 0 || c.Data(1) != nil || c.HeldWith(12) != whole {
		t.Errorf("%d bytes of chunks that are missing, %d held", c.Bytes(), held.Load())
	}
	for _, i := range []int{1, 0, 2} {
		room, err := c.Place(i, Level8)
		if err != nil {
			t.Fatal(err)
		}
		copy(room, kept[i])
	}
	requireMissing(t, c)
	requireTokens(t, c, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	if held.Load() != of || c.HeldWith(12) != whole {
		t.Errorf("%d held, %d before", held.Load(), of)
	}
	extend(t, c, 13, 14, 15, 16)
	requireTokens(t, c, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
}

// Levels are those of sealed chunks alone, and memory is placed once.
func TestPlaceRefuses(t *testing.T) {
	c := chunked(t, &memory.Ledger{}, &atomic.Int64{})
	if _, err := c.Place(0, Level8); err == nil {
		t.Error("a chunk is placed that is in memory")
	}
	if c.SetLevel(0, Level4) == nil {
		t.Error("a chunk in memory has another level")
	}
	for _, i := range []int{0, 2} {
		if err := c.Drop(i); err != nil {
			t.Fatal(err)
		}
	}
	if c.SetLevel(2, Level2) == nil {
		t.Error("an open chunk has 2 bits")
	}
	if c.SetLevel(0, 3) == nil {
		t.Error("a chunk has 3 bits")
	}
	if err := c.SetLevel(0, Level4); err != nil || c.Level(0) != Level4 || c.Level(1) != Level8 {
		t.Errorf("levels %d and %d (%v)", c.Level(0), c.Level(1), err)
	}
	room, err := c.Place(0, Level8)
	if err != nil || len(room) != small.ChunkBytes(Level8) || c.Level(0) != Level8 {
		t.Errorf("%d bytes at %d bits (%v)", len(room), c.Level(0), err)
	}
	defer func() {
		if recover() == nil {
			t.Error("keys and values are returned that are missing")
		}
	}()
	c.Spans(0, 0, 12)
}

// Tokens alone make a cache whose chunks are all missing.
func TestResume(t *testing.T) {
	ledger, held := &memory.Ledger{}, &atomic.Int64{}
	c := NewCache(small, ledger, held)
	if err := c.Reserve(3); err != nil { // memory that nothing needs
		t.Fatal(err)
	}
	if err := c.Resume([]int32{1, 2, 3, 4, 5, 6, 7}); err != nil {
		t.Fatal(err)
	}
	requireMissing(t, c, 0, 1)
	if c.Len() != 7 || ledger.Total() != 0 || c.Level(1) != Level8 {
		t.Errorf("%d tokens, %d bytes", c.Len(), ledger.Total())
	}
	if c.Resume([]int32{1}) == nil {
		t.Error("a cache with tokens takes those of another one")
	}
	if m := c.Missed(1, true); m != (MissingChunk{Chunk: 1, First: 5, Tokens: 2, Bytes: small.ChunkBytes(Level8), Kept: true}) {
		t.Errorf("%+v", m)
	}
	if err := c.Truncate(5); err != nil || c.Chunks() != 1 {
		t.Errorf("%d chunks (%v)", c.Chunks(), err)
	}
	requireMissing(t, c, 0)
	if err := c.Truncate(0); err != nil {
		t.Fatal(err)
	}
	extend(t, c, 1, 2)
	requireTokens(t, c, 1, 2)
	if err := c.Free(); err != nil || held.Load() != 0 {
		t.Errorf("%d held (%v)", held.Load(), err)
	}
}

// A chunk of few bits that Truncate opens again is to be computed again.
func TestTruncateOpensAChunk(t *testing.T) {
	c := chunked(t, &memory.Ledger{}, &atomic.Int64{})
	if err := c.Truncate(7); err != nil {
		t.Fatal(err)
	}
	requireMissing(t, c)
	requireTokens(t, c, 1, 2, 3, 4, 5, 6, 7)
	if err := c.Drop(0); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Place(0, Level4); err != nil {
		t.Fatal(err)
	}
	if err := c.Truncate(5); err != nil { // at its end
		t.Fatal(err)
	}
	requireMissing(t, c)
	if err := c.Truncate(4); err != nil {
		t.Fatal(err)
	}
	requireMissing(t, c, 0)
	if c.Level(0) != Level8 || c.Bytes() != 0 {
		t.Errorf("%d bits, %d bytes", c.Level(0), c.Bytes())
	}
}
