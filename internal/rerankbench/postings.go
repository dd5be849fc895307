package rerankbench

import (
	"errors"
	"fmt"
	"slices"

	"dowse/engine/lexical"
)

// postings hold the one segment of a collection in memory.
type postings struct {
	header []byte
	firsts []string // first terms of the blocks, ascending
	blocks [][]byte
}

var (
	_ lexical.Reader = (*postings)(nil)
	_ lexical.Writer = (*postings)(nil)
)

// onlySegment is the id of the segment.
const onlySegment = 1

// Segments implements lexical.Reader.
func (p *postings) Segments() ([]uint32, error) { return []uint32{onlySegment}, nil }

// Header implements lexical.Reader.
func (p *postings) Header(uint32) ([]byte, error) { return p.header, nil }

// Seek implements lexical.Reader.
func (p *postings) Seek(_ uint32, term string) (string, []byte, error) {
	i, found := slices.BinarySearch(p.firsts, term)
	if !found {
		i--
	}
	return p.block(i)
}

// Next implements lexical.Reader.
func (p *postings) Next(_ uint32, after string) (string, []byte, error) {
	i, found := slices.BinarySearch(p.firsts, after)
	if found {
		i++
	}
	return p.block(i)
}

func (p *postings) block(i int) (string, []byte, error) {
	if i < 0 || i >= len(p.firsts) {
		return "", nil, nil
	}
	return p.firsts[i], p.blocks[i], nil
}

// NewSegment implements lexical.Writer.
func (p *postings) NewSegment() (uint32, error) {
	if p.header != nil {
		return 0, errors.New("a collection has one segment")
	}
	return onlySegment, nil
}

// PutHeader implements lexical.Writer.
func (p *postings) PutHeader(_ uint32, header []byte, _ int64) error {
	p.header = slices.Clone(header)
	return nil
}

// PutBlock implements lexical.Writer.
func (p *postings) PutBlock(_ uint32, first string, block []byte) error {
	if n := len(p.firsts); n > 0 && first <= p.firsts[n-1] {
		return fmt.Errorf("block %q comes after %q", first, p.firsts[n-1])
	}
	p.firsts, p.blocks = append(p.firsts, first), append(p.blocks, slices.Clone(block))
	return nil
}

// Drop implements lexical.Writer.
func (p *postings) Drop(uint32) error { return errors.New("a collection keeps its segment") }
