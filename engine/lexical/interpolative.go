package lexical

import (
	"encoding/binary"
	"math/bits"
)

// appendInterpolative encodes ascending numbers in [low, high] by binary interpolation (Moffat
// and Stuiver, 2000): the middle one in the bits that its possible values need, then both halves.
// Runs cost nothing and clusters little.
func appendInterpolative(w *bitWriter, list []posting, low, high uint32) {
	for len(list) > 0 && uint64(high)-uint64(low)+1 > uint64(len(list)) {
		half := len(list) / 2
		chunk := list[half].chunk
		from, to := low+uint32(half), high-uint32(len(list)-1-half)
		w.below(chunk-from, to-from)
		if half > 0 {
			appendInterpolative(w, list[:half], low, chunk-1)
		}
		list, low = list[half+1:], chunk+1
	}
}

// decodeInterpolative fills in the chunks of list.
func decodeInterpolative(r *bitReader, list []posting, low, high uint32) {
	for len(list) > 0 {
		if high-low+1 == uint32(len(list)) {
			for i := range list {
				list[i].chunk = low + uint32(i)
			}
			return
		}
		half := len(list) / 2
		from, to := low+uint32(half), high-uint32(len(list)-1-half)
		chunk := from + r.below(to-from)
		list[half].chunk = chunk
		if half > 0 {
			decodeInterpolative(r, list[:half], low, chunk-1)
		}
		list, low = list[half+1:], chunk+1
	}
}

// below appends v <= limit in a truncated binary code. Values in the middle, which are likelier,
// get the shorter codes.
func (w *bitWriter) below(v, limit uint32) {
	width := uint(bits.Len32(limit))
	spare := uint64(1)<<width - 1 - uint64(limit) // number of shorter codes
	v = rotate(v, limit, uint32((uint64(limit)+1-spare)/2))
	if uint64(v) < spare {
		w.write(uint64(v), width-1)
		return
	}
	w.write(uint64(v)+spare, width)
}

func (r *bitReader) below(limit uint32) uint32 {
	if limit == 0 {
		return 0
	}
	width := uint(bits.Len32(limit))
	spare := uint64(1)<<width - 1 - uint64(limit)
	v := r.read(width - 1)
	if v >= spare {
		v = v<<1 + r.read(1) - spare
	}
	offset := (uint64(limit) + 1 - spare) / 2
	if v += offset; v > uint64(limit) {
		v -= uint64(limit) + 1
	}
	return uint32(v)
}

// rotate moves offset to 0 and smaller values to the end.
func rotate(v, limit, offset uint32) uint32 {
	if v >= offset {
		return v - offset
	}
	return v + (limit - offset) + 1
}

// bitWriter appends bits, most significant first.
type bitWriter struct {
	data []byte
	acc  uint64 // the low n bits are not yet in data
	n    uint
}

// write appends the low width bits of v; width is at most 32.
func (w *bitWriter) write(v uint64, width uint) {
	w.acc = w.acc<<width | v&(1<<width-1)
	for w.n += width; w.n >= 8; {
		w.n -= 8
		w.data = append(w.data, byte(w.acc>>w.n))
	}
}

// close fills the last byte with zeroes.
func (w *bitWriter) close() []byte {
	if w.n > 0 {
		w.write(0, 8-w.n)
	}
	return w.data
}

// bitReader reverses bitWriter. Reading past the end gives zeroes and sets short.
type bitReader struct {
	data  []byte
	next  int    // next byte of data
	acc   uint64 // unread bits, left aligned, then zeroes
	n     uint   // number of unread bits
	short bool
}

// fill makes at least 56 bits readable, or all that are left.
func (r *bitReader) fill() {
	if r.next+8 <= len(r.data) {
		r.acc |= binary.BigEndian.Uint64(r.data[r.next:]) >> r.n
		whole := (64 - r.n) / 8
		r.next += int(whole)
		r.n += 8 * whole
		r.acc &= ^uint64(0) << (64 - r.n)
		return
	}
	for r.n <= 56 && r.next < len(r.data) {
		r.acc |= uint64(r.data[r.next]) << (56 - r.n)
		r.n += 8
		r.next++
	}
}

// read takes width bits; width is at most 32.
func (r *bitReader) read(width uint) uint64 {
	if r.n < width {
		if r.fill(); r.n < width {
			r.short, r.acc, r.n = true, 0, 0
			return 0
		}
	}
	v := r.acc >> (64 - width) // a shift by 64 gives 0
	r.acc <<= width
	r.n -= width
	return v
}

// rest returns the bytes behind the last byte that was begun.
func (r *bitReader) rest() []byte { return r.data[r.next-int(r.n/8):] }
