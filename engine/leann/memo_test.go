package leann

import (
	"slices"
	"sync"
	"testing"
)

// TestMemo compares a memo with its slow twin: a list of what was used, last
// first, cut to its room.
func TestMemo(t *testing.T) {
	rng := seeded(t, 171)
	const dim = 3
	for _, room := range []int{0, 1, 2, 7, 40} {
		grown := int64(0)
		limit := int64(room*(4*dim+memoOverhead) + 100)
		m := NewMemo(limit, dim, func(n int64) { grown += n })
		vectors, used := map[uint32][]float32{}, []uint32{}
		for range 5000 {
			node, got := uint32(rng.IntN(60)), make([]float32, dim)
			at := slices.Index(used, node)
			if rng.IntN(2) == 0 {
				if found := m.Get(MemoKey{Chunk: node / 2, Hash: node % 2}, got); found != (at >= 0) || found && !slices.Equal(got, vectors[node]) {
					t.Fatalf("room for %d: node %d is %v, %t; want %v at %d", room, node, got, found, vectors[node], at)
				}
				if at >= 0 {
					used = slices.Insert(slices.Delete(used, at, at+1), 0, node)
				}
				continue
			}
			v := []float32{rng.Float32(), rng.Float32(), rng.Float32()}
			if m.Put(MemoKey{Chunk: node / 2, Hash: node % 2}, v); at < 0 && room > 0 {
				vectors[node] = slices.Clone(v)
				used = slices.Insert(used, 0, node)
				used = used[:min(room, len(used))]
			}
			clear(v) // the memo has its own copy
			if m.Len() != len(used) || grown != int64(len(used)*(4*dim+memoOverhead)) || grown > limit {
				t.Fatalf("room for %d: %d vectors, told of %d bytes; want %d", room, m.Len(), grown, len(used))
			}
		}
	}
}

// TestMemoConcurrently: what is read is a vector that was put, whole.
func TestMemoConcurrently(t *testing.T) {
	m := NewMemo(20*(16+memoOverhead), 4, nil)
	var group sync.WaitGroup
	for g := range 4 {
		rng := seeded(t, 172+uint64(g))
		group.Go(func() {
			got := make([]float32, 4)
			for range 2000 {
				node := uint32(rng.IntN(40))
				x := float32(node)
				m.Put(MemoKey{Chunk: node}, []float32{x, x, x, x})
				if m.Get(MemoKey{Chunk: node}, got) && !slices.Equal(got, []float32{x, x, x, x}) {
					t.Errorf("node %d has vector %v", node, got)
				}
			}
		})
	}
	group.Wait()
	if m.Len() != 20 {
		t.Errorf("%d vectors where 20 have room", m.Len())
	}
}
