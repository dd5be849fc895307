package leann

import (
	"cmp"
	"container/heap"
	"slices"
)

// top keeps the k best hits offered: a heap whose root is the worst kept.
type top struct {
	k    int
	hits []Hit
}

func newTop(k int) *top { return &top{k: max(k, 0)} }

// better orders hits: higher score first, then lower chunk id.
func better(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
}

// offer keeps the hit if it is among the k best so far.
func (t *top) offer(h Hit) {
	switch {
	case len(t.hits) < t.k:
		heap.Push(t, h)
	case t.k > 0 && better(h, t.hits[0]) < 0:
		t.hits[0] = h
		heap.Fix(t, 0)
	}
}

// sorted returns the kept hits, best first.
func (t *top) sorted() []Hit {
	slices.SortFunc(t.hits, better)
	return t.hits
}

// Len, Less, Swap, Push and Pop are container/heap's.
func (t *top) Len() int           { return len(t.hits) }
func (t *top) Less(i, j int) bool { return better(t.hits[i], t.hits[j]) > 0 }
func (t *top) Swap(i, j int)      { t.hits[i], t.hits[j] = t.hits[j], t.hits[i] }
func (t *top) Push(x any)         { t.hits = append(t.hits, x.(Hit)) }

// Pop removes the last element, as heap.Interface asks.
func (t *top) Pop() any {
	last := t.hits[len(t.hits)-1]
	t.hits = t.hits[:len(t.hits)-1]
	return last
}
