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

// ToHalf converts to the nearest half-precision number, half to even. What is too
// large becomes infinite.
func ToHalf(f float32) uint16 {
	bits := math.Float32bits(f)
	sign, magnitude := uint16(bits>>16)&(1<<15), bits&^(1<<31)
	switch {
	case magnitude > 0xff<<23: // not a number
		return sign | 0x7e00 | uint16(magnitude>>13&0x3ff)
	case magnitude >= (127+16)<<23-1<<12: // rounds to 2^16 or more
		return sign | 0x7c00
	case magnitude < (127-14)<<23: // subnormal, or zero: in units of 2^-24
		return sign | uint16(math.RoundToEven(float64(math.Float32frombits(magnitude))*(1<<24)))
	}
	rounded := magnitude + 0xfff + magnitude>>13&1
	return sign | uint16((rounded-(127-15)<<23)>>13)
}
