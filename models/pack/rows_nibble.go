package pack

import (
	"encoding/binary"
	"slices"

	"dowse/models/internal/float"
)

// nibbleBlock is how many outputs share a float16 scale at 4 bits.
const nibbleBlock = 128

// maxNibble is the largest weight of 4 bits: they are symmetric, and -8 is not used.
const maxNibble = 7

// A strip is the weights whose numbers of 4 bits lie side by side in 16 bytes.
const (
	stripWeights = 32
	stripBytes   = stripWeights / 2
)

// nibbleRowBytes returns the bytes of a row of n weights at 4 bits: 16 bytes for each
// strip, then a float16 scale for each block of outputs, padded to whole cache lines.
func nibbleRowBytes(n int) int {
	return int(align(int64(numberBytes(n)+2*nibbleBlocks(n)), arrayAlign))
}

// numberBytes returns the bytes of the numbers of n weights.
func numberBytes(n int) int { return (n + stripWeights - 1) / stripWeights * stripBytes }

func nibbleBlocks(n int) int { return (n + nibbleBlock - 1) / nibbleBlock }

// nibbles writes rows at 4 bits. Byte i of a strip holds its weight i in the lower half
// and weight i+16 in the upper one, each with 8 added to it; what lies past the last
// output is 0. The kernels read it so.
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
	numbers := numberBytes(len(row))
	clear(dst)
	var q [nibbleBlock]int8
	for b := range nibbleBlocks(len(row)) {
		from, to := b*nibbleBlock, min((b+1)*nibbleBlock, len(row))
		clear(q[:])
		scale := quantizeBlock(q[:to-from], row[from:to], e.weight[from:to])
		binary.LittleEndian.PutUint16(dst[numbers+2*b:], scale)
		for i := range dst[from/2 : min((from+nibbleBlock)/2, numbers)] {
			first := i/stripBytes*stripWeights + i%stripBytes
			dst[from/2+i] = byte(q[first]+8) | byte(q[first+stripBytes]+8)<<4
		}
		for i, v := range q[:to-from] {
			sums[from+i] += int32(v)
		}
	}
}

// clips are the shares of a block's largest weight that are tried for the one that
// becomes maxNibble.
var clips = [...]float32{1, 0.93, 0.86, 0.79, 0.72, 0.65}

// quantizeBlock writes the 4-bit form of values to q and returns its scale, a
// float16. For each share of clips it rounds the values and fits the scale to the
// whole numbers by least squares; of these the one with the least error is chosen.
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

// inverseOf returns what values of a scale are multiplied with to be whole numbers.
func inverseOf(scale float32) float32 {
	if scale == 0 {
		return 0
	}
	return 1 / scale
}

// nibble returns the whole number that stands for v, rounded half to even.
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

// fitNibbles returns the products of the values and of the squares of the whole numbers
// that stand for them with the weights: their quotient is the scale with the least
// squared error.
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
