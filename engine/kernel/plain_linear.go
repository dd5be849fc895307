package kernel

import "math"

// zeroPoint is the byte that stands for zero.
const zeroPoint = 128

// Bit patterns of magnitudes; those of positive floats ascend like integers.
const (
	magnitudeMask = 0x7fffffff
	infinityBits  = 0x7f800000
	smallestBits  = (127 - 100) << 23 // 2^-100, below which 127/max could overflow
)

func plainQuantizeRows(q []uint8, scale, x []float32, rows, width int) {
	for row := range rows {
		scale[row] = quantizeRow(q[row*width:(row+1)*width], x[row*width:(row+1)*width])
	}
}

func quantizeRow(q []uint8, x []float32) (scale float32) {
	var largest uint32
	for _, v := range x {
		largest = max(largest, math.Float32bits(v)&magnitudeMask)
	}
	scale, inverse := quantizeScale(largest)
	if inverse == 0 {
		for i := range q {
			q[i] = zeroPoint
		}
		return scale
	}
	for i, v := range x {
		rounded := float32(v*inverse) + magic - magic
		q[i] = uint8(int32(rounded) + zeroPoint)
	}
	return scale
}

// quantizeScale returns the scale of a row by its largest magnitude, and its
// inverse, or 0 where there is nothing to quantise.
func quantizeScale(largest uint32) (scale, inverse float32) {
	switch {
	case largest >= infinityBits:
		return float32(math.NaN()), 0
	case largest < smallestBits:
		return 0, 0
	}
	m := math.Float32frombits(largest)
	return m / 127, 127 / m
}

// plainLinear multiplies row by row; scratch is not needed.
func plainLinear(dst []float32, q []uint8, scale []float32, rows int, w *Linear, activation Activation, _ []byte) {
	product := make([]int32, w.N)
	for row := range rows {
		clear(product)
		for k, v := range q[row*w.K : (row+1)*w.K] {
			a := int32(v) - zeroPoint
			for n, b := range w.Weights[k*w.N : (k+1)*w.N] {
				product[n] += a * int32(b)
			}
		}
		plainDequantize(dst[row*w.N:(row+1)*w.N], product, scale[row:row+1], 1, w, activation)
	}
}

// plainDequantize turns products [rows,N], zero point already subtracted, into
// outputs. The two scales are multiplied first.
func plainDequantize(dst []float32, product []int32, scale []float32, rows int, w *Linear, activation Activation) {
	for row := range rows {
		for n := range w.N {
			y := float32(float32(product[row*w.N+n]) * float32(scale[row]*w.Scale[n]))
			y += w.Bias[n]
			if activation == Gelu {
				y = gelu(y)
			}
			dst[row*w.N+n] = y
		}
	}
}

func plainEmbed(dst []float32, ids []int32, positions []float32, e *Embedding) {
	for i, id := range ids {
		out := dst[i*e.Width : (i+1)*e.Width]
		words := e.Words[int(id)*e.Width:][:e.Width]
		for d := range out {
			place := positions[i*e.Width+d] + e.Type[d]
			out[d] = float32(float32(words[d])*e.WordScale[id]) + place
		}
	}
}
