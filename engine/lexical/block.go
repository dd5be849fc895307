package lexical

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"dowse/engine/internal/rangecode"
)

// errDamaged: a block or a header does not decode.
var errDamaged = errors.New("postings are damaged")

const (
	// blockBytes is the size of a block and its key: two of them, each with 24 bytes of the
	// store, fill a page of 4 KiB less its header.
	blockBytes = 2040 - 24
	// lengthsBytes bounds the three numbers at the start of a block.
	lengthsBytes = 2 + 2 + 2
)

// blockWriter cuts the terms of a segment into blocks.
type blockWriter struct {
	chunks int // of the segment
	// put stores a block under its first term; words bytes of it are terms.
	put func(first string, block []byte, words int) error

	first   string // key of the block being written
	last    string // last term added
	shared  int    // bytes that last shares with the term before it
	terms   int
	carried []byte       // end of a list that began in the previous block
	coded   modelEncoder // terms and short lists
	words   int          // bytes of coded that are terms
	lists   []byte       // long lists
	pieces  uint32       // blocks that continue the last list
	scratch []byte
}

func newBlockWriter(chunks int, put func(first string, block []byte, words int) error) *blockWriter {
	return &blockWriter{chunks: chunks, put: put, coded: modelEncoder{Encoder: rangecode.NewEncoder(nil)}}
}

// add appends a term, which must sort after the last one.
func (b *blockWriter) add(term string, list []posting) error {
	var long []byte
	if len(list) >= longList {
		b.scratch = appendLong(b.scratch[:0], list, b.chunks)
		long = b.scratch
	}
	coded, words := b.coded.Encoder, b.words
	shared := b.entry(term, list, len(long))
	if b.size(term) > blockBytes && (b.terms > 0 || len(b.carried) > 0) {
		b.coded.Encoder, b.words = coded, words
		if err := b.flush(); err != nil {
			return err
		}
		shared = b.entry(term, list, len(long))
	}
	if b.terms == 0 {
		b.first = term
	}
	b.terms++
	b.last, b.shared, b.pieces = term, shared, 0
	b.lists = append(b.lists, long...)
	for b.size(b.first) > blockBytes && len(long) > 0 {
		if err := b.cut(); err != nil {
			return err
		}
	}
	return nil
}

// entry codes a term, except the first of the block, which is its key.
func (b *blockWriter) entry(term string, list []posting, long int) (shared int) {
	from := b.coded.Size()
	if b.terms > 0 {
		shared = b.coded.term(b.last, b.shared, term)
	}
	b.coded.number(dfContext, dfTopContext, uint32(len(list)))
	b.words += b.coded.Size() - from
	if long > 0 {
		width := uint(bits.Len(uint(long)))
		b.coded.Raw(uint64(width), 5)
		b.coded.Raw(uint64(long), width-1)
		return shared
	}
	b.coded.shortList(list, b.chunks)
	return shared
}

// size bounds the size of the block with its key.
func (b *blockWriter) size(first string) int {
	if b.terms > 0 {
		first = b.first
	}
	return len(first) + lengthsBytes + len(b.carried) + b.coded.Size() + len(b.lists)
}

// cut writes the block with as much of the last list as fits and carries the rest over.
func (b *blockWriter) cut() error {
	over := b.size(b.first) - blockBytes
	if b.terms == 0 {
		keep := len(b.carried) - over
		rest := b.carried[keep:]
		b.carried = b.carried[:keep]
		return b.next(rest)
	}
	keep := max(0, len(b.lists)-over)
	rest := b.lists[keep:]
	b.lists = b.lists[:keep]
	return b.next(rest)
}

// next flushes and starts a block with the rest of a list.
func (b *blockWriter) next(rest []byte) error {
	rest = append([]byte(nil), rest...)
	if err := b.flush(); err != nil {
		return err
	}
	b.pieces++
	b.first = string(binary.BigEndian.AppendUint32(append([]byte(b.last), 0), b.pieces))
	b.carried = rest
	return nil
}

// flush writes the block unless it is empty.
func (b *blockWriter) flush() error {
	if b.terms == 0 && len(b.carried) == 0 {
		return nil
	}
	coded := b.coded.Close()
	block := binary.AppendUvarint(nil, uint64(len(b.carried)))
	block = binary.AppendUvarint(block, uint64(b.terms))
	block = binary.AppendUvarint(block, uint64(len(coded)))
	block = append(block, b.carried...)
	block = append(block, coded...)
	block = append(block, b.lists...)
	err := b.put(b.first, block, b.words)
	b.coded.Encoder = rangecode.NewEncoder(coded[:0])
	b.terms, b.shared, b.words, b.carried, b.lists = 0, 0, 0, nil, b.lists[:0]
	return err
}

// blockReader steps through the terms of a block.
type blockReader struct {
	chunks  int    // of the segment
	carried []byte // end of a list that began in the previous block

	term []byte // current term; valid until next
	df   int    // chunks with the term
	long int    // bytes of its long list; 0: list is its short list
	list []posting

	first  string
	left   int
	begun  bool
	shared int
	coded  modelDecoder
	lists  []byte // long lists from that of the current term on
	err    error
}

// open starts before the first term of a block.
func (b *blockReader) open(first string, block []byte, chunks int) {
	*b = blockReader{chunks: chunks, term: append(b.term[:0], first...), list: b.list[:0], first: first}
	var lengths [3]int
	for i := range lengths {
		v, size := binary.Uvarint(block)
		if size <= 0 || v > 1<<20 {
			b.fail()
			return
		}
		lengths[i], block = int(v), block[size:]
	}
	if lengths[0] > len(block) || lengths[2] > len(block)-lengths[0] {
		b.fail()
		return
	}
	b.carried, block = block[:lengths[0]], block[lengths[0]:]
	b.left = lengths[1]
	b.coded, b.lists = newModelDecoder(block[:lengths[2]]), block[lengths[2]:]
}

func (b *blockReader) fail() {
	if b.err == nil {
		b.err = fmt.Errorf("%w: block %q near term %q", errDamaged, b.first, b.term)
	}
	b.left = 0
}

// next steps to the next term; false at the end or on damage, see err.
func (b *blockReader) next() bool {
	if b.err == nil {
		b.lists = b.lists[min(b.long, len(b.lists)):]
	}
	if b.left == 0 {
		if b.err == nil && (len(b.lists) > 0 || b.begun && !b.coded.Ended()) {
			b.fail()
		}
		return false
	}
	b.left--
	if !b.entry() {
		b.fail()
		return false
	}
	return true
}

func (b *blockReader) entry() (ok bool) {
	if b.begun {
		if b.term, b.shared, ok = b.coded.term(b.term, b.shared); !ok {
			return false
		}
	}
	b.begun = true
	b.df = int(b.coded.number(dfContext, dfTopContext))
	if b.df == 0 || b.df > b.chunks || b.coded.Short() {
		return false
	}
	b.long = 0
	if b.df >= longList {
		width := uint(b.coded.Raw(5))
		if width == 0 {
			return false
		}
		b.long = 1<<(width-1) | int(b.coded.Raw(width-1))
		return b.long <= len(b.lists) || b.left == 0 // the last list may continue in the next block
	}
	b.list, ok = b.coded.shortList(b.list[:0], b.df, b.chunks)
	return ok
}
