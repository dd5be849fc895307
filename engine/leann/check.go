package leann

import (
	"context"
	"fmt"
)

// Check verifies that every block can be read and that every live chunk has
// either a code or a stored vector. It calls report for each problem and
// returns the number of blocks.
func (x Index) Check(ctx context.Context, r Reader, live Allowed, end uint32, report func(what string)) (blocks int, err error) {
	const nothing, code, vector = 0, 1, 2
	state := make([]byte, end)
	note := func(id uint32, has byte) {
		switch {
		case id >= end:
			report(fmt.Sprintf("chunk %d is beyond all ids", id))
		case live.Has(id) && state[id] != nothing:
			report(fmt.Sprintf("chunk %d has a code and a vector, or two of one", id))
		default:
			state[id] = has
		}
	}
	books, err := readLibrary(r)
	if err != nil {
		report(err.Error())
		return 0, nil
	}
	blocks = len(books)
	err = r.EachBlock(CodeRuns, func(key uint32, value []byte) error {
		blocks++
		b, err := parseCodeBlock(key, value, books.width)
		if err != nil {
			report(err.Error())
			return ctx.Err()
		}
		b.each(books[b.book].CodeBytes(), func(id uint32, _ []byte) { note(id, code) })
		return ctx.Err()
	})
	if err != nil {
		return blocks, err
	}
	err = r.Vectors(func(first uint32, raw []byte) error {
		if len(raw)%(4*x.Dim) != 0 {
			report(fmt.Sprintf("vectors of chunk %d: %d bytes are not vectors of %d numbers", first, len(raw), x.Dim))
		}
		for i := range len(raw) / (4 * x.Dim) {
			note(first+uint32(i), vector)
		}
		return ctx.Err()
	})
	if err != nil {
		return blocks, err
	}
	for id, has := range state {
		if has == nothing && live.Has(uint32(id)) {
			report(fmt.Sprintf("chunk %d has neither a code nor a vector", id))
		}
	}
	return blocks, nil
}
