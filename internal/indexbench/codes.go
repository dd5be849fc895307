package indexbench

import (
	"context"
	"fmt"

	"dowse/engine/leann"
)

// Quantized holds the product-quantized codes of all vectors.
type Quantized struct {
	book  *leann.Codebook
	bytes []byte       // [n, CodeBytes]
	codes *leann.Codes // the same, as a walk reads them
}

// NewQuantized trains a codebook for codes of a number of bytes, with a rotation
// if rotated, and encodes all vectors.
func NewQuantized(ctx context.Context, v *Vectors, codeBytes int, rotated bool) (*Quantized, error) {
	parts := min(2*codeBytes, v.Dim)
	train := leann.Train
	if rotated {
		train = func(ctx context.Context, vectors []float32, dim, parts int) (*leann.Codebook, error) {
			return leann.TrainRotated(ctx, v.Dotter, vectors, dim, parts)
		}
	}
	book, err := train(ctx, v.Values, v.Dim, parts)
	if err != nil {
		return nil, fmt.Errorf("train a codebook: %w", err)
	}
	q := &Quantized{book: book, codes: leann.NewCodes(book), bytes: make([]byte, v.Len()*book.CodeBytes())}
	for _, node := range v.nodes() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		q.codes.Set(node, v.Vector(node))
		book.Encode(q.code(node), v.Vector(node))
	}
	return q, nil
}

func (q *Quantized) code(node uint32) []byte {
	size := q.book.CodeBytes()
	return q.bytes[int(node)*size : (int(node)+1)*size]
}

// Bytes is what the codes and their codebook take.
func (q *Quantized) Bytes() int { return len(q.bytes) + len(q.book.Append(nil)) }

// Scan returns the n best by estimate, best first.
func (q *Quantized) Scan(query []float32, n int) []leann.Hit {
	table := q.book.Table(query)
	size := q.book.CodeBytes()
	best := nearest{n: n}
	for node, code := uint32(0), q.bytes; len(code) > 0; node, code = node+1, code[size:] {
		best.offer(leann.Hit{Chunk: node, Score: float64(table.Score(code[:size]))})
	}
	return best.sorted()
}
