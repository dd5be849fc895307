package lexical

import "encoding/binary"

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
	next  int    // byte of data to read next
	acc   uint64 // unread bits, from the top; the rest of it is zero
	n     uint   // how many
	short bool
}

// fill makes at least 56 bits readable, or as many as there are.
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

// rest returns what follows the byte that the last bit read is of.
func (r *bitReader) rest() []byte { return r.data[r.next-int(r.n/8):] }
