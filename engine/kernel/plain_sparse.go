package kernel

import (
	"encoding/binary"
	"math"
	"slices"
	"unsafe"

	"dowse/models/pack"
)

// row4 is the numbers and the scales of a row of 4 bits.
type row4 []uint8

func row4At(p *int8, n int) row4 { return unsafe.Slice((*uint8)(unsafe.Pointer(p)), pack.Row4Bytes(n)) }

// weight returns a number of the row.
func (r row4) weight(n int) int8 {
	b := r[n/32*16+n%16]
	return int8(b>>(n%32/16*4)&15) - 8
}

// scale returns that of a block, of a row of n weights.
func (r row4) scale(block, n int) float32 {
	return float16(binary.LittleEndian.Uint16(r[pack.Numbers4Bytes(n)+2*block:]))
}

// float16 returns the value of a half that is finite and not negative.
func float16(h uint16) float32 { return math.Float32frombits(uint32(h&0x7fff)<<13) * 0x1p112 }

// plainLinear4 goes row by row and block by block.
func plainLinear4(dst, x []float32, scale []RowScale, outliers []*int8, channels []int32, weights []*int8, w *pack.Linear, c Columns, _ []byte) {
	for row := range scale {
		for block := c.From / pack.Block4; block*pack.Block4 < c.To; block++ {
			columns := Columns{max(c.From, block*pack.Block4), min(c.To, (block+1)*pack.Block4)}
			plainBlock4(dst[row*w.N:][:w.N], x[row*w.K:][:w.K], &scale[row], outliers[row*MaxOutliers:],
				channels, weights, w, block, columns)
		}
	}
}

// plainBlock4 is a projection of bytes, of inputs quantised with the scales of the block.
func plainBlock4(dst, x []float32, row *RowScale, outliers []*int8, channels []int32, weights []*int8, w *pack.Linear, block int, c Columns) {
	values, rest := make([]float32, len(channels)), uint32(0)
	for i, channel := range channels {
		if !row.isOutlier(int(channel)) {
			values[i] = x[channel] * row4At(weights[i], w.N).scale(block, w.N)
			rest = max(rest, magnitude(values[i]))
		}
	}
	step, inverse := stepOf(rest)
	product := make([]int32, w.N)
	for i, v := range values {
		if inverse == 0 {
			break
		}
		a, bytes := int32(nearestByte(v, inverse))-zeroPoint, row4At(weights[i], w.N)
		for n := c.From; n < c.To; n++ {
			product[n] += a * int32(bytes.weight(n))
		}
	}
	scale, expanded := RowScale{Step: step, Count: row.Count}, map[int][]int8{}
	for p, outlier := range row.Outliers[:row.Count] {
		bytes := row4At(outliers[p], w.N)
		scale.Outliers[p] = Outlier{outlier.Value * bytes.scale(block, w.N), outlier.At}
		expanded[int(outlier.At)] = make([]int8, w.N)
		for n := c.From; n < c.To; n++ {
			expanded[int(outlier.At)][n] = bytes.weight(n)
		}
	}
	dequantizeRow(dst, product, scale, func(channel int) []int8 { return expanded[channel] }, w, c, None)
}

func plainScaleInputs(dst, x, in []float32, rows int) {
	for row := range rows {
		for j, factor := range in {
			dst[row*len(in)+j] = x[row*len(in)+j] * factor
		}
	}
}

// plainMask returns how many channels it wrote.
func plainMask(x, in []float32, threshold float32, channels []int32) int {
	count := 0
	for j := range x {
		if in != nil {
			x[j] *= in[j]
		}
		if v := x[j]; v <= threshold && v >= -threshold {
			x[j] = 0
			continue
		}
		channels[count] = int32(j)
		count++
	}
	return count
}

// plainLinearRows adds row by row. outliers are the weights of scale.Outliers.
func plainLinearRows(dst []float32, q []uint8, scale *RowScale, outliers []*int8, channels []int32, rows []*int8, w *pack.Linear, c Columns, _ []byte) {
	product := make([]int32, w.N)
	for i, channel := range channels {
		a := int32(q[channel]) - zeroPoint
		for n, b := range unsafe.Slice(rows[i], w.N)[c.From:c.To] {
			product[c.From+n] += a * int32(b)
		}
	}
	weights := func(channel int) []int8 {
		return unsafe.Slice(outliers[slices.IndexFunc(scale.Outliers[:], func(o Outlier) bool { return int(o.At) == channel })], w.N)
	}
	dequantizeRow(dst, product, *scale, weights, w, c, None)
}
