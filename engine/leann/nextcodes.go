package leann

import (
	"encoding/binary"
	"hash/fnv"
)

// nextBlock is a block of NextRuns: a stamp of the block whose place it is to take, and the
// codes. It is of no use once that block has changed.
type nextBlock struct {
	codeBlock
	stamp stamp
}

// stamp stands for the bytes of a block.
type stamp uint64

// stampBytes is the length of a stored stamp.
const stampBytes = 8

func stampOf(block []byte) stamp {
	h := fnv.New64a()
	_, _ = h.Write(block) // never fails
	return stamp(h.Sum64())
}

func (s stamp) bytes() []byte { return binary.LittleEndian.AppendUint64(nil, uint64(s)) }

// parseNext reads a block of NextRuns.
func parseNext(key uint32, value []byte, books library) (nextBlock, error) {
	if len(value) < stampBytes {
		return nextBlock{}, errCodes
	}
	b, err := parseCodeBlock(key, value[stampBytes:], books.width)
	return nextBlock{b, stamp(binary.LittleEndian.Uint64(value))}, err
}

// putCodes writes a block of codes, or removes it where value is nil. What was made to take
// its place goes too: it names chunks that may be gone.
func putCodes(w Writer, key uint32, value []byte) error {
	next, err := w.Block(NextRuns, key)
	if err == nil && next != nil {
		err = w.DeleteBlock(NextRuns, key)
	}
	switch {
	case err != nil:
		return err
	case value == nil:
		return w.DeleteBlock(CodeRuns, key)
	}
	return w.PutBlock(CodeRuns, key, value)
}
