package leann

import (
	"errors"
	"math/bits"
)

// An adaptive binary range coder (Martin, 1979; the carry handling is the one
// of Pavlov's LZMA): every bit costs as little as its model expected it.
//
// A message has one coding only: a reader that reaches the end with a
// remainder has read bytes that no writer wrote.

// chance is the probability of a zero bit in 1/4096, learned from the bits.
// It never reaches 0 or 1, so that no bit is free: hostile bytes hold less
// than 2000 bits each.
type chance uint16

const (
	chanceBits = 12
	chanceRate = 4 // a chance is learned from about 2^chanceRate bits
	evenChance = chance(1 << (chanceBits - 1))
)

func (p *chance) learn(bit int) {
	if bit == 0 {
		*p += (1<<chanceBits - *p) >> chanceRate
	} else {
		*p -= *p >> chanceRate
	}
}

// renew makes all chances even.
func renew(chances []chance) {
	for i := range chances {
		chances[i] = evenChance
	}
}

// rangeWriter writes bits.
type rangeWriter struct {
	out     []byte
	low     uint64 // of the interval; bit 32 is a carry
	width   uint32 // of the interval
	held    byte   // the last byte, which a carry may still change
	pending int    // held, and bytes of 0xff behind it
}

// newRangeWriter returns a writer that appends to out.
func newRangeWriter(out []byte) *rangeWriter { return &rangeWriter{out: out, width: 1<<32 - 1} }

// code writes, and returns, a bit that p predicts.
func (w *rangeWriter) code(p *chance, bit int) int {
	bound := w.width >> chanceBits * uint32(*p)
	if bit == 0 {
		w.width = bound
	} else {
		w.low += uint64(bound)
		w.width -= bound
	}
	p.learn(bit)
	for w.width < 1<<24 {
		w.width <<= 8
		w.shift()
	}
	return bit
}

// plain writes the lowest n bits of value, each as likely 0 as 1.
func (w *rangeWriter) plain(value uint32, n int) uint32 {
	for n > 0 {
		step := min(n, 16)
		n -= step
		w.width >>= step
		w.low += uint64(w.width) * uint64(value>>n&(1<<step-1))
		for w.width < 1<<24 {
			w.width <<= 8
			w.shift()
		}
	}
	return value
}

// shift moves the highest byte of low out.
func (w *rangeWriter) shift() {
	if carry := w.low >> 32; carry > 0 || w.low < 0xff<<24 || w.pending == 0 {
		for ; w.pending > 0; w.pending-- {
			w.out = append(w.out, w.held+byte(carry))
			w.held = 0xff
		}
		w.held = byte(w.low >> 24)
	}
	w.pending++
	w.low = w.low << 8 & (1<<32 - 1)
}

// finish returns the bytes of all that was written.
func (w *rangeWriter) finish() []byte {
	for range 5 {
		w.shift()
	}
	return w.out
}

// rangeReader reads what a rangeWriter wrote.
type rangeReader struct {
	in    []byte
	width uint32
	ahead uint32 // how far the message lies above the interval's low end
	bad   bool   // the bytes ended early, or hold what is never written
}

func newRangeReader(in []byte) *rangeReader {
	r := &rangeReader{in: in, width: 1<<32 - 1}
	for range 4 {
		r.shift()
	}
	return r
}

func (r *rangeReader) shift() {
	if len(r.in) == 0 {
		r.bad = true
		return
	}
	r.ahead = r.ahead<<8 | uint32(r.in[0])
	r.in = r.in[1:]
}

// code reads a bit. The second argument stands for the bit that a writer
// takes.
func (r *rangeReader) code(p *chance, _ int) int {
	bound := r.width >> chanceBits * uint32(*p)
	bit := 0
	if r.ahead < bound {
		r.width = bound
	} else {
		bit = 1
		r.ahead -= bound
		r.width -= bound
	}
	p.learn(bit)
	for r.width < 1<<24 {
		r.width <<= 8
		r.shift()
	}
	return bit
}

// plain reads n bits, each as likely 0 as 1.
func (r *rangeReader) plain(_ uint32, n int) uint32 {
	value := uint32(0)
	for n > 0 {
		step := min(n, 16)
		n -= step
		r.width >>= step
		part := r.ahead / r.width
		if part >= 1<<step {
			r.bad, part = true, 0
		}
		r.ahead -= part * r.width
		value = value<<step | part
		for r.width < 1<<24 {
			r.width <<= 8
			r.shift()
		}
	}
	return value
}

var errRange = errors.New("bytes that no message has")

// finish reports whether the bytes were a message and no more.
func (r *rangeReader) finish() error {
	if r.bad || r.ahead != 0 || len(r.in) != 0 {
		return errRange
	}
	return nil
}

// coder is a rangeWriter or a rangeReader. One description of a format serves
// both: a writer is given values, a reader ignores what it is given and
// returns the values of the message.
type coder interface {
	code(p *chance, bit int) int
	plain(value uint32, n int) uint32
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

// tooLarge is what a reader makes of a number that no writer wrote.
const tooLarge = uint64(1 << 32)

// code passes a number below 2^32 through c.
func (m *numbers) code(c coder, value uint64) uint64 {
	length := bits.Len64(value)
	at := 1
	for i := 5; i >= 0; i-- {
		at = at<<1 | c.code(&m.length[at], length>>i&1)
	}
	length = at - 64
	if length > 32 {
		return tooLarge
	}
	if length < 2 {
		return uint64(length)
	}
	rest := uint32(c.code(&m.second[length], int(value>>(length-2)&1))) << (length - 2)
	if length > 2 {
		rest |= c.plain(uint32(value)&(1<<(length-2)-1), length-2)
	}
	return 1<<(length-1) | uint64(rest)
}
