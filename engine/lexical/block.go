package lexical

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrDamaged says that a block or a header does not decode.
var ErrDamaged = errors.New("postings are damaged")

const (
	// blockTerms and blockBytes bound a block, unless one term alone is
	// longer. Four blocks of that many bytes with their keys and the store's
	// own overhead fill a page of 4 KiB with little left over.
	blockTerms = 128
	blockBytes = 960
)

// encodedTerm is a term on its way into a block.
type encodedTerm struct {
	term   string
	chunks int
	single posting // the one posting, when chunks is 1
	data   []byte  // the encoded postings otherwise
}

// blockWriter collects the terms of a block.
type blockWriter struct {
	first, last string
	terms       int
	dictionary  []byte
	postings    []byte
}

// add appends a term, which must sort after the one before; false means that
// the block is full and is to be written first.
func (b *blockWriter) add(t encodedTerm) bool {
	before := len(b.dictionary)
	b.dictionary = appendEntry(b.dictionary, b.last, t, b.terms == 0)
	size := len(b.first) + len(b.dictionary) + len(b.postings) + len(t.data)
	if b.terms == blockTerms || b.terms > 0 && size > blockBytes {
		b.dictionary = b.dictionary[:before]
		return false
	}
	if b.terms == 0 {
		b.first = t.term
	}
	b.postings = append(b.postings, t.data...)
	b.terms++
	b.last = t.term
	return true
}

// nibble is the largest length that fits half a byte as it is; above it,
// the half byte is nibble and the excess follows.
const nibble = 15

// appendEntry encodes a term against the one before it.
func appendEntry(dst []byte, last string, t encodedTerm, first bool) []byte {
	if !first { // the key of the block holds the first term
		shared := sharedPrefix(last, t.term)
		rest := len(t.term) - shared
		dst = append(dst, byte(min(shared, nibble)<<4|min(rest, nibble)))
		for _, n := range []int{shared, rest} {
			if n >= nibble {
				dst = binary.AppendUvarint(dst, uint64(n-nibble))
			}
		}
		dst = append(dst, t.term[shared:]...)
	}
	dst = binary.AppendUvarint(dst, uint64(t.chunks))
	if t.chunks == 1 {
		return appendSingle(dst, t.single)
	}
	return binary.AppendUvarint(dst, uint64(len(t.data)))
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// bytes gives the block; dictionary says how many of them are not postings.
func (b *blockWriter) bytes() (block []byte, dictionary int) {
	block = binary.AppendUvarint(nil, uint64(b.terms))
	block = binary.AppendUvarint(block, uint64(len(b.dictionary)))
	block = append(block, b.dictionary...)
	dictionary = len(block)
	return append(block, b.postings...), dictionary
}

func (b *blockWriter) reset() {
	*b = blockWriter{dictionary: b.dictionary[:0], postings: b.postings[:0]}
}

// blockReader steps through the terms of a block.
type blockReader struct {
	term   []byte // the term stood on; valid until the next step
	chunks int    // that hold it
	single posting
	data   []byte // its encoded postings, when there are several

	left       int
	begun      bool
	dictionary []byte
	postings   []byte
	err        error
}

// readBlock begins before the first term of a block.
func readBlock(first string, block []byte) blockReader {
	b := blockReader{term: append(make([]byte, 0, maxTermBytes), first...), dictionary: block}
	terms, length := b.number(), b.number()
	if b.err != nil || terms == 0 || terms > blockTerms || length > len(b.dictionary) {
		b.fail()
		return b
	}
	b.left = terms
	b.dictionary, b.postings = b.dictionary[:length], b.dictionary[length:]
	return b
}

func (b *blockReader) fail() {
	if b.err == nil {
		b.err = fmt.Errorf("%w: block near term %q", ErrDamaged, b.term)
	}
	b.left = 0
}

// number reads one number of the dictionary.
func (b *blockReader) number() int {
	v, size := binary.Uvarint(b.dictionary)
	if size <= 0 || v > 1<<31-1 {
		b.fail()
		return 0
	}
	b.dictionary = b.dictionary[size:]
	return int(v)
}

// next steps to the next term; false at the end or at damage, see err.
func (b *blockReader) next() bool {
	if b.left == 0 {
		if b.err == nil && len(b.dictionary)+len(b.postings) != 0 {
			b.fail()
		}
		return false
	}
	b.left--
	if b.begun && !b.nextTerm() {
		b.fail()
		return false
	}
	b.begun = true
	b.chunks, b.data = b.number(), nil
	if b.chunks == 1 {
		b.readSingle()
		return b.err == nil
	}
	size := b.number()
	if b.err != nil || b.chunks == 0 || b.chunks > 8*size || size > len(b.postings) {
		b.fail()
		return false
	}
	b.data, b.postings = b.postings[:size], b.postings[size:]
	return true
}

// nextTerm reads how a term differs from the one before.
func (b *blockReader) nextTerm() bool {
	if len(b.dictionary) == 0 {
		return false
	}
	shared, rest := int(b.dictionary[0]>>4), int(b.dictionary[0]&nibble)
	b.dictionary = b.dictionary[1:]
	if shared == nibble {
		shared += b.number()
	}
	if rest == nibble {
		rest += b.number()
	}
	if b.err != nil || shared > len(b.term) || rest > len(b.dictionary) {
		return false
	}
	b.term = append(b.term[:shared], b.dictionary[:rest]...)
	b.dictionary = b.dictionary[rest:]
	return true
}

// readSingle reads what appendSingle wrote.
func (b *blockReader) readSingle() {
	v, size := binary.Uvarint(b.dictionary)
	if size <= 0 || v>>1 > 1<<32-1 {
		b.fail()
		return
	}
	b.dictionary = b.dictionary[size:]
	b.single = posting{chunk: uint32(v >> 1), count: 1}
	if v&1 == 0 {
		b.single.count = uint32(b.number()) + 2
	}
}

// appendTo appends the postings of the term stood on to dst.
func (b *blockReader) appendTo(dst []posting) ([]posting, error) {
	if b.chunks == 1 {
		return append(dst, b.single), nil
	}
	return decodePostings(dst, b.data, b.chunks)
}

// appendTerm looks a term up in the one block that can hold it and appends
// its postings to dst.
func appendTerm(dst []posting, first string, block []byte, term string) ([]posting, error) {
	b := readBlock(first, block)
	for b.next() {
		if string(b.term) >= term {
			if string(b.term) == term {
				return b.appendTo(dst)
			}
			return dst, nil
		}
	}
	return dst, b.err
}
