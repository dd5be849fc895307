package leann

import (
	"math/bits"

	"dowse/engine/internal/rangecode"
)

// chance is the adaptive probability of a bit.
type chance struct{ rangecode.Chance }

// chanceRate: a chance adapts over about 1<<chanceRate bits.
const chanceRate = 4

// renew makes all chances even.
func renew(chances []chance) {
	for i := range chances {
		chances[i].Chance = rangecode.One / 2
	}
}

// coder writes links or reads them, so that one description of the format serves both: a
// reader ignores the values that it is given and returns those of the message.
type coder interface {
	// code codes a bit that p predicts.
	code(p *chance, bit int) int
	// plain codes the lowest n bits of value, each as likely 0 as 1.
	plain(value uint32, n int) uint32
}

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

// numbers is the model of one kind of number: the length in bits and the bit below the
// highest are learned.
type numbers struct {
	length [64]chance // binary tree of six decisions; 0 is unused
	second [33]chance
}

func (m *numbers) renew() {
	renew(m.length[:])
	renew(m.second[:])
}

// code codes a number below 2^32.
func (m *numbers) code(c coder, value uint64) uint64 {
	length := bits.Len64(value)
	at := 1
	for i := 5; i >= 0; i-- {
		at = at<<1 | c.code(&m.length[at], length>>i&1)
	}
	length = min(at-64, 32) // greater only by damage
	if length < 2 {
		return uint64(length)
	}
	rest := uint32(c.code(&m.second[length], int(value>>(length-2)&1))) << (length - 2)
	if length > 2 {
		rest |= c.plain(uint32(value)&(1<<(length-2)-1), length-2)
	}
	return 1<<(length-1) | uint64(rest)
}
