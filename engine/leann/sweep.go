package leann

import "context"

// sweepShare is the share of dead codes at which a block is written anew.
const sweepShare = 0.2

// Sweep drops the codes of chunks that are gone from the blocks where they
// have become many, and returns how many it dropped.
func (x Index) Sweep(ctx context.Context, w Writer, live Allowed) (dropped int, err error) {
	books, err := readLibrary(w)
	if err != nil {
		return 0, err
	}
	type change struct {
		key   uint32
		value []byte // nil: nothing lives here any more
	}
	var changes []change
	err = books.eachBlock(w, func(b codeBlock, book *Codebook) error {
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
		if dead == 0 || float64(dead) < sweepShare*float64(b.count()) {
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
		if c.value == nil {
			err = w.DeleteBlock(CodeRuns, c.key)
		} else {
			err = w.PutBlock(CodeRuns, c.key, c.value)
		}
		if err != nil {
			return 0, err
		}
	}
	return dropped, nil
}
