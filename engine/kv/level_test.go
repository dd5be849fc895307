package kv

import (
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/memory"
)

// filled returns a cache of tokens with keys and values of a seeded generator.
func filled(t *testing.T, s Shape, tokens int, ledger *memory.Ledger) *Cache {
	t.Helper()
	c := NewCache(s, ledger, nil)
	t.Cleanup(func() {
		if err := c.Free(); err != nil {
			t.Error(err)
		}
	})
	if err := c.Reserve(tokens); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	for l := range s.Layers {
		for _, span := range c.Spans(l, 0, tokens) {
			for _, rows := range []kernel.HeadRows{span.K, span.V} {
				for i := range rows.Bytes {
					rows.Bytes[i] = int8(r.IntN(255) - 127)
				}
				for i := range rows.Scale {
					rows.Scale[i] = kernel.BFloat16(0x3c00 + r.IntN(64))
				}
			}
		}
	}
	c.Extend(make([]int32, tokens))
	return c
}

// T-K4: what a chunk takes is what its format says, at every level, and levels go down
// alone.
func TestLoweredChunksTakeWhatTheirFormatSays(t *testing.T) {
	s := Shape{Layers: 3, Heads: 2, HeadDim: 20, ChunkTokens: 16}
	for l, want := range map[Level]int{
		Level8: 3 * 16 * 2 * 2 * (20 + 2),
		// of a head: units, channels of 32 padded columns; of a vector: its scale and
		// minimum, and both packed
		Level4: 3 * 2 * (8 + 32 + 32 + 16*(2+2+16+16)),
		Level2: 3 * 2 * (8 + 32 + 32 + 16*(2+2+8+8)),
	} {
		if got := s.ChunkBytes(l); got != want {
			t.Errorf("%d bits: %d bytes, want %d", l, got, want)
		}
	}
	var ledger memory.Ledger
	c := filled(t, s, 40, &ledger)
	before := ledger.Total()
	for _, refused := range []struct {
		chunk int
		level Level
	}{{0, Level8}, {0, 3}, {2, Level4}} {
		if c.Lower(refused.chunk, refused.level) == nil {
			t.Errorf("chunk %d is brought to %d bits", refused.chunk, refused.level)
		}
	}
	for _, step := range []struct {
		chunk int
		level Level
	}{{0, Level4}, {1, Level2}, {0, Level2}} {
		if err := c.Lower(step.chunk, step.level); err != nil {
			t.Fatal(err)
		}
		if got := len(c.Data(step.chunk)); c.Level(step.chunk) != step.level || got != s.ChunkBytes(step.level) {
			t.Errorf("chunk %d: %d bits, %d bytes", step.chunk, c.Level(step.chunk), got)
		}
		if c.Lower(step.chunk, Level4) == nil {
			t.Errorf("chunk %d of %d bits is brought to 4", step.chunk, step.level)
		}
	}
	if want := int64(2*s.ChunkBytes(Level2) + s.ChunkBytes(Level8)); c.Bytes() != want || ledger.Total() >= before {
		t.Errorf("%d bytes, want %d; the ledger has %d, had %d", c.Bytes(), want, ledger.Total(), before)
	}
	if err := c.Drop(1); err != nil || c.Lower(1, Level2) == nil {
		t.Errorf("a missing chunk is lowered (%v)", err)
	}
}

// The tokens of a lowered chunk are those of the whole of it, from any of them on.
func TestSpansOfALoweredChunkAreItsTokens(t *testing.T) {
	s := Shape{Layers: 2, Heads: 3, HeadDim: 24, ChunkTokens: 16}
	c := filled(t, s, 32, nil)
	bytes := slices.Clone(c.Spans(1, 0, 16)[0].K.Bytes)
	if err := c.Lower(0, Level4); err != nil {
		t.Fatal(err)
	}
	whole := c.Spans(1, 0, 16)[0]
	spans := c.Spans(1, 5, 20)
	if len(spans) != 2 || spans[0].Tokens != 11 || spans[1].Tokens != 4 || spans[1].K.Packed.Bits != 0 {
		t.Fatalf("%d spans: %+v", len(spans), spans)
	}
	const row = 3 * 32 * 4 / 8
	if got := spans[0].K.Packed; !slices.Equal(got.Numbers, whole.K.Packed.Numbers[5*row:]) || !slices.Equal(got.ChannelScale, whole.K.Packed.ChannelScale) {
		t.Error("keys from token 5 on are not those of the chunk")
	}
	if got := spans[0].V.Packed; !slices.Equal(got.Numbers, whole.V.Packed.Numbers[5*row:]) || !slices.Equal(got.Min, whole.V.Packed.Min[15:]) {
		t.Error("values from token 5 on are not those of the chunk")
	}
	if len(bytes) != 16*3*24 {
		t.Fatal("the chunk was of another shape")
	}
	// What was lowered can be copied away and back, as a disk does.
	kept := slices.Clone(c.Data(0))
	if err := c.Drop(0); err != nil {
		t.Fatal(err)
	}
	memory, err := c.Place(0, Level4)
	if err != nil {
		t.Fatal(err)
	}
	copy(memory, kept)
	if got := c.Spans(1, 0, 16)[0]; got.K.Packed.Bits != 4 || !slices.Equal(got.V.Packed.Numbers, memory[len(memory)-len(got.V.Packed.Numbers):]) {
		t.Error("a chunk of 4 bits does not come back")
	}
}
