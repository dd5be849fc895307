package leann

import (
	"context"

	"dowse/engine/internal/topk"
)

// scored is a chunk and its similarity to what is looked for.
type scored struct {
	node  uint32
	score float32
}

// before orders chunks best first: higher score, then lower number, so that
// every order is the same on every run.
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

// scan estimates the score of every allowed chunk that has a code and returns
// the best n, best first, and how many it scored. At 20 bytes a code a core scans
// some 20 million a second: a hundred thousand chunks cost less than recomputing a
// single vector.
func scan(ctx context.Context, r Reader, books library, query []float32, n int, allowed Allowed) (near []scored, codes int, err error) {
	best := topk.New(n, compareScored)
	tables := make([]Table, len(books))
	for i, book := range books {
		tables[i] = book.Table(query)
	}
	err = books.eachBlock(r, func(b codeBlock, book *codebook) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		table := tables[b.book]
		b.each(book.CodeBytes(), func(id uint32, code []byte) {
			if allowed != nil && !allowed.Has(id) {
				return
			}
			codes++
			product := table.product(code)
			// Nearly all are worse than the worst kept, and most seen to be early.
			if n == 0 || best.Full() && table.below(product, best.Worst().score) {
				return
			}
			if s := (scored{id, table.scale(code, product)}); !best.Full() || s.before(best.Worst()) {
				best.Offer(s)
			}
		})
		return nil
	})
	return best.Sorted(), codes, err
}
