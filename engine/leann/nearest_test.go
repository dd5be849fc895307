package leann

import (
	"math"
	"slices"
	"testing"
)

// TestNearestEqualsAll: of stored vectors, of codes, and of both, it gives what looking
// at every chunk gives.
func TestNearestEqualsAll(t *testing.T) {
	const dim, n = 16, MinChunks + 300
	c, kept, coded := quantizedCloud(t, 81, n, dim)
	mixed := coded.clone()
	more := newCloud(seeded(t, 82), n+60, dim)
	copy(more.of, c.of)
	mixed.add(seeded(t, 84), more, n, n+60)
	vectors := [][]float32{more.Vector(3), more.Vector(n + 5)}
	for name, m := range map[string]*memory{"stored": kept, "codes": coded, "both": mixed} {
		for _, allowed := range []Allowed{nil, evens{}} {
			got, err := m.index().Nearest(t.Context(), m, vectors, 40, allowed)
			if err != nil {
				t.Fatal(err)
			}
			size := n
			if name == "both" {
				size += 60
			}
			want := m.allNear(more, size, vectors, allowed)
			if !slices.Equal(got, want[:40]) {
				t.Errorf("%s, %v:\n got %v\nwant %v", name, allowed, got[:3], want[:3])
			}
		}
	}
}

// allNear is the slow twin of Nearest.
func (m *memory) allNear(c *cloud, size int, vectors [][]float32, allowed Allowed) []Near {
	codes, books := m.codes(), m.library()
	var all []Near
	for chunk := range uint32(size) {
		own, coded := codes[chunk]
		near := Near{Chunk: chunk, Score: -2, Exact: !coded}
		for _, vector := range vectors {
			score := c.score(vector, chunk)
			if coded {
				score = books[own.book].table(vector).score(own.code)
			}
			near.Score = max(near.Score, float64(score))
		}
		if allowed == nil || allowed.Has(chunk) {
			all = append(all, near)
		}
	}
	slices.SortFunc(all, compareNear)
	return all
}

// TestDecodeStandsForTheVector: what codes stand for is nearer to its own vector than to
// most others, and of length 1.
func TestDecodeStandsForTheVector(t *testing.T) {
	const n = MinChunks
	c, _, m := quantizedCloud(t, 83, n, 16)
	decoded, err := m.index().Decode(m, []uint32{5, 5, 900, 1 << 20})
	if err != nil || len(decoded) != 2 {
		t.Fatalf("%d vectors, %v", len(decoded), err)
	}
	for chunk, vector := range decoded {
		length := 0.0
		for _, v := range vector {
			length += float64(v) * float64(v)
		}
		nearer := 0
		for other := range uint32(n) {
			if c.score(vector, other) > c.score(vector, chunk) {
				nearer++
			}
		}
		if math.Abs(length-1) > 1e-5 || nearer > n/10 {
			t.Errorf("chunk %d: length %v, %d of %d chunks are nearer", chunk, length, nearer, n)
		}
	}
}
