package leann

import (
	"cmp"
	"context"
	"fmt"

	"dowse/engine/internal/topk"
)

// Hit is a chunk and its cosine with the query.
type Hit struct {
	Chunk uint32
	Score float64
}

// better orders hits: higher score first, then lower chunk id.
func better(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
}

// Dotter computes inner products of a query with stored vectors.
type Dotter interface {
	// DotMany writes the inner product of query (D float32) with each vector
	// of raw (len(scores) times D float32, little endian, any alignment) to
	// scores.
	DotMany(scores []float32, query []float32, raw []byte)
	// Dot is the same inner product of two vectors in memory, bit for bit.
	Dot(a, b []float32) float32
}

// Allowed says which chunks may be returned.
type Allowed interface {
	Has(chunk uint32) bool
}

// Vectors calls f with runs of stored vectors: the first chunk's id, and the
// vectors of it and the chunks that follow, as little-endian float32. raw is
// valid inside f only.
type Vectors func(f func(first uint32, raw []byte) error) error

// Flat is the exact scan over stored vectors of dim numbers.
type Flat struct {
	Dim int
	Dot Dotter
}

// Search returns the k allowed chunks of highest cosine with query, best
// first, equal scores by chunk id, and the number of vectors compared. A nil
// allowed admits every chunk.
func (s Flat) Search(ctx context.Context, query []float32, k int, allowed Allowed, vectors Vectors) (hits []Hit, scanned int, err error) {
	if len(query) != s.Dim {
		return nil, 0, fmt.Errorf("query of %d numbers, vectors have %d", len(query), s.Dim)
	}
	best := topk.New(k, better)
	size := 4 * s.Dim
	var scores []float32
	err = vectors(func(first uint32, raw []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(raw)%size != 0 {
			return fmt.Errorf("vectors of chunk %d: %d bytes are not a whole number of vectors", first, len(raw))
		}
		n := len(raw) / size
		if n > len(scores) {
			scores = make([]float32, max(n, 64))
		}
		s.Dot.DotMany(scores[:n], query, raw)
		for i, score := range scores[:n] {
			chunk := first + uint32(i)
			if allowed != nil && !allowed.Has(chunk) {
				continue
			}
			scanned++
			best.Offer(Hit{Chunk: chunk, Score: float64(score)})
		}
		return nil
	})
	if err != nil {
		return nil, scanned, err
	}
	return best.Sorted(), scanned, nil
}
