package leann

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
)

// TestVacuum kills chunks at random, and more of some blocks than of others:
// those where a fifth is dead lose exactly the dead.
func TestVacuum(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	rng := seeded(t, 161)
	c := newCloud(rng, 6*blockSize, 6)
	m := newMemory(t, 6)
	m.add(rng, c, 0, 6*blockSize-700)
	m.quantize(QuantizeOptions{CodeBytes: 2})
	before, dead, perBlock := m.codes(), without{}, [6]int{}
	chances := [6]float64{0, 0.05, 0.17, 0.23, 0.6, 1}
	for _, id := range slices.Sorted(maps.Keys(before)) { // in one order, so that chance is the same each time
		if block := id >> blockBits; rng.Float64() < chances[block] {
			dead[id] = true
			perBlock[block]++
		}
	}
	dropped, err := m.index().Vacuum(t.Context(), m, dead, VacuumShare)
	if want := perBlock[3] + perBlock[4] + perBlock[5]; err != nil || dropped != want {
		t.Errorf("%d codes were dropped of %v dead, %v; want %d", dropped, perBlock, err, want)
	}
	after := m.codes()
	for id, own := range before {
		got, ok := after[id]
		if want := !dead[id] || id>>blockBits < 3; ok != want || ok && (got.book != own.book || !bytes.Equal(got.code, own.code)) {
			t.Fatalf("chunk %d, dead %t: code %x, was %x", id, dead[id], got.code, own.code)
		}
	}
	if m.blocks[CodeRuns][5] != nil || len(m.blocks[CodeRuns]) != 5 {
		t.Error("the block where nothing lives is still there")
	}
	m.sound(dead, 6*blockSize-700)
	quantized := m.clone()
	if dropped, err := m.index().Vacuum(t.Context(), m, dead, VacuumShare); err != nil || dropped != 0 || !m.equal(quantized) {
		t.Errorf("vacuuming again dropped %d, %v", dropped, err)
	}
}

// TestVacuumShare looks at the edge: one less than a fifth is left, a fifth is
// swept.
func TestVacuumShare(t *testing.T) {
	book := &codebook{dim: 6, parts: 4, values: make([]float32, 6*centroids), steps: []float32{1, 1, 1, 1}}
	for n := 5; n <= 1000; n += 5 {
		w := codeWriter{}
		for id := range n {
			w.add(uint32(id), []byte{byte(id), 7})
		}
		m := newMemory(t, 6)
		m.blocks[Books][0], m.blocks[CodeRuns][0] = book.append(nil), w.bytes()
		if dropped, err := m.index().Vacuum(t.Context(), m, from(n/5-1), VacuumShare); err != nil || dropped != 0 {
			t.Fatalf("%d of %d dead: %d dropped, %v", n/5-1, n, dropped, err)
		}
		if dropped, err := m.index().Vacuum(t.Context(), m, from(n/5), VacuumShare); err != nil || dropped != n/5 {
			t.Fatalf("%d of %d dead: %d dropped, %v", n/5, n, dropped, err)
		}
	}
}

// from allows the nodes from a number on.
type from uint32

func (d from) Has(node uint32) bool { return node >= uint32(d) }

func TestVacuumEnds(t *testing.T) {
	_, m := twoBooks(t, 163)
	before := m.clone()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.index().Vacuum(ctx, m, below(0), VacuumShare); !errors.Is(err, context.Canceled) || !m.equal(before) {
		t.Errorf("cancelled: %v", err)
	}
	m.blocks[CodeRuns][1][0]++
	if _, err := m.index().Vacuum(t.Context(), m, below(0), VacuumShare); !errors.Is(err, errCodes) {
		t.Errorf("a block of another version: %v", err)
	}
}
