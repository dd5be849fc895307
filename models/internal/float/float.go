package float

import "math"

// FromHalf converts an IEEE 754 half-precision number (binary16). The payload
// of a not-a-number is kept.
func FromHalf(h uint16) float32 {
	sign := uint32(h>>15) << 31
	exponent, fraction := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0: // zero and subnormal numbers: fraction * 2^-24
		f := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f: // infinity and not-a-number
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// FromBrain converts a bfloat16 number: the upper half of a float32.
func FromBrain(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }
