package leann

import "context"

// VacuumShare is the share of dead codes at which writing a block anew pays by
// the room that it saves.
const VacuumShare = 0.2

// Vacuum drops the codes of chunks that are gone from the blocks of which they
// are at least the given share, 0 for all, and returns how many it dropped.
func (x Index) Vacuum(ctx context.Context, w Writer, live Allowed, share float64) (dropped int, err error) {
	books, err := readLibrary(w)
	if err != nil {
		return 0, err
	}
	type change struct {
		key   uint32
		value []byte // nil: nothing lives here any more
	}
	var changes []change
	err = books.eachBlock(w, func(b codeBlock, book *codebook) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		kept, dead := codeWriter{book: b.book}, 0
		b.each(book.CodeBytes(), func(id uint32, code []byte) {
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
