package leann

import (
	"context"
	"sort"
)

// Codes are the codes of a graph's nodes in memory. Nodes added at different
// times may have been encoded by different codebooks: texts change in kind as
// an index grows.
type Codes struct {
	books []span
	width int    // bytes of a code
	bytes []byte // [size, width]; zeros where no node is
}

// span is a codebook and the first node that it encodes.
type span struct {
	first uint32
	book  *codebook
}

// TrainCodes learns a codebook from vectors, [n, Dim], as an index of so many trains one, and
// gives all of them codes.
func (x Index) TrainCodes(ctx context.Context, vectors []float32, codeBytes int) (*Codes, error) {
	n := len(vectors) / x.Dim
	book, err := x.train(ctx, samples(vectors, x.Dim, trainSample), codeBytes, n)
	if err != nil {
		return nil, err
	}
	c := &Codes{}
	c.add(0, book)
	c.bytes = make([]byte, n*c.width)
	inParallel(n, func(i int) { book.Encode(c.at(uint32(i)), vectors[i*x.Dim:(i+1)*x.Dim]) })
	return c, ctx.Err()
}

// Bytes returns what the codes and their codebooks take.
func (c *Codes) Bytes() int {
	n := len(c.bytes)
	for _, s := range c.books {
		n += len(s.book.Append(nil))
	}
	return n
}

// add makes book the one that encodes nodes from first on.
func (c *Codes) add(first uint32, book *codebook) {
	c.books = append(c.books, span{first, book})
	c.width = book.CodeBytes()
}

// book returns the place of the codebook that encodes a node.
func (c *Codes) book(node uint32) int {
	if len(c.books) == 1 {
		return 0
	}
	return sort.Search(len(c.books), func(i int) bool { return c.books[i].first > node }) - 1
}

// Set encodes a node's vector.
func (c *Codes) Set(node uint32, vector []float32) {
	if end := (int(node) + 1) * c.width; end > len(c.bytes) {
		c.bytes = append(c.bytes, make([]byte, end-len(c.bytes))...)
	}
	c.books[c.book(node)].book.Encode(c.at(node), vector)
}

func (c *Codes) at(node uint32) []byte {
	return c.bytes[int(node)*c.width : (int(node)+1)*c.width]
}
