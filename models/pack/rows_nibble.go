package pack

import (
	"encoding/binary"
	"slices"

	"dowse/models/internal/float"
)

// maxNibble is the largest weight of 4 bits: they are symmetric, and -8 is not used.
const maxNibble = 7

// nibbles writes rows at 4 bits, in the form that Row4Bytes describes. Rows are divided by
// the scales of balance first; each block of outputs has a float16 scale. The error is .11
// of the norm of the weights in each projection of SmolLM2-135M.
type nibbles struct {
	weight []float32 // [N], of the square of an output's error
}

// newNibbles returns the encoder of rows whose outputs have these scales.
func newNibbles(scale []float32) *nibbles {
	n := &nibbles{weight: make([]float32, len(scale))}
	largest := slices.Max(scale)
	for i, s := range scale {
		if s > 0 {
			n.weight[i] = s / largest * (s / largest)
		}
	}
	return n
}

// encode writes a row and adds its weights to the sums of columns.
func (e *nibbles) encode(dst []byte, row []float32, sums []int32) {
	numbers := Numbers4Bytes(len(row))
	clear(dst)
	var q [Block4]int8
	for b := range blocks4(len(row)) {
		from, to := b*Block4, min((b+1)*Block4, len(row))
		clear(q[:])
		scale := quantizeBlock(q[:to-from], row[from:to], e.weight[from:to])
		binary.LittleEndian.PutUint16(dst[numbers+2*b:], scale)
		for i := range dst[from/2 : min((from+Block4)/2, numbers)] {
			first := i/stripBytes*stripWeights + i%stripBytes
			dst[from/2+i] = byte(q[first]+8) | byte(q[first+stripBytes]+8)<<4
		}
		for i, v := range q[:to-from] {
			sums[from+i] += int32(v)
		}
	}
}

// clips are the shares of a block's largest weight that quantizeBlock tries as maxNibble.
var clips = [...]float32{1, 0.93, 0.86, 0.79, 0.72, 0.65}

// quantizeBlock writes the 4-bit form of values to q and returns its scale, a float16. For
// each share of clips it rounds the values and fits the scale to the whole numbers by least
// squares; the scale of least error wins.
func quantizeBlock(q []int8, values, weight []float32) (scale uint16) {
	largest := float32(0)
	for _, v := range values {
		largest = max(largest, v, -v)
	}
	best, fitted := float32(-1), float32(0)
	for _, clip := range clips {
		s := largest * clip / maxNibble
		if s == 0 {
			break
		}
		// The error is the values' square less product*product/square.
		product, square := fitNibbles(values, weight, 1/s)
		if square > 0 && product/square*product > best {
			best, fitted = product/square*product, product/square
		}
	}
	scale = float.ToHalf(fitted)
	inverse := inverseOf(float.FromHalf(scale))
	for i, v := range values {
		q[i] = int8(nibble(v, inverse))
	}
	return scale
}

// inverseOf returns 1/scale, or 0 for 0.
func inverseOf(scale float32) float32 {
	if scale == 0 {
		return 0
	}
	return 1 / scale
}

// nibble returns v*inverse as a whole number, rounded half to even.
func nibble(v, inverse float32) float32 {
	const magic = 3 << 22 // whose last digit has the value 1
	n := v * inverse
	if n > maxNibble {
		return maxNibble
	}
	if n < -maxNibble {
		return -maxNibble
	}
	return float32(n+magic) - magic
}

// fitNibbles returns the weighted sums of n*v and n*n over the values v and their whole
// numbers n: the quotient is the scale of least squared error.
func fitNibbles(values, weight []float32, inverse float32) (product, square float32) {
	weight = weight[:len(values)]
	for i, v := range values {
		n := nibble(v, inverse)
		wn := weight[i] * n
		product += float32(wn * v) // converted, so that no processor fuses it with the sum
		square += float32(wn * n)
	}
	return product, square
}
