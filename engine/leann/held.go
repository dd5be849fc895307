package leann

// Held calls fn for every chunk id that the stored index names beside its
// vectors: those of codes, of dead chunks too. An id that it leaves out, and
// that no chunk has, may be given to another text. Whatever else comes to name
// chunks, such as the links of a graph, must be told here.
func (x Index) Held(r Reader, fn func(id uint32)) error {
	books, err := readLibrary(r)
	if err != nil {
		return err
	}
	return books.eachBlock(r, func(b codeBlock, book *codebook) error {
		b.each(book.CodeBytes(), func(id uint32, _ []byte) { fn(id) })
		return nil
	})
}
