package lexical

import (
	"encoding/binary"
	"math/bits"
)

// bitWriter appends bits, the highest first.
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

// unary appends v zeroes and a one.
func (w *bitWriter) unary(v uint64) {
	for ; v >= 32; v -= 32 {
		w.write(0, 32)
	}
	w.write(1, uint(v)+1)
}

// close fills the last byte with zeroes.
func (w *bitWriter) close() []byte {
	if w.n > 0 {
		w.write(0, 8-w.n)
	}
	return w.data
}

// bitReader reads what a bitWriter wrote. Reading on past the end gives
// zeroes and sets short.
type bitReader struct {
	data  []byte
	acc   uint64 // unread bits, from the top; the rest of it is zero
	n     uint   // how many
	short bool
}

// fill makes at least 56 bits readable, or as many as there are.
func (r *bitReader) fill() {
	if r.n == 0 && len(r.data) >= 8 {
		r.acc, r.n, r.data = binary.BigEndian.Uint64(r.data), 64, r.data[8:]
		return
	}
	for r.n <= 56 && len(r.data) > 0 {
		r.acc |= uint64(r.data[0]) << (56 - r.n)
		r.n += 8
		r.data = r.data[1:]
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

// unary takes zeroes up to a one and counts them.
func (r *bitReader) unary() uint64 {
	zeroes := uint64(0)
	for r.acc == 0 {
		zeroes += uint64(r.n)
		r.n = 0
		if r.fill(); r.n == 0 {
			r.short = true
			return 0
		}
	}
	run := uint(bits.LeadingZeros64(r.acc))
	r.acc <<= run + 1
	r.n -= run + 1
	return zeroes + uint64(run)
}

// ended says that only the filling of the last byte is left.
func (r *bitReader) ended() bool {
	return !r.short && len(r.data) == 0 && r.n < 8 && r.acc == 0
}
