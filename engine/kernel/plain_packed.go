package kernel

// unpackHead writes the vector of one head of one row to dst [HeadDim].
func unpackHead(dst []float32, in *PackedRows, row, head, heads int) {
	columns, vector := padLanes(len(dst)), row*heads+head
	if in.Unit == nil {
		scale, low := in.Scale[vector].Float32(), in.Min[vector].Float32()
		for d := range dst {
			dst[d] = float32(float32(in.get(vector, d, columns))*scale) + low
		}
		return
	}
	for d := range dst {
		scale := float32(in.ChannelScale[head*columns+d]) * in.Unit[2*head]
		low := float32(in.ChannelMin[head*columns+d]) * in.Unit[2*head+1]
		dst[d] = float32(float32(in.get(vector, d, columns))*scale) + float32(low)
	}
}
