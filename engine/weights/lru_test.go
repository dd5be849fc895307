package weights

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// order lists the ids of an lru, newest first.
func (l *lru) order() []int32 {
	var ids []int32
	for slot := l.older[0]; slot != 0; slot = l.older[slot] {
		ids = append(ids, l.idOf[slot])
	}
	return ids
}

func TestG4_LRUOrderOnAScriptedTrace(t *testing.T) {
	l := newLRU(10, 3, make([]int32, lruInts(10, 3)))
	for _, step := range []struct {
		id   int32
		want []int32
	}{
		{4, []int32{4}}, {0, []int32{0, 4}}, {9, []int32{9, 0, 4}}, {4, []int32{4, 9, 0}},
		{7, []int32{7, 4, 9}}, {7, []int32{7, 4, 9}}, {4, []int32{4, 7, 9}}, {0, []int32{0, 4, 7}},
	} {
		if slot := l.slot(step.id); slot != 0 {
			l.touch(slot)
		} else {
			l.insert(step.id)
		}
		if got := l.order(); !slices.Equal(got, step.want) {
			t.Fatalf("after %d: %v, want %v", step.id, got, step.want)
		}
	}
}

// The obvious twin is a list that is searched and rebuilt.
func TestG4_LRUAgainstAList(t *testing.T) {
	const seed, ids = 5, 40
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, capacity := range []int{1, 2, 9, ids} {
		l := newLRU(ids, capacity, make([]int32, lruInts(ids, capacity)))
		var list []int32
		for range 2000 {
			id := int32(rng.IntN(ids))
			at := slices.Index(list, id)
			if slot := l.slot(id); (slot != 0) != (at >= 0) {
				t.Fatalf("slot %d of %d, which is at %d of the list", slot, id, at)
			} else if slot != 0 {
				l.touch(slot)
				list = slices.Delete(list, at, at+1)
			} else {
				l.insert(id)
				list = list[:min(len(list), capacity-1)]
			}
			list = slices.Insert(list, 0, id)
			if got := l.order(); !slices.Equal(got, list) {
				t.Fatalf("%v, want %v", got, list)
			}
		}
	}
}
