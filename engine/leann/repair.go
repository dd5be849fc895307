package leann

import "context"

// Repair drops blocks of codes that cannot be read and calls lost for every live
// chunk that has neither a code nor a stored vector then. end is above all ids.
func (x Index) Repair(ctx context.Context, w Writer, live Allowed, end uint32, lost func(id uint32)) error {
	books, err := readLibrary(w)
	if err != nil {
		return err
	}
	has, bad := make([]bool, end), []uint32(nil)
	err = w.EachBlock(CodeRuns, func(key uint32, value []byte) error {
		b, err := parseCodeBlock(key, value, books.width)
		if err != nil {
			bad = append(bad, key)
			return ctx.Err()
		}
		b.each(books[b.book].CodeBytes(), func(id uint32, _ []byte) {
			if id < end {
				has[id] = true
			}
		})
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, key := range bad {
		if err := w.DeleteBlock(CodeRuns, key); err != nil {
			return err
		}
	}
	err = w.Vectors(func(first uint32, raw []byte) error {
		for i := range len(raw) / (4 * x.Dim) {
			has[first+uint32(i)] = true
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for id, covered := range has {
		if !covered && live.Has(uint32(id)) {
			lost(uint32(id))
		}
	}
	return nil
}
