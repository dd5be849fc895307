package lexical_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/lexical"
)

// TestSet holds a Set against a map.
func TestSet(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 9))
		draw := func() (*lexical.Set, map[uint32]bool) {
			set, model := lexical.NewSet(random.Uint32N(300)), map[uint32]bool{}
			for range random.IntN(6) {
				first, n := random.Uint32N(500), random.Uint32N(200)
				set.AddRange(first, n)
				for id := first; id < first+n; id++ {
					model[id] = true
				}
			}
			return set, model
		}
		compare := func(what string, got *lexical.Set, want func(id uint32) bool) {
			var ids, model []uint32
			got.Each(func(id uint32) bool { ids = append(ids, id); return true })
			for id := range uint32(800) {
				if want(id) {
					model = append(model, id)
				}
				if got.Has(id) != want(id) {
					t.Fatalf("seed %d, %s: id %d", seed, what, id)
				}
			}
			if !slices.Equal(ids, model) || got.Len() != len(model) {
				t.Fatalf("seed %d, %s: %v, want %v", seed, what, ids, model)
			}
		}
		a, inA := draw()
		b, inB := draw()
		compare("a", a, func(id uint32) bool { return inA[id] })
		and, not, or := a.Clone(), a.Clone(), a.Clone()
		and.And(b)
		not.AndNot(b)
		or.Or(b)
		compare("and", and, func(id uint32) bool { return inA[id] && inB[id] })
		compare("and not", not, func(id uint32) bool { return inA[id] && !inB[id] })
		compare("or", or, func(id uint32) bool { return inA[id] || inB[id] })
		and.And(nil)
		compare("and nil", and, func(id uint32) bool { return inA[id] && inB[id] })
	}
	var all *lexical.Set
	if !all.Has(7) {
		t.Error("a nil set does not hold every id")
	}
}
