package leann

import "context"

// Lacking is a set of chunks from which those with a vector are taken.
type Lacking interface{ Remove(chunk uint32) }

// Lack removes from a set of chunks all that have a code or a stored vector: the rest is still to be
// embedded.
func (x Index) Lack(ctx context.Context, r Reader, chunks Lacking) error {
	books, err := readLibrary(r)
	if err != nil {
		return err
	}
	err = books.eachBlock(r, func(b codeBlock, book *codebook) error {
		b.each(book.codeBytes(), func(id uint32, _ []byte) { chunks.Remove(id) })
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return r.Vectors(func(first uint32, raw []byte) error {
		for i := range len(raw) / (4 * x.Dim) {
			chunks.Remove(first + uint32(i))
		}
		return ctx.Err()
	})
}
