package pack

import "math"

// quantizeRow writes the int8 form of row to dst and returns its scale:
// symmetric, max|w|/127, rounded half to even. A row of zeros has scale 0.
func quantizeRow(dst []int8, row []float32) float32 {
	bits := uint32(0) // of the largest magnitude: they are in its order
	for _, w := range row {
		bits = max(bits, math.Float32bits(w)&^signBit)
	}
	scale := math.Float32frombits(bits) / 127
	if scale == 0 {
		clear(dst[:len(row)])
		return 0
	}
	dst = dst[:len(row)]
	for i, w := range row {
		// Beyond 127 only where scale is so small that it has few digits.
		q := int32(math.RoundToEven(float64(w) / float64(scale)))
		dst[i] = int8(max(-127, min(127, q)))
	}
	return scale
}

const signBit = 1 << 31

// quantizeColumns fills columns of l, from the first on, from rows of a matrix in
// the layout of the source, [output channels, input channels].
func quantizeColumns(l Linear, first int, rows []float32) {
	quantized := make([]int8, len(rows))
	for r := range len(rows) / l.K {
		row := quantized[r*l.K : (r+1)*l.K]
		l.Scale[first+r] = quantizeRow(row, rows[r*l.K:(r+1)*l.K])
		sum := int32(0)
		for _, q := range row {
			sum += int32(q)
		}
		l.ColSum[first+r] = sum
	}
	transpose(l.Weights[first:], l.N, quantized, l.K)
}

// tile is the side of the squares that transpose works on: two of them fit into
// the processor's nearest cache.
const tile = 64

// transpose writes src [rows,columns] to dst [columns,rows], whose rows lie
// stride apart.
func transpose(dst []int8, stride int, src []int8, columns int) {
	rows := len(src) / columns
	for top := 0; top < rows; top += tile {
		bottom := min(top+tile, rows)
		for left := 0; left < columns; left += tile {
			for c := left; c < min(left+tile, columns); c++ {
				to := dst[c*stride+top : c*stride+bottom]
				for r := range to {
					to[r] = src[(top+r)*columns+c]
				}
			}
		}
	}
}
