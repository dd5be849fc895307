package indexbench

import (
	"cmp"
	"slices"

	"dowse/engine/leann"
)

// nearest keeps the n best hits offered: a heap whose root is the worst kept.
type nearest struct {
	n    int
	hits []leann.Hit
}

// better orders hits: higher score first, then lower number.
func better(a, b leann.Hit) bool {
	return a.Score > b.Score || a.Score == b.Score && a.Chunk < b.Chunk
}

func (q *nearest) offer(h leann.Hit) {
	if len(q.hits) < q.n {
		q.hits = append(q.hits, h)
		for at := len(q.hits) - 1; at > 0 && better(q.hits[(at-1)/2], q.hits[at]); at = (at - 1) / 2 {
			q.hits[at], q.hits[(at-1)/2] = q.hits[(at-1)/2], q.hits[at]
		}
		return
	}
	if q.n == 0 || !better(h, q.hits[0]) {
		return
	}
	q.hits[0] = h
	for at := 0; ; {
		child := 2*at + 1
		if child+1 < len(q.hits) && better(q.hits[child], q.hits[child+1]) {
			child++
		}
		if child >= len(q.hits) || !better(q.hits[at], q.hits[child]) {
			return
		}
		q.hits[at], q.hits[child] = q.hits[child], q.hits[at]
		at = child
	}
}

// sorted returns the kept hits, best first.
func (q *nearest) sorted() []leann.Hit {
	slices.SortFunc(q.hits, func(a, b leann.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
	})
	return q.hits
}

// numbers are the chunks of hits.
func numbers(hits []leann.Hit) []uint32 {
	out := make([]uint32, len(hits))
	for i, h := range hits {
		out[i] = h.Chunk
	}
	return out
}
