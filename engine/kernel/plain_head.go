package kernel

// plainLogits goes word by word; scratch is not needed. Scales of row and word
// are multiplied first, and the peaks of the row are added, as dequantizeRow does.
func plainLogits(dst []float32, q []uint8, scale []RowScale, rows int, h *Head, c Columns, _ []byte) {
	for row := range rows {
		x, s := q[row*h.Width:(row+1)*h.Width], scale[row]
		for n := c.From; n < c.To; n++ {
			word, product := h.Words[n*h.Width:(n+1)*h.Width], int32(0)
			for i, w := range word {
				product += (int32(x[i]) - zeroPoint) * int32(w)
			}
			y := float32(float32(product) * float32(s.Step*h.WordScale[n]))
			for _, peak := range s.Peaks[:s.Count] {
				y += float32(float32(word[peak.At]) * float32(peak.Value*h.WordScale[n]))
			}
			dst[row*len(h.WordScale)+n] = y
		}
	}
}

// plainSelectLogits sums in the lanes of plainDot.
func plainSelectLogits(dst, x []float32, rows int, ids []int32, h *Head) {
	for row := range rows {
		for c, id := range ids {
			var l [lanes]float32
			for i, w := range h.Words[int(id)*h.Width:][:h.Width] {
				l[i%lanes] += float32(x[row*h.Width+i] * float32(w))
			}
			dst[row*len(ids)+c] = foldSum(&l) * h.WordScale[id]
		}
	}
}
