package leann

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
)

// chunkSet is a set of chunks.
type chunkSet map[uint32]bool

func (s chunkSet) Remove(chunk uint32) { delete(s, chunk) }

// TestLackingOfIsLack: some chunks are asked for one by one, or all at once; those with codes of either codebook and with
// stored vectors are taken out.
func TestLackingOfIsLack(t *testing.T) {
	rng := seeded(t, 156)
	c, m := twoBooks(t, 155)
	m.add(rng, c, 1500, 1600) // fresh
	var chunks []uint32
	set := chunkSet{}
	for chunk := range uint32(3 * blockSize) {
		if rng.IntN(3) > 0 {
			chunks, set[chunk] = append(chunks, chunk), true
		}
	}
	all := len(set)
	if err := m.index().Lack(t.Context(), m, set); err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(maps.Keys(set))
	if len(want) == 0 || len(want) == all {
		t.Fatalf("%d of %d chunks lack a vector", len(want), all)
	}
	if got, err := m.index().LackingOf(m, chunks); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: %d chunks lack a vector, want %d", err, len(got), len(want))
	}
	slices.Reverse(chunks)
	slices.Reverse(want)
	if got, err := m.index().LackingOf(m, chunks); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: in turn %d chunks lack a vector, want %d", err, len(got), len(want))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.index().Lack(ctx, m, set); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
