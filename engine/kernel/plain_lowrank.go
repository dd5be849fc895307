package kernel

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
