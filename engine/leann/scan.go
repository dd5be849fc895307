package leann

import (
	"context"
	"slices"
)

// scan estimates the score of every allowed chunk that has a code and returns
// the best n, best first, and how many it scored. At 20 bytes a code a core scans some 20 million a second: a
// hundred thousand chunks cost less than recomputing a single vector.
func scan(ctx context.Context, r Reader, books library, query []float32, n int, allowed Allowed) (near []scored, codes int, err error) {
	best := queue{worst: true}
	tables := make([]Table, len(books))
	for i, book := range books {
		tables[i] = book.Table(query)
	}
	err = books.eachBlock(r, func(b codeBlock, book *Codebook) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		table := tables[b.book]
		b.each(book.CodeBytes(), func(id uint32, code []byte) {
			if allowed != nil && !allowed.Has(id) {
				return
			}
			codes++
			best.offer(scored{id, table.Score(code)}, n)
		})
		return nil
	})
	slices.SortFunc(best.items, compareScored)
	return best.items, codes, err
}
