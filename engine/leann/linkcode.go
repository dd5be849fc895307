package leann

import (
	"math/bits"

	"dowse/engine/internal/rangecode"
)

// chance is what the coding of links has learned of a bit.
type chance struct{ rangecode.Chance }

// chanceRate is how fast chances follow: a chance is learned from about
// 1<<chanceRate bits.
const chanceRate = 4

// renew makes all chances even.
func renew(chances []chance) {
	for i := range chances {
		chances[i].Chance = rangecode.One / 2
	}
}

// coder writes links or reads them. One description of a format serves both: a
// writer is given values, a reader ignores what it is given and returns the values
// of the message.
type coder interface {
	// code passes a bit that p predicts.
	code(p *chance, bit int) int
	// plain passes the lowest n bits of value, each as likely 0 as 1.
	plain(value uint32, n int) uint32
}

// linkWriter is the coder that writes.
type linkWriter struct{ rangecode.Encoder }

func newLinkWriter(out []byte) *linkWriter { return &linkWriter{rangecode.NewEncoder(out)} }

func (w *linkWriter) code(p *chance, bit int) int {
	w.Bit(p.Chance, bit == 1)
	p.Learn(bit == 1, chanceRate)
	return bit
}

func (w *linkWriter) plain(value uint32, n int) uint32 {
	w.Raw(uint64(value), uint(n))
	return value
}

// linkReader is the coder that reads what a linkWriter wrote.
type linkReader struct{ rangecode.Decoder }

func newLinkReader(in []byte) *linkReader { return &linkReader{rangecode.NewDecoder(in)} }

func (r *linkReader) code(p *chance, _ int) int {
	bit := r.Bit(p.Chance)
	p.Learn(bit, chanceRate)
	return bitOf(bit)
}

func (r *linkReader) plain(_ uint32, n int) uint32 { return uint32(r.Raw(uint(n))) }

func bitOf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// numbers is the model of numbers of some kind: their lengths in bits are
// learned, and the bit below the highest.
type numbers struct {
	length [64]chance // a tree of six decisions; place 0 is not used
	second [33]chance
}

func (m *numbers) renew() {
	renew(m.length[:])
	renew(m.second[:])
}

// code passes a number below 2^32 through c.
func (m *numbers) code(c coder, value uint64) uint64 {
	length := bits.Len64(value)
	at := 1
	for i := 5; i >= 0; i-- {
		at = at<<1 | c.code(&m.length[at], length>>i&1)
	}
	length = min(at-64, 32) // more is damage
	if length < 2 {
		return uint64(length)
	}
	rest := uint32(c.code(&m.second[length], int(value>>(length-2)&1))) << (length - 2)
	if length > 2 {
		rest |= c.plain(uint32(value)&(1<<(length-2)-1), length-2)
	}
	return 1<<(length-1) | uint64(rest)
}
