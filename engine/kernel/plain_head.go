package kernel

// plainLogits goes word by word; scratch is not needed. Scales of row and word
// are multiplied first, and the outliers of the row are added, as dequantizeRow does.
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
