package leann

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// plainDot is the inner product in the obvious order.
type plainDot struct{}

func (plainDot) DotMany(scores, query []float32, raw []byte) {
	for i := range scores {
		sum := float32(0)
		for j, q := range query {
			at := 4 * (i*len(query) + j)
			sum += q * math.Float32frombits(binary.LittleEndian.Uint32(raw[at:]))
		}
		scores[i] = sum
	}
}

// Dot adds in the same order.
func (plainDot) Dot(a, b []float32) float32 {
	sum := float32(0)
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// evens allows even chunk ids.
type evens struct{}

func (evens) Has(chunk uint32) bool { return chunk%2 == 0 }

// run is a stored run of vectors.
type run struct {
	first uint32
	raw   []byte
}

// random makes runs of vectors with gaps between their chunk ids, some of
// them equal so that ties occur.
func random(rng *rand.Rand, runs, dim int) (stored []run, all []Hit, query []float32) {
	query = make([]float32, dim)
	for i := range query {
		query[i] = float32(rng.NormFloat64())
	}
	first := uint32(3)
	for range runs {
		n := 1 + rng.IntN(9)
		var raw []byte
		for i := range n {
			for range dim {
				raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(rng.IntN(3))))
			}
			score := make([]float32, 1)
			plainDot{}.DotMany(score, query, raw[4*dim*i:])
			all = append(all, Hit{first + uint32(i), float64(score[0])})
		}
		stored = append(stored, run{first, raw})
		first += uint32(n + rng.IntN(3))
	}
	return stored, all, query
}

func source(stored []run) Vectors {
	return func(f func(uint32, []byte) error) error {
		for _, r := range stored {
			if err := f(r.first, r.raw); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestFlatAgainstSorting(t *testing.T) {
	const seed = 7
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 50 {
		dim := 1 + rng.IntN(4)
		stored, all, query := random(rng, rng.IntN(30), dim)
		slices.SortFunc(all, Better)
		for _, k := range []int{0, 1, 10, 1000} {
			got, scanned, err := Flat{dim, plainDot{}}.Search(t.Context(), query, k, nil, source(stored))
			if err != nil {
				t.Fatal(err)
			}
			if want := all[:min(k, len(all))]; scanned != len(all) || !slices.Equal(got, want) {
				t.Fatalf("k=%d: got %v of %d, want %v of %d", k, got, scanned, want, len(all))
			}
		}
		allowed := slices.DeleteFunc(slices.Clone(all), func(h Hit) bool { return h.Chunk%2 == 1 })
		got, scanned, err := Flat{dim, plainDot{}}.Search(t.Context(), query, 5, evens{}, source(stored))
		if want := allowed[:min(5, len(allowed))]; err != nil || scanned != len(allowed) || !slices.Equal(got, want) {
			t.Fatalf("filtered: got %v, want %v, %v", got, want, err)
		}
	}
}

func TestFlatRefuses(t *testing.T) {
	s := Flat{2, plainDot{}}
	if _, _, err := s.Search(t.Context(), []float32{1}, 1, nil, source(nil)); err == nil {
		t.Error("a query of the wrong dimension was taken")
	}
	if _, _, err := s.Search(t.Context(), []float32{1, 0}, 1, nil, source([]run{{0, make([]byte, 9)}})); err == nil {
		t.Error("a torn vector was taken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Search(ctx, []float32{1, 0}, 1, nil, source([]run{{0, make([]byte, 8)}})); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled search: %v", err)
	}
}
