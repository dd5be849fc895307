package lexical

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// posting says how often a chunk, relative to the first chunk of its
// segment, holds a term.
type posting struct{ chunk, count uint32 }

const (
	// shiftBits hold the Rice parameter of a list.
	shiftBits = 5
	maxShift  = 1<<shiftBits - 1
)

// appendPostings encodes two postings or more, by ascending chunk: Rice codes
// of the gaps between chunks, with the parameter that makes the list
// shortest, and Elias gamma codes of the counts. (Witten, Moffat and Bell,
// Managing Gigabytes, 1999, section 3.3.)
func appendPostings(dst []byte, list []posting) []byte {
	shift := bestShift(list)
	w := bitWriter{data: dst}
	w.write(uint64(shift), shiftBits)
	next := uint32(0)
	for _, p := range list {
		gap := uint64(p.chunk - next)
		w.unary(gap >> shift)
		w.write(gap, shift)
		width := uint(bits.Len32(p.count))
		w.unary(uint64(width - 1))
		w.write(uint64(p.count), width-1)
		next = p.chunk + 1
	}
	return w.close()
}

// bestShift tries the Rice parameters about the one that suits gaps of the
// average size; lists with chunks in clusters want smaller ones.
func bestShift(list []posting) uint {
	last := uint64(list[len(list)-1].chunk) + 1
	guess := bits.Len64(last / uint64(len(list)))
	best, least := uint(0), ^uint64(0)
	for shift := max(0, guess-5); shift <= min(guess, maxShift); shift++ {
		size, next := uint64(len(list)*(shift+1)), uint32(0)
		for _, p := range list {
			size += uint64(p.chunk-next) >> shift
			next = p.chunk + 1
		}
		if size < least {
			best, least = uint(shift), size
		}
	}
	return best
}

// decodePostings appends the n postings of an encoded list to dst.
func decodePostings(dst []posting, data []byte, n int) ([]posting, error) {
	r := bitReader{data: data}
	shift := uint(r.read(shiftBits))
	next := uint64(0)
	for range n {
		gap := r.unary()<<shift | r.read(shift)
		width := r.unary()
		if gap > 1<<32-1 || width > 31 {
			return dst, fmt.Errorf("%w: posting out of range", ErrDamaged)
		}
		count := 1<<width | r.read(uint(width))
		chunk := next + gap
		if chunk > 1<<32-1 || r.short {
			return dst, fmt.Errorf("%w: postings cut short", ErrDamaged)
		}
		dst = append(dst, posting{chunk: uint32(chunk), count: uint32(count)})
		next = chunk + 1
	}
	if !r.ended() {
		return dst, fmt.Errorf("%w: bytes after the last posting", ErrDamaged)
	}
	return dst, nil
}

// appendSingle encodes the only posting of a term, as half of all terms have.
func appendSingle(dst []byte, p posting) []byte {
	if p.count == 1 {
		return binary.AppendUvarint(dst, uint64(p.chunk)<<1|1)
	}
	dst = binary.AppendUvarint(dst, uint64(p.chunk)<<1)
	return binary.AppendUvarint(dst, uint64(p.count-2))
}
