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

// LackingOf returns those of some chunks, in their order, that have neither a code nor a stored vector. It reads a run of
// stored vectors once where its chunks follow one another.
func (x Index) LackingOf(r Reader, chunks []uint32) (lacking []uint32, err error) {
	has, err := x.HasCodes(r, chunks)
	if err != nil {
		return nil, err
	}
	var first, end uint32 // of the run that was read last
	for _, chunk := range chunks {
		if has[chunk] || first <= chunk && chunk < end {
			continue
		}
		from, raw, err := r.Run(chunk)
		if err != nil {
			return nil, err
		}
		if raw == nil {
			lacking = append(lacking, chunk)
			continue
		}
		first, end = from, from+uint32(len(raw)/(4*x.Dim))
	}
	return lacking, nil
}
