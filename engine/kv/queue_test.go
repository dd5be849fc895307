package kv

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The reference order: the most bits first, and within a level the chunk that was used
// the longest time ago.
func TestK8_ChunksLeaveByLevelThenByUse(t *testing.T) {
	var q Queue[string]
	for _, c := range []struct {
		name  string
		level Level
	}{{"D", Level2}, {"B", Level4}, {"A", Level8}, {"C", Level8}, {"E", Level4}, {"A", Level8}} {
		q.Use(c.name, c.level, 10)
	}
	if got := q.Evict(1<<60, nil); !slices.Equal(got, []string{"C", "A", "B", "E", "D"}) {
		t.Errorf("the order is %v", got)
	}
	if q.Len() != 0 || q.Bytes() != 0 || q.Evict(1, nil) != nil {
		t.Errorf("%d chunks of %d bytes are left", q.Len(), q.Bytes())
	}
}

// Locked chunks stay, and no more leave than are needed.
func TestK8_LockedChunksStay(t *testing.T) {
	var q Queue[int]
	for i := range 6 {
		q.Use(i, Level8, 100)
	}
	locked := func(chunk int) bool { return chunk == 0 || chunk == 2 }
	if got := q.Evict(150, locked); !slices.Equal(got, []int{1, 3}) || q.Bytes() != 400 {
		t.Errorf("%v leave, %d bytes stay", got, q.Bytes())
	}
	q.Use(2, Level4, 50) // lowered meanwhile
	q.Remove(5)
	q.Remove(17)
	if got := q.Evict(1000, locked); !slices.Equal(got, []int{4}) || q.Len() != 2 || q.Bytes() != 150 {
		t.Errorf("%v leave, %d chunks of %d bytes stay", got, q.Len(), q.Bytes())
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
	type entry struct {
		chunk, used int
		level       Level
	}
	var q Queue[int]
	all := map[int]entry{}
	for step := range 2000 {
		chunk := rng.IntN(60)
		if rng.IntN(5) == 0 {
			q.Remove(chunk)
			delete(all, chunk)
			continue
		}
		e := entry{chunk, step, Levels[rng.IntN(len(Levels))]}
		q.Use(chunk, e.level, 1)
		all[chunk] = e
	}
	var want []int
	for len(all) > 0 {
		next := entry{chunk: -1}
		for _, e := range all {
			if next.chunk < 0 || e.level > next.level || e.level == next.level && e.used < next.used {
				next = e
			}
		}
		want = append(want, next.chunk)
		delete(all, next.chunk)
	}
	if got := q.Evict(1<<60, nil); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
