package rangecode

import "math/bits"

const (
	oneBits = 12
	// One is certainty: chances are in parts of it.
	One = 1 << oneBits
	// narrow is when the next byte is due.
	narrow = 1 << 24
	// tail is how many bytes a Decoder is ahead. As many zeroes may be left out
	// at the end.
	tail = 4
)

// Chance is the probability that a decision is false, above 0, below One.
type Chance uint16

// Learn moves a chance towards what a decision was, by one part in 1<<rate. With a
// rate of 4 or more it never gets to 0 or One.
func (c *Chance) Learn(bit bool, rate uint) {
	if bit {
		*c -= *c >> rate
	} else {
		*c += (One - *c) >> rate
	}
}

// Encoder writes decisions. Make it with NewEncoder.
type Encoder struct {
	out     []byte
	low     uint64 // bit 32 is a carry into what is pending
	width   uint32
	cache   byte // held back, as a carry may still come
	pending int  // bytes held back: cache, then as many 0xFF
	begun   bool // the first byte, always 0, was left out
}

// NewEncoder returns an Encoder that appends to out.
func NewEncoder(out []byte) Encoder {
	return Encoder{out: out, width: 1<<32 - 1, pending: 1}
}

// Bit writes a decision with the chance of false.
func (e *Encoder) Bit(c Chance, bit bool) {
	bound := e.width >> oneBits * uint32(c)
	if bit {
		e.low += uint64(bound)
		e.width -= bound
	} else {
		e.width = bound
	}
	e.normalise()
}

// Raw writes the low n bits of v as they are; n is at most 32.
func (e *Encoder) Raw(v uint64, n uint) {
	for n > 0 {
		step := min(n, 8)
		n -= step
		e.width >>= step
		e.low += uint64(e.width) * (v >> n & (1<<step - 1))
		e.normalise()
	}
}

// uniformBits bounds the numbers that are coded at one go as one of so many equally
// likely ones: larger ones would waste what is left of the width.
const uniformBits = 16

// Uniform writes v, one of n equally likely numbers: from 0 to n-1.
func (e *Encoder) Uniform(v, n uint32) {
	low := uniformLow(n)
	e.width /= (n-1)>>low + 1
	e.low += uint64(e.width) * uint64(v>>low)
	e.normalise()
	e.Raw(uint64(v), low)
}

// uniformLow returns how many of the lowest bits of one of n numbers are coded raw.
func uniformLow(n uint32) uint { return uint(max(0, bits.Len32(n-1)-uniformBits)) }

func (e *Encoder) normalise() {
	for e.width < narrow {
		e.width <<= 8
		e.shift()
	}
}

// shift moves the top byte of low out, or holds it back.
func (e *Encoder) shift() {
	if carry := byte(e.low >> 32); e.low < 0xFF<<24 || carry != 0 {
		if e.begun {
			e.out = append(e.out, e.cache+carry)
		}
		for ; e.pending > 1; e.pending-- {
			e.out = append(e.out, 0xFF+carry)
		}
		e.begun, e.cache, e.pending = true, byte(e.low>>24), 0
	}
	e.pending++
	e.low = e.low & (narrow - 1) << 8
}

// Size bounds the length of what Close will return.
func (e *Encoder) Size() int { return len(e.out) + e.pending + 2 }

// Close ends the code with as few bytes as tell it apart and returns it. The
// Decoder takes zeroes for what is not there.
func (e *Encoder) Close() []byte {
	for bits := 32; bits >= 0; bits-- {
		mask := uint64(1)<<bits - 1
		if v := (e.low + mask) &^ mask; v-e.low < uint64(e.width) {
			e.low = v
			break
		}
	}
	for range 5 {
		e.shift()
	}
	for range tail {
		if last := len(e.out) - 1; e.out[last] == 0 {
			e.out = e.out[:last]
		}
	}
	return e.out
}

// Decoder reads what an Encoder wrote. Make it with NewDecoder.
type Decoder struct {
	data        []byte
	next        int // may run past the end of data, where zeroes are read
	code, width uint32
}

// NewDecoder returns a Decoder of all of data.
func NewDecoder(data []byte) Decoder {
	d := Decoder{data: data, width: 1<<32 - 1}
	for range tail {
		d.code = d.code<<8 | d.read()
	}
	return d
}

func (d *Decoder) read() (v uint32) {
	if d.next < len(d.data) {
		v = uint32(d.data[d.next])
	}
	d.next++
	return v
}

// Bit reads a decision.
func (d *Decoder) Bit(c Chance) bool {
	bound := d.width >> oneBits * uint32(c)
	bit := d.code >= bound
	if bit {
		d.code -= bound
		d.width -= bound
	} else {
		d.width = bound
	}
	for d.width < narrow {
		d.width <<= 8
		d.code = d.code<<8 | d.read()
	}
	return bit
}

// Raw reads n bits.
func (d *Decoder) Raw(n uint) (v uint64) {
	for n > 0 {
		step := min(n, 8)
		n -= step
		d.width >>= step
		digit := min(d.code/d.width, 1<<step-1)
		d.code -= digit * d.width
		v = v<<step | uint64(digit)
		for d.width < narrow {
			d.width <<= 8
			d.code = d.code<<8 | d.read()
		}
	}
	return v
}

// Uniform reads one of n equally likely numbers; where the code is damaged it may be n
// or above.
func (d *Decoder) Uniform(n uint32) uint32 {
	low := uniformLow(n)
	top := (n - 1) >> low
	d.width /= top + 1
	digit := min(d.code/d.width, top)
	d.code -= digit * d.width
	for d.width < narrow {
		d.width <<= 8
		d.code = d.code<<8 | d.read()
	}
	return digit<<low | uint32(d.Raw(low))
}

// Fail makes the Decoder short: its caller read what cannot be.
func (d *Decoder) Fail() { d.next = len(d.data) + 64 }

// Short reports whether more was read than can have been written.
func (d *Decoder) Short() bool { return d.next > len(d.data)+tail }

// Ended reports whether all was read, and no more.
func (d *Decoder) Ended() bool { return d.next >= len(d.data) && !d.Short() }
