package kv

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Locked chunks stay, and no more leave than are needed.
func TestK8_LockedChunksStay(t *testing.T) {
	var q Queue[int]
	for i := range 6 {
		q.Use(i, 100)
	}
	locked := func(chunk int) bool { return chunk == 0 || chunk == 2 }
	if got := q.Evict(150, locked); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("%v leave", got)
	}
	q.Use(2, 50) // lowered meanwhile
	q.Remove(5)
	q.Remove(17)
	if got := q.Evict(1000, locked); !slices.Equal(got, []int{4}) || len(q.entries) != 2 || q.order.Len() != 2 {
		t.Errorf("%v leave, %d chunks stay", got, len(q.entries))
	}
	if got := q.Evict(0, nil); got != nil {
		t.Errorf("%v leave though nothing is needed", got)
	}
}

// Over any use a queue has the order that sorting all chunks gives.
func TestK8_AnyUseGivesTheOrderOfSorting(t *testing.T) {
	const seed = 303
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	var q Queue[int]
	used := map[int]int{}
	for step := range 2000 {
		chunk := rng.IntN(60)
		if rng.IntN(5) == 0 {
			q.Remove(chunk)
			delete(used, chunk)
			continue
		}
		q.Use(chunk, 1)
		used[chunk] = step
	}
	var want []int
	for chunk := range used {
		want = append(want, chunk)
	}
	slices.SortFunc(want, func(a, b int) int { return used[a] - used[b] })
	if got := q.Evict(1<<60, nil); !slices.Equal(got, want) || len(q.entries) != 0 || q.order.Len() != 0 {
		t.Errorf("%v, want %v; %d chunks are left", got, want, len(q.entries))
	}
}
