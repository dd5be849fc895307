package kernel

import (
	"slices"
	"unsafe"
)

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

// plainLinearRows adds row by row; outliers are the weights of those of the scale, and
// scratch is not needed.
func plainLinearRows(dst []float32, q []uint8, scale *RowScale, outliers []*int8, channels []int32, rows []*int8, w *Linear, c Columns, _ []byte) {
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
