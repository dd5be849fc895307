package leann

import "context"

// VacuumShare is the share of dead codes from which rewriting a block pays.
const VacuumShare = 0.2

// Vacuum drops dead chunks' codes from blocks with at least the given share of them (0: all
// blocks) and returns how many it dropped.
func (x Index) Vacuum(ctx context.Context, w Writer, live Allowed, share float64) (dropped int, err error) {
	books, err := readLibrary(w)
	if err != nil {
		return 0, err
	}
	type change struct {
		key   uint32
		value []byte // nil: no live code is left
	}
	var changes []change
	err = books.eachBlock(w, func(b codeBlock, book *codebook) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		kept, dead := codeWriter{book: b.book}, 0
		b.each(book.codeBytes(), func(id uint32, code []byte) {
			if live.Has(id) {
				kept.add(id, code)
			} else {
				dead++
			}
		})
		if dead == 0 || float64(dead) < share*float64(b.count()) {
			return nil
		}
		dropped += dead
		c := change{key: b.first >> blockBits}
		if kept.words > 0 {
			c.value = kept.bytes()
		}
		changes = append(changes, c)
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, c := range changes {
		if err := putCodes(w, c.key, c.value); err != nil {
			return 0, err
		}
	}
	return dropped, nil
}

// Held calls fn for every id that codes or nodes of the graph name, those of dead chunks too,
// some twice. Any other id that no chunk has may be given to another text.
func (x Index) Held(r Reader, fn func(id uint32)) error {
	books, err := readLibrary(r)
	if err != nil {
		return err
	}
	err = books.eachBlock(r, func(b codeBlock, book *codebook) error {
		b.each(book.codeBytes(), func(id uint32, _ []byte) { fn(id) })
		return nil
	})
	if err != nil {
		return err
	}
	return r.EachBlock(Links, func(key uint32, value []byte) error {
		return eachLinkNode(blockPlace{Links, key}, value, fn)
	})
}
