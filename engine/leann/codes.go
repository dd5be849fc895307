package leann

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math/bits"
)

// blockBits: a stored block covers 4096 consecutive ids. With larger blocks an edit rewrites
// more; smaller ones waste more of their last page.
const (
	blockBits = 12
	blockSize = 1 << blockBits
)

// codeVersion is the first byte of a block of codes.
const codeVersion = 1

// codeBlock is a stored block: version, number of the codebook, words of the bitmap of ids
// with a code, codes by ascending id. Its slices belong to the store.
type codeBlock struct {
	first  uint32 // id of bit 0
	book   uint32
	bitmap []byte // little-endian words of 64 ids
	codes  []byte
}

// errCodes: the block was not written by this package.
var errCodes = errors.New("codes do not fit their bitmap")

// parseCodeBlock reads a block; width returns the code length of a codebook.
func parseCodeBlock(key uint32, value []byte, width func(book uint32) (int, error)) (codeBlock, error) {
	if key >= 1<<(32-blockBits) || len(value) < 3 || value[0] != codeVersion {
		return codeBlock{}, fmt.Errorf("codes %d: %w", key, errCodes)
	}
	book, n := binary.Uvarint(value[1:])
	if n <= 0 || book > 1<<31 || len(value) < 2+n {
		return codeBlock{}, fmt.Errorf("codes %d: %w", key, errCodes)
	}
	b := codeBlock{first: key << blockBits, book: uint32(book)}
	words := int(value[1+n])
	rest := value[2+n:]
	if words > blockSize/64 || len(rest) < 8*words {
		return codeBlock{}, fmt.Errorf("codes %d: %w", key, errCodes)
	}
	b.bitmap, b.codes = rest[:8*words], rest[8*words:]
	w, err := width(b.book)
	if err != nil {
		return codeBlock{}, fmt.Errorf("codes %d: %w", key, err)
	}
	if len(b.codes) != b.count()*w {
		return codeBlock{}, fmt.Errorf("codes %d: %w", key, errCodes)
	}
	return b, nil
}

// count returns the number of codes in the block.
func (b codeBlock) count() int {
	n := 0
	for i := range len(b.bitmap) / 8 {
		n += bits.OnesCount64(b.word(i))
	}
	return n
}

func (b codeBlock) word(i int) uint64 { return binary.LittleEndian.Uint64(b.bitmap[8*i:]) }

// each calls f with every id that has a code, and the code, width bytes long.
func (b codeBlock) each(width int, f func(id uint32, code []byte)) {
	codes := b.codes
	for i := 0; i < len(b.bitmap); i += 8 {
		for word := binary.LittleEndian.Uint64(b.bitmap[i:]); word != 0; word &= word - 1 {
			f(b.first+uint32(8*i+bits.TrailingZeros64(word)), codes[:width])
			codes = codes[width:]
		}
	}
}

// codeWriter collects the codes of one block, by ascending id.
type codeWriter struct {
	book   uint32
	bitmap [blockSize / 64]uint64
	words  int
	codes  []byte
}

func (w *codeWriter) add(id uint32, code []byte) {
	bit := id & (blockSize - 1)
	w.bitmap[bit/64] |= 1 << (bit % 64)
	w.words = max(w.words, int(bit/64)+1)
	w.codes = append(w.codes, code...)
}

func (w *codeWriter) bytes() []byte {
	b := binary.AppendUvarint([]byte{codeVersion}, uint64(w.book))
	b = append(b, byte(w.words))
	for _, word := range w.bitmap[:w.words] {
		b = binary.LittleEndian.AppendUint64(b, word)
	}
	return append(b, w.codes...)
}

// library holds the codebooks of a stored index by number.
type library []*codebook

func readLibrary(r Reader) (library, error) {
	var l library
	err := r.EachBlock(Books, func(key uint32, value []byte) error {
		if int64(key) != int64(len(l)) {
			return fmt.Errorf("codebook %d stands where number %d belongs", key, len(l))
		}
		book, err := parseCodebook(value)
		l = append(l, book)
		return err
	})
	return l, err
}

// width returns the code length of a codebook.
func (l library) width(book uint32) (int, error) {
	if int64(book) >= int64(len(l)) {
		return 0, fmt.Errorf("there is no codebook %d", book)
	}
	return l[book].codeBytes(), nil
}

// eachBlock calls f with every block of codes.
func (l library) eachBlock(r Reader, f func(b codeBlock, book *codebook) error) error {
	return r.EachBlock(CodeRuns, func(key uint32, value []byte) error {
		b, err := parseCodeBlock(key, value, l.width)
		if err != nil {
			return err
		}
		return f(b, l[b.book])
	})
}

// nextBlock is a block of NextRuns: codes, and the stamp of the block that they replace.
// They are valid only while that block is unchanged.
type nextBlock struct {
	codeBlock
	stamp stamp
}

// stamp is the hash of a block's bytes.
type stamp uint64

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

// putCodes writes a block of codes, or removes it if value is nil. Codes waiting to replace
// it go too, since they name chunks that may be gone.
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
