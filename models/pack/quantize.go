package pack

import "math"

// quantizeRow writes the int8 form of row to dst[0], dst[stride], ... and
// returns its scale: symmetric, max|w|/127, rounded half to even. A row of
// zeros has scale 0.
func quantizeRow(dst []int8, stride int, row []float32) float32 {
	largest := float32(0)
	for _, w := range row {
		largest = max(largest, float32(math.Abs(float64(w))))
	}
	scale := largest / 127
	if scale == 0 {
		for i := range row {
			dst[i*stride] = 0
		}
		return 0
	}
	for i, w := range row {
		q := math.RoundToEven(float64(w) / float64(scale))
		dst[i*stride] = int8(max(-127, min(127, q)))
	}
	return scale
}

// quantizeColumns fills columns [first, first+rows) of l from a matrix in the
// layout of the source, [output channels, input channels], and its bias.
func quantizeColumns(l Linear, first int, weights, bias []float32) {
	rows := len(bias)
	for r := range rows {
		n := first + r
		l.Scale[n] = quantizeRow(l.Weights[n:], l.N, weights[r*l.K:(r+1)*l.K])
		l.Bias[n] = bias[r]
		sum := int32(0)
		for k := range l.K {
			sum += int32(l.Weights[k*l.N+n])
		}
		l.ColSum[n] = sum
	}
}
