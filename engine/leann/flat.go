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

// Better orders hits: higher score first, then lower chunk id.
func Better(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
}

// Dotter computes inner products of a query and stored vectors.
type Dotter interface {
	// DotMany writes the inner products of query, D floats, with each vector of raw
	// (len(scores)*D little-endian float32, any alignment) to scores.
	DotMany(scores []float32, query []float32, raw []byte)
	// Dot is the same inner product of two vectors in memory, bit for bit.
	Dot(a, b []float32) float32
}

// Allowed says which chunks may be returned.
type Allowed interface {
	Has(chunk uint32) bool
}

// Vectors calls f with runs of stored vectors of consecutive chunks, as little-endian
// float32 that are valid inside f only.
type Vectors func(f func(first uint32, raw []byte) error) error

// Flat is the exact scan over stored vectors of Dim numbers.
type Flat struct {
	Dim int
	Dot Dotter
}

// Search returns the k allowed chunks of highest cosine with query, best first, equal
// scores by chunk id, and the number of vectors compared. A nil allowed admits all.
func (s Flat) Search(ctx context.Context, query []float32, k int, allowed Allowed, vectors Vectors) (hits []Hit, scanned int, err error) {
	if len(query) != s.Dim {
		return nil, 0, fmt.Errorf("query of %d numbers, vectors have %d", len(query), s.Dim)
	}
	best := topk.New(k, Better)
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

// scored is a chunk and its similarity to the query.
type scored struct {
	node  uint32
	score float32
}

// before orders chunks best first and equal scores by number, so that orders are reproducible.
func (a scored) before(b scored) bool {
	return a.score > b.score || a.score == b.score && a.node < b.node
}

func compareScored(a, b scored) int {
	if a.before(b) {
		return -1
	}
	if b.before(a) {
		return 1
	}
	return 0
}

// scan estimates the score of every allowed chunk with a code, and returns the best n,
// best first, and how many it scored.
func scan(ctx context.Context, r Reader, books library, query []float32, n int, allowed Allowed) (near []scored, codes int, err error) {
	best := queue{worst: true}
	tables := make([]scoreTable, len(books))
	for i, book := range books {
		tables[i] = book.table(query)
	}
	err = books.eachBlock(r, func(b codeBlock, book *codebook) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		table := &tables[b.book]
		b.each(book.codeBytes(), func(id uint32, code []byte) {
			if allowed != nil && !allowed.Has(id) {
				return
			}
			codes++
			product := table.product(code)
			// Nearly all are worse than the worst kept, and below tells that early for most.
			if n == 0 || best.len() == n && table.below(product, best.root().score) {
				return
			}
			best.offer(scored{id, table.scale(code, product)}, n)
		})
		return nil
	})
	return best.sorted(), codes, err
}
