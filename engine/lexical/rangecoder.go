package lexical

// An arithmetic coder for decisions whose probabilities the caller knows:
// what is expected costs a small part of a bit. (G. N. N. Martin, Range
// encoding, 1979; the way a carry is held back is that of LZMA.)

const (
	// oneBits is the precision of probabilities: 1<<oneBits is certainty.
	oneBits = 12
	one     = 1 << oneBits
	// narrow is when the next byte is due.
	narrow = 1 << 24
	// tail is how many bytes a reader is ahead, and so many zeroes may be
	// left out at the end.
	tail = 4
)

// chance is the probability that a decision is false, above 0, below one.
type chance uint16

// learn moves a chance towards what a decision was, by one part in 32.
func (c *chance) learn(bit bool) {
	if bit {
		*c -= *c >> 5
	} else {
		*c += (one - *c) >> 5
	}
}

// rangeEncoder writes decisions. Make it with newRangeEncoder.
type rangeEncoder struct {
	out     []byte
	low     uint64 // bit 32 is a carry into what is pending
	width   uint32
	cache   byte // held back, as a carry may still come
	pending int  // bytes held back: cache, then as many 0xFF
	begun   bool // the first byte, always 0, was left out
}

func newRangeEncoder(out []byte) rangeEncoder {
	return rangeEncoder{out: out, width: 1<<32 - 1, pending: 1}
}

// bit writes a decision with the chance of false.
func (e *rangeEncoder) bit(c chance, bit bool) {
	bound := e.width >> oneBits * uint32(c)
	if bit {
		e.low += uint64(bound)
		e.width -= bound
	} else {
		e.width = bound
	}
	e.normalise()
}

// raw writes the low n bits of v as they are; n is at most 32.
func (e *rangeEncoder) raw(v uint64, n uint) {
	for n > 0 {
		step := min(n, 8)
		n -= step
		e.width >>= step
		e.low += uint64(e.width) * (v >> n & (1<<step - 1))
		e.normalise()
	}
}

func (e *rangeEncoder) normalise() {
	for e.width < narrow {
		e.width <<= 8
		e.shift()
	}
}

// shift moves the top byte of low out, or holds it back.
func (e *rangeEncoder) shift() {
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

// size bounds the length of what close will return.
func (e *rangeEncoder) size() int { return len(e.out) + e.pending + 2 }

// close ends the code with as few bytes as tell it apart and returns it. The
// reader takes zeroes for what is not there.
func (e *rangeEncoder) close() []byte {
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

// rangeDecoder reads what a rangeEncoder wrote.
type rangeDecoder struct {
	data        []byte
	next        int // may run past the end of data, where zeroes are read
	code, width uint32
}

func newRangeDecoder(data []byte) rangeDecoder {
	d := rangeDecoder{data: data, width: 1<<32 - 1}
	for range tail {
		d.code = d.code<<8 | d.read()
	}
	return d
}

func (d *rangeDecoder) read() (v uint32) {
	if d.next < len(d.data) {
		v = uint32(d.data[d.next])
	}
	d.next++
	return v
}

// bit reads a decision.
func (d *rangeDecoder) bit(c chance) bool {
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

// raw reads n bits.
func (d *rangeDecoder) raw(n uint) (v uint64) {
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

// fail makes the decoder short.
func (d *rangeDecoder) fail() { d.next = len(d.data) + 64 }

// short says that more was read than can have been written.
func (d *rangeDecoder) short() bool { return d.next > len(d.data)+tail }

// ended says that nothing is left to read.
func (d *rangeDecoder) ended() bool { return d.next >= len(d.data) && !d.short() }
