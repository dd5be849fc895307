package pack

import (
	"encoding/binary"
	"math"

	"dowse/models/internal/float"
)

// nibbleBlock is how many outputs share a float16 scale at 4 bits.
const nibbleBlock = 128

// maxNibble is the largest weight of 4 bits: they are symmetric, and -8 is not used.
const maxNibble = 7

// nibbleRowBytes returns the bytes of a row of n weights at 4 bits: for each block
// of outputs 64 bytes of nibbles, then the blocks' scales, padded to whole cache lines.
func nibbleRowBytes(n int) int {
	return int(align(int64(nibbleBlocks(n)*(nibbleBlock/2+2)), arrayAlign))
}

func nibbleBlocks(n int) int { return (n + nibbleBlock - 1) / nibbleBlock }

// nibbles writes rows at 4 bits. Byte i of a block holds output i of the block in
// its lower half and output i+64 in its upper one, each with 8 added to it; what
// lies past the last output is 0.
type nibbles struct {
	weight []float32 // [N], of the square of an output's error
}

// newNibbles returns the encoder of rows whose outputs have these scales.
func newNibbles(scale []float32) *nibbles {
	n := &nibbles{weight: make([]float32, len(scale))}
	for i, s := range scale {
		n.weight[i] = s * s
	}
	return n
}

// encode writes a row and adds its weights to the sums of columns.
func (e *nibbles) encode(dst []byte, row []float32, sums []int32) {
	blocks := nibbleBlocks(len(row))
	clear(dst)
	var q [nibbleBlock]int8
	for b := range blocks {
		from, to := b*nibbleBlock, min((b+1)*nibbleBlock, len(row))
		clear(q[:])
		scale := quantizeBlock(q[:to-from], row[from:to], e.weight[from:to])
		binary.LittleEndian.PutUint16(dst[blocks*nibbleBlock/2+2*b:], scale)
		half := dst[b*nibbleBlock/2 : (b+1)*nibbleBlock/2]
		for i := range half {
			half[i] = byte(q[i]+8) | byte(q[i+nibbleBlock/2]+8)<<4
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
// float16, of those tried the one with the least squared error.
func quantizeBlock(q []int8, values, weight []float32) (scale uint16) {
	largest := float32(0)
	for _, v := range values {
		largest = max(largest, v, -v)
	}
	least := math.Inf(1)
	for _, clip := range clips {
		tried := float.ToHalf(largest * clip / maxNibble)
		s := float.FromHalf(tried)
		if s == 0 {
			break
		}
		// The scale that suits these whole numbers best, and then those that suit it.
		tried = float.ToHalf(fitScale(values, weight, s))
		if e := blockError(values, weight, float.FromHalf(tried)); e < least {
			least, scale = e, tried
		}
	}
	s := float.FromHalf(scale)
	for i, v := range values {
		q[i] = nibble(v, s)
	}
	return scale
}

// nibble returns the whole number that stands for v, rounded half to even.
func nibble(v, scale float32) int8 {
	if scale == 0 {
		return 0
	}
	const magic = 3 << 22 // whose last digit has the value 1
	n := float32(max(-maxNibble, min(maxNibble, v/scale)) + magic)
	return int8(n - magic)
}

// fitScale returns the scale with the least squared error for the whole numbers that
// stand for the values at scale s.
func fitScale(values, weight []float32, s float32) float32 {
	var product, square float64
	for i, v := range values {
		n := float64(nibble(v, s))
		product += float64(float64(weight[i]) * float64(v) * n)
		square += float64(float64(weight[i]) * n * n)
	}
	if square == 0 {
		return s
	}
	return float32(product / square)
}

// blockError returns the squared error of the values at a scale.
func blockError(values, weight []float32, s float32) (sum float64) {
	for i, v := range values {
		e := v - float32(nibble(v, s))*s
		sum += float64(weight[i] * e * e)
	}
	return sum
}
