package leann

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// twoBooks returns a quantized index of two codebooks: block 0 has the first, block
// 1 the second.
func twoBooks(t testing.TB, seed uint64) (*cloud, *memory) {
	t.Helper()
	rng := seeded(t, seed)
	c := newCloud(rng, 3*blockSize, 8)
	m := newMemory(t, 8)
	m.add(rng, c, 0, 1500)
	m.quantize(QuantizeOptions{CodeBytes: 2})
	m.add(rng, c, blockSize, blockSize+1600)
	if done := m.quantize(QuantizeOptions{CodeBytes: 3}); done.Books != 1 {
		t.Fatalf("quantized %+v", done)
	}
	return c, m
}

func (m *memory) adopt(moves ...Move) {
	m.t.Helper()
	if err := m.index().Adopt(m.t.Context(), m, moves); err != nil {
		m.t.Fatal(err)
	}
}

func TestAdopt(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	c, m := twoBooks(t, 151)
	rng := seeded(t, 152)
	before, books := m.codes(), m.library()
	next := map[uint32]uint32{0: 1500, 1: blockSize + 1600, 2: 2 * blockSize} // free ids, by block
	var moves []Move
	for range 400 {
		from := uint32(rng.IntN(1500))
		if rng.IntN(2) == 0 {
			from += blockSize
		}
		block := uint32(rng.IntN(3))
		moves = append(moves, Move{from, next[block]})
		next[block] += 1 + uint32(rng.IntN(3))
	}
	sorted := m.clone()
	m.adopt(slices.Clone(moves)...)
	rng.Shuffle(len(moves), func(a, b int) { moves[a], moves[b] = moves[b], moves[a] })
	sorted.adopt(slices.Clone(moves)...)
	if !m.equal(sorted) {
		t.Error("the order of the moves counts")
	}
	after, recoded := m.codes(), 0
	for _, move := range moves {
		from, to := before[move.From], after[move.To]
		want := from.code
		if from.book != to.book { // what the code stands for, encoded anew
			vector := make([]float32, 8)
			books[from.book].decode(vector, from.code)
			want = make([]byte, books[to.book].codeBytes())
			books[to.book].encode(want, vector)
			recoded++
		}
		if !bytes.Equal(to.code, want) {
			t.Fatalf("%+v of books %d and %d: code %x, want %x", move, from.book, to.book, to.code, want)
		}
		copy(c.Vector(move.To), c.Vector(move.From)) // the same text has the same vector
	}
	if recoded < 50 || recoded > 350 || len(after) != len(before)+len(moves) {
		t.Errorf("%d of %d codes were recoded, %d codes in all", recoded, len(moves), len(after))
	}
	for id, own := range before {
		if !bytes.Equal(after[id].code, own.code) || after[id].book != own.book {
			t.Fatalf("chunk %d was changed though nothing moved to it", id)
		}
	}
	for _, move := range moves[:50] {
		q := c.Vector(move.To)
		found := m.find(c, c, Query{Vector: q, Depth: 400, Recompute: 4000, Batch: 500, Allowed: without{move.From: true}})
		if !slices.ContainsFunc(found.Hits, func(h Hit) bool { return h.Chunk == move.To }) {
			t.Fatalf("%+v: not found under its new number", move)
		}
	}
}

func TestAdoptRefuses(t *testing.T) {
	_, m := twoBooks(t, 153)
	for _, from := range []uint32{1500, blockSize + 1600, 2 * blockSize, 1 << 31} {
		err := m.index().Adopt(t.Context(), m.clone(), []Move{{1, 1500}, {from, 1501}})
		if err == nil || !strings.Contains(err.Error(), "has no code to give") {
			t.Errorf("moving chunk %d, which has no code: %v", from, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.index().Adopt(ctx, m, []Move{{1, 1500}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	before := m.clone()
	m.adopt()
	if !m.equal(before) {
		t.Error("no move changed something")
	}
	m.blocks[CodeRuns][1] = m.blocks[CodeRuns][1][:40]
	if err := m.index().Adopt(t.Context(), m, []Move{{1, blockSize}}); !errors.Is(err, errCodes) {
		t.Errorf("a torn block: %v", err)
	}
}

func TestHasCodes(t *testing.T) {
	rng := seeded(t, 154)
	c, m := twoBooks(t, 155)
	m.add(rng, c, 1500, 1600) // fresh
	codes := m.codes()
	var chunks []uint32
	for range 500 {
		chunks = append(chunks, uint32(rng.IntN(3*blockSize)))
	}
	has, err := m.index().HasCodes(m, chunks)
	if err != nil {
		t.Fatal(err)
	}
	for _, chunk := range chunks {
		if _, want := codes[chunk]; has[chunk] != want {
			t.Fatalf("chunk %d: %t, want %t", chunk, has[chunk], want)
		}
	}
	if has, err := newMemory(t, 8).index().HasCodes(newMemory(t, 8), chunks); err != nil || len(has) != 0 {
		t.Errorf("an empty index has codes %v, %v", has, err)
	}
}
