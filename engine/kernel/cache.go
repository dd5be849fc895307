package kernel

import (
	"fmt"
	"math"
)

// BFloat16 is the upper half of a float32: 8 bits of precision, its whole
// range.
type BFloat16 uint16

// Float32 returns the value.
func (v BFloat16) Float32() float32 { return math.Float32frombits(uint32(v) << 16) }

const bfloat16NaN BFloat16 = 0x7fc0

// roundUpBFloat16 rounds a positive float away from zero.
func roundUpBFloat16(v float32) BFloat16 {
	return BFloat16((math.Float32bits(v) + 0xffff) >> 16)
}

// HeadRows are the keys or the values of cached tokens: for each token the
// vectors of all KV heads, side by side, as floats, as bytes or packed. What
// attention uses is what is stored here, for the token itself too.
type HeadRows struct {
	Floats []float32 // [tokens,KVHeads*HeadDim], or nil
	// Bytes times Scale, one of a vector, where Floats is nil. QuantizeHeads
	// writes them.
	Bytes []int8     // [tokens,KVHeads*HeadDim]
	Scale []BFloat16 // [tokens,KVHeads]
	// Packed takes the place of Bytes and Scale where its Bits are not 0.
	Packed PackedRows
}

// KeyValues are the keys, already rotated, and the values of tokens that follow
// each other.
type KeyValues struct {
	Tokens int
	K, V   HeadRows
}

// QuantizeHeads writes each vector of heads*headDim columns of x as bytes q
// [rows,heads*headDim] around zero with one scale [rows,heads]: a value is
// about q*scale. Rows of x start stride floats apart. The scale is 1/127 of the
// largest magnitude, rounded up to a BFloat16, so that bytes stay in -127..127;
// halves are rounded to even. A vector whose largest magnitude is below 2^-100
// becomes zero, one with an infinity or a NaN gets the scale NaN.
func (k *Kernel) QuantizeHeads(q []int8, scale []BFloat16, x []float32, rows, heads, headDim, stride int) {
	needLen("q", len(q), rows*heads*headDim)
	needLen("scale", len(scale), rows*heads)
	needRows("x", len(x), rows, heads*headDim, stride)
	if len(q) > 0 {
		k.ops.quantizeHeads(q, scale, x, rows, heads, headDim, stride)
	}
}

// need panics when the rows do not have the shape.
func (r *HeadRows) need(name string, tokens, heads, headDim int) {
	if r.Floats != nil {
		needLen(name, len(r.Floats), tokens*heads*headDim)
		return
	}
	if r.Packed.Bits != 0 {
		r.Packed.need(name, tokens, heads, headDim)
		return
	}
	needLen(name, len(r.Bytes), tokens*heads*headDim)
	needLen(fmt.Sprintf("scale of %s", name), len(r.Scale), tokens*heads)
}
