package kernel

import (
	"math"

	"dowse/models/pack"
)

// zeroPoint is the byte that stands for zero.
const zeroPoint = 128

// Bit patterns of magnitudes; those of positive floats ascend like integers.
const (
	magnitudeMask = 0x7fffffff
	infinityBits  = 0x7f800000
	smallestBits  = (127 - 100) << 23 // of smallestFloat
)

const (
	// smallestFloat is below what 127/max could overflow, and squares vanish.
	smallestFloat = 0x1p-100
	// outlierAbove is how often a row's root mean square an outlier is larger than.
	outlierAbove = 6
)

func plainQuantizeRows(q []uint8, scale []RowScale, x []float32, rows, width int) {
	for row := range rows {
		scale[row] = quantizeRow(q[row*width:(row+1)*width], x[row*width:(row+1)*width])
	}
}

// magnitude is |v| as an integer; a NaN is the largest of all.
func magnitude(v float32) uint32 { return math.Float32bits(v) & magnitudeMask }

func quantizeRow(q []uint8, x []float32) RowScale {
	for i := range q {
		q[i] = zeroPoint
	}
	at := 0
	for i, v := range x {
		if magnitude(v) > magnitude(x[at]) {
			at = i
		}
	}
	if magnitude(x[at]) >= infinityBits {
		return RowScale{Step: float32(math.NaN())}
	}
	scale := outliersOf(x, at)
	rest := uint32(0)
	for i, v := range x {
		if !scale.isOutlier(i) {
			rest = max(rest, magnitude(v))
		}
	}
	step, inverse := stepOf(rest)
	for i, v := range x {
		if inverse != 0 && !scale.isOutlier(i) {
			q[i] = nearestByte(v, inverse)
		}
	}
	scale.Step = step
	return scale
}

// stepOf returns what a unit of a byte stands for, and its inverse, where the largest
// magnitude is given by its bits. The inverse is 0 where all bytes are the zero point.
func stepOf(rest uint32) (step, inverse float32) {
	if rest >= infinityBits {
		return float32(math.NaN()), 0
	}
	if rest < smallestBits {
		return 0, 0
	}
	largest := math.Float32frombits(rest)
	return largest / 127, 127 / largest
}

// nearestByte rounds halves to even.
func nearestByte(v, inverse float32) uint8 {
	rounded := float32(v*inverse) + magic - magic
	return uint8(int32(rounded) + zeroPoint)
}

// outliersOf chooses the outliers of a row whose largest value is at a place.
func outliersOf(x []float32, at int) RowScale {
	var scale RowScale
	squares := plainDot(x, x)
	limit := outlierAbove * float32(math.Sqrt(float64(squares/float32(len(x)))))
	if squares >= smallestFloat {
		for i, v := range x {
			if magnitude(v) > math.Float32bits(limit) && scale.Count < MaxOutliers {
				scale.Outliers[scale.Count] = Outlier{v, int32(i)}
				scale.Count++
			}
		}
	}
	if scale.Count == 0 {
		scale.Outliers[0], scale.Count = Outlier{x[at], int32(at)}, 1
	}
	return scale
}

// isOutlier reports whether the i-th value of the row is an outlier.
func (s *RowScale) isOutlier(i int) bool {
	for _, outlier := range s.Outliers[:s.Count] {
		if int(outlier.At) == i {
			return true
		}
	}
	return false
}

// plainLinear multiplies row by row.
func plainLinear(dst []float32, q []uint8, scale []RowScale, rows int, w *pack.Linear, c Columns, activation Activation, _ []byte) {
	product := make([]int32, w.N)
	for row := range rows {
		clear(product)
		for k, v := range q[row*w.K : (row+1)*w.K] {
			a := int32(v) - zeroPoint
			for n, b := range w.Row(k)[c.From:c.To] {
				product[c.From+n] += a * int32(b)
			}
		}
		dequantizeRow(dst[row*w.N:(row+1)*w.N], product, scale[row], w.Row, w, c, activation)
	}
}

// plainDequantize turns products [rows,N], zero point already subtracted, into
// outputs.
func plainDequantize(dst []float32, product []int32, scale []RowScale, rows int, w *pack.Linear, activation Activation) {
	for row := range rows {
		dequantizeRow(dst[row*w.N:(row+1)*w.N], product[row*w.N:(row+1)*w.N], scale[row], w.Row, w, Columns{To: w.N}, activation)
	}
}

// dequantizeRow multiplies the scales of row and column first; the outliers of the
// row are added to the product before the bias. weights returns the row of a channel.
func dequantizeRow(dst []float32, product []int32, s RowScale, weights func(channel int) []int8, w *pack.Linear, c Columns, activation Activation) {
	var rows [MaxOutliers][]int8
	for p, outlier := range s.Outliers[:s.Count] {
		rows[p] = weights(int(outlier.At))
	}
	for n := c.From; n < c.To; n++ {
		sum := float32(float32(product[n]) * float32(s.Step*w.Scale[n]))
		for p, outlier := range s.Outliers[:s.Count] {
			sum += float32(float32(rows[p][n]) * float32(outlier.Value*w.Scale[n]))
		}
		y := sum + w.Bias[n]
		if activation == Gelu {
			y = gelu(y)
		}
		dst[n] = y
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

// plainLogits goes word by word. Scales of row and word are multiplied first, and outliers
// added, as in dequantizeRow.
func plainLogits(dst []float32, q []uint8, scale []RowScale, rows int, h *Head, c Columns, _ []byte) {
	for row := range rows {
		x, s := q[row*h.Width:(row+1)*h.Width], scale[row]
		for n := c.From; n < c.To; n++ {
			word, product := h.Words[n*h.Width:(n+1)*h.Width], int32(0)
			for i, w := range word {
				product += (int32(x[i]) - zeroPoint) * int32(w)
			}
			y := float32(float32(product) * float32(s.Step*h.WordScale[n]))
			for _, outlier := range s.Outliers[:s.Count] {
				y += float32(float32(word[outlier.At]) * float32(outlier.Value*h.WordScale[n]))
			}
			dst[row*len(h.WordScale)+n] = y
		}
	}
}

func plainAddLowRank(dst []float32, width int, x []float32, rows int, l *LowRank, mixed []float32) {
	for row := range rows {
		input, out := x[row*l.Inputs:(row+1)*l.Inputs], dst[row*width+l.From:][:l.Outputs]
		for i := range l.Rank {
			mixed[i] = plainDot(input, l.Down[i*l.Inputs:(i+1)*l.Inputs]) * l.Scale
		}
		for c := range out {
			sum := float32(0)
			for i := range l.Rank {
				sum += float32(mixed[i] * l.Up[i*l.Outputs+c])
			}
			out[c] += sum
		}
	}
}
