package leann

import (
	"context"
	"math"

	"dowse/engine/internal/topk"
)

// Near is a chunk near one of several vectors.
type Near struct {
	Chunk uint32
	Score float64 // cosine with the nearest of them
	Exact bool    // Score is no estimate
}

// Nearest returns the n allowed chunks nearest to any of the vectors, best first: fresh
// chunks by their vectors, others by estimate. It recomputes nothing.
func (x Index) Nearest(ctx context.Context, r Reader, vectors [][]float32, n int, allowed Allowed) ([]Near, error) {
	books, err := readLibrary(r)
	if err != nil {
		return nil, err
	}
	best := map[uint32]Near{}
	offer := func(found Near) {
		if old, known := best[found.Chunk]; !known || found.Score > old.Score {
			best[found.Chunk] = found
		}
	}
	for _, vector := range vectors {
		fresh, _, err := x.Flat().Search(ctx, vector, n, allowed, r.Vectors)
		if err != nil {
			return nil, err
		}
		for _, h := range fresh {
			offer(Near{h.Chunk, h.Score, true})
		}
		coded, _, err := scan(ctx, r, books, vector, n, allowed)
		if err != nil {
			return nil, err
		}
		for _, s := range coded {
			offer(Near{s.node, float64(s.score), false})
		}
	}
	top := topk.New(n, compareNear)
	for _, found := range best {
		top.Offer(found)
	}
	return top.Sorted(), nil
}

// compareNear orders best first, equal scores by chunk id.
func compareNear(a, b Near) int { return Better(Hit{a.Chunk, a.Score}, Hit{b.Chunk, b.Score}) }

// Decode returns the unit vectors that codes of chunks stand for, without chunks that have
// no code.
func (x Index) Decode(r Reader, chunks []uint32) (map[uint32][]float32, error) {
	books, err := readLibrary(r)
	if err != nil {
		return nil, err
	}
	codes, err := books.codesOf(r, chunks)
	if err != nil {
		return nil, err
	}
	vectors := make(map[uint32][]float32, len(codes))
	for chunk, own := range codes {
		vector := make([]float32, x.Dim)
		books[own.book].decode(vector, own.code)
		normalise(vector)
		vectors[chunk] = vector
	}
	return vectors, nil
}

// normalise scales a vector to unit length, unless it is zero.
func normalise(vector []float32) {
	sum := 0.0
	for _, v := range vector {
		sum += float64(v) * float64(v)
	}
	if sum == 0 {
		return
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range vector {
		vector[i] *= scale
	}
}
