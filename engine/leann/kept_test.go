package leann

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"testing"
)

// randomVectors are n of length 1.
func randomVectors(t *testing.T, seed uint64, n, dim int) []float32 {
	rng := seeded(t, seed)
	vectors := make([]float32, n*dim)
	for i := range n {
		v := vectors[i*dim : (i+1)*dim]
		for d := range v {
			v[d] = float32(rng.NormFloat64())
		}
		normalise(v)
	}
	return vectors
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+float64(a[i])*float64(b[i]), aa+float64(a[i])*float64(a[i]), bb+float64(b[i])*float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

// TestRound: a rounded vector is near, of length 1, stays as it is when it is rounded again, and comes
// back from a byte a number to the bit.
func TestRound(t *testing.T) {
	const n, dim = 200, 384
	exact := randomVectors(t, 181, n, dim)
	vectors := slices.Clone(exact)
	Round(vectors, dim)
	again := slices.Clone(vectors)
	Round(again, dim)
	if !slices.Equal(vectors, again) {
		t.Error("rounding twice differs from rounding once")
	}
	for i := range n {
		v, x := vectors[i*dim:(i+1)*dim], exact[i*dim:(i+1)*dim]
		if c := cosine(v, x); c < .9998 {
			t.Errorf("vector %d: a cosine of %g with the exact one", i, c)
		}
		if length := cosine(v, v) * math.Sqrt(dotOf(v)); math.Abs(length-1) > 1e-6 {
			t.Errorf("vector %d has length %g", i, length)
		}
		back := make([]float32, dim)
		if unpack(back, Pack(v)); !slices.Equal(back, v) {
			t.Fatalf("vector %d comes back as another one", i)
		}
		if Pack(x) != nil {
			t.Errorf("vector %d was packed, though it is not rounded", i)
		}
	}
	zero := make([]float32, dim)
	if Round(zero, dim); Pack(zero) != nil || slices.ContainsFunc(zero, func(x float32) bool { return x != 0 }) {
		t.Error("a vector of zeros changed, or was packed")
	}
}

func dotOf(v []float32) (sum float64) {
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return sum
}

// TestKeep compares what is kept with its slow twin: a map of how often each was asked for.
func TestKeep(t *testing.T) {
	const dim, room = 16, 40
	rng := seeded(t, 182)
	vectors := randomVectors(t, 183, 120, dim)
	Round(vectors, dim)
	index, w := Index{Dim: dim}, newMemory(t, dim)
	twin := map[uint32]int{}
	keyOf := func(chunk uint32) MemoKey { return MemoKey{chunk, chunk + 7, 100} }
	for range 300 {
		var list []Kept
		for range 1 + rng.IntN(12) {
			chunk := uint32(rng.IntN(120))
			if slices.ContainsFunc(list, func(k Kept) bool { return k.Key.Chunk == chunk }) {
				continue
			}
			list = append(list, Kept{keyOf(chunk), Pack(vectors[int(chunk)*dim : (int(chunk)+1)*dim]), rng.IntN(3) > 0})
		}
		for _, k := range list {
			_, is := twin[k.Key.Chunk]
			if k.Asked || !is && len(twin) < room {
				if twin[k.Key.Chunk] += 0; k.Asked {
					twin[k.Key.Chunk]++
				}
			}
		}
		if len(twin) > room {
			order := slices.SortedFunc(maps.Keys(twin), func(a, b uint32) int {
				return cmp.Or(cmp.Compare(twin[a], twin[b]), cmp.Compare(a, b))
			})
			for place, chunk := range order {
				if twin[chunk] /= 2; place < len(order)-(room-room/keptDrop) {
					delete(twin, chunk)
				}
			}
		}
		n, err := index.Keep(w, list, room)
		if err != nil {
			t.Fatal(err)
		}
		got := map[uint32]int{}
		if err := EachKept(w, func(chunk uint32, asked int) { got[chunk] = asked }); err != nil || n != len(twin) || n > room {
			t.Fatalf("%d are kept, want %d of %d; %v", n, len(twin), room, err)
		}
		if !maps.Equal(got, twin) {
			t.Fatalf("kept %v, want %v", got, twin)
		}
	}
	dst := make([]float32, dim)
	for chunk := range uint32(120) {
		_, want := twin[chunk]
		ok, err := index.KeptVector(w, keyOf(chunk), dst)
		if err != nil || ok != want || ok && !slices.Equal(dst, vectors[int(chunk)*dim:(int(chunk)+1)*dim]) {
			t.Errorf("chunk %d: %v, %v", chunk, ok, err)
		}
		other := keyOf(chunk)
		other.Hash++
		if ok, err := index.KeptVector(w, other, dst); ok || err != nil {
			t.Errorf("chunk %d has the vector of another text: %v", chunk, err)
		}
	}
	if err := DropKept(w); err != nil || len(w.blocks[KeptVectors]) > 0 {
		t.Errorf("%d are left, %v", len(w.blocks[KeptVectors]), err)
	}
}
