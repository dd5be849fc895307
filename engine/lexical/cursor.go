package lexical

import "fmt"

// cursor reads the terms of one segment in order.
type cursor struct {
	r       Reader
	segment uint32
	chunks  int    // of the segment
	first   string // key of the block being read
	block   blockReader
	ended   bool

	name []byte    // current term
	list []posting // its postings, if have is set
	have bool
	data []byte // of a list that spans blocks
}

func newCursor(r Reader, segment uint32, chunks int) *cursor {
	return &cursor{r: r, segment: segment, chunks: chunks}
}

// find moves to a term and reports whether the segment has it.
func (c *cursor) find(term string) (found bool, err error) {
	first, block, err := c.r.Seek(c.segment, term)
	if err != nil || block == nil {
		return false, err
	}
	c.first = first
	c.block.open(first, block, c.chunks)
	for c.block.next() {
		if string(c.block.term) >= term {
			c.stand()
			return string(c.name) == term, nil
		}
	}
	return false, c.block.err
}

// next moves to the next term, across blocks; false at the end.
func (c *cursor) next() (bool, error) {
	for !c.block.next() {
		if c.block.err != nil {
			return false, c.block.err
		}
		more, err := c.nextBlock()
		if err != nil || !more {
			c.ended = true
			return false, err
		}
	}
	c.stand()
	return true, nil
}

// stand notes the current term, since reading its postings may move to the next block.
func (c *cursor) stand() {
	c.name = append(c.name[:0], c.block.term...)
	c.have = false
}

func (c *cursor) nextBlock() (more bool, err error) {
	first, block, err := c.r.Next(c.segment, c.first)
	if err != nil || block == nil {
		return false, err
	}
	c.first = first
	c.block.open(first, block, c.chunks)
	return true, c.block.err
}

// postings returns those of the current term, valid until the next step.
func (c *cursor) postings() ([]posting, error) {
	if c.have {
		return c.list, nil
	}
	if c.block.long == 0 {
		return c.block.list, nil
	}
	n := c.block.df
	data, err := c.longData(c.block.long)
	if err != nil {
		return nil, err
	}
	c.list, err = decodeLong(c.list[:0], data, n, c.chunks)
	c.have = err == nil
	return c.list, err
}

// longData returns the bytes of a long list, gathered from the blocks that it spans.
func (c *cursor) longData(size int) ([]byte, error) {
	data := c.block.lists[:min(size, len(c.block.lists))]
	if len(data) == size {
		return data, nil
	}
	c.data = append(c.data[:0], data...)
	for len(c.data) < size {
		more, err := c.nextBlock()
		if err != nil {
			return nil, err
		}
		piece := c.block.carried
		if !more || len(piece) == 0 || len(piece) > size-len(c.data) {
			return nil, fmt.Errorf("%w: list of term %q is cut short", errDamaged, c.name)
		}
		c.data = append(c.data, piece...)
	}
	return c.data, nil
}
