package leann

// Held calls fn for every chunk id that the stored index names beside its
// vectors: those of codes and of nodes of the graph, of dead chunks too, some twice.
// An id that it leaves out, and that no chunk has, may be given to another text.
func (x Index) Held(r Reader, fn func(id uint32)) error {
	books, err := readLibrary(r)
	if err != nil {
		return err
	}
	err = books.eachBlock(r, func(b codeBlock, book *codebook) error {
		b.each(book.CodeBytes(), func(id uint32, _ []byte) { fn(id) })
		return nil
	})
	if err != nil {
		return err
	}
	return x.Nodes(r, fn)
}
