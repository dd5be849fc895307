package gguf

// Superblocks of 256 numbers: a scale of half precision for all of them, and
// small integers that scale each part of 32 or 16 numbers.

// partScales unpacks the eight scales and eight minima of six bits that Q4_K
// and Q5_K keep in 12 bytes: those of the first four parts in the low bits of
// bytes 0-3 and 4-7, those of the others split between the halves of bytes
// 8-11 and the two bits that are left in the bytes before.
func partScales(b []byte) (scales, minima [8]byte) {
	for i := range 4 {
		scales[i], minima[i] = b[i]&63, b[i+4]&63
		scales[i+4] = b[i+8]&15 | b[i]>>6<<4
		minima[i+4] = b[i+8]>>4 | b[i+4]>>6<<4
	}
	return scales, minima
}

// readQ4K reads scale, scale of the minima, 12 bytes of both for the parts,
// 128 bytes of quants: of each 32 bytes, the low halves are one part and the
// high halves the next.
func readQ4K(dst []float32, b []byte) {
	for ; len(dst) > 0; dst, b = dst[superblock:], b[144:] {
		scales, minima := partScales(b[4:16])
		for part := range 8 {
			scale := half(b) * float32(scales[part])
			minimum := float32(half(b[2:]) * float32(minima[part]))
			quants, shift := b[16+part/2*32:][:32], part%2*4
			for i, q := range quants {
				dst[part*32+i] = float32(scale*float32(q>>shift&15)) - minimum
			}
		}
	}
}

// readQ5K is readQ4K with a fifth bit of all numbers: 32 bytes before the
// quants, bit p of byte i for number i of part p.
func readQ5K(dst []float32, b []byte) {
	for ; len(dst) > 0; dst, b = dst[superblock:], b[176:] {
		scales, minima := partScales(b[4:16])
		high := b[16:48]
		for part := range 8 {
			scale := half(b) * float32(scales[part])
			minimum := float32(half(b[2:]) * float32(minima[part]))
			quants, shift := b[48+part/2*32:][:32], part%2*4
			for i, q := range quants {
				value := q>>shift&15 | high[i]>>part&1<<4
				dst[part*32+i] = float32(scale*float32(value)) - minimum
			}
		}
	}
}

// readQ6K reads 128 bytes of low halves, 64 bytes of two high bits, 16 signed
// scales, scale: each half of the numbers is four runs of 32, whose low halves
// lie in the low and then in the high bits of 64 bytes, and whose high bits lie
// in the same 32 bytes. A number is scale * partScale * (q-32).
func readQ6K(dst []float32, b []byte) {
	for ; len(dst) > 0; dst, b = dst[superblock:], b[210:] {
		scale := half(b[208:])
		for run := range 8 {
			group, place := run/4, run%4
			low, high := b[group*64+place%2*32:][:32], b[128+group*32:][:32]
			for i := range 32 {
				q := int(low[i]>>(place/2*4)&15) | int(high[i]>>(2*place)&3)<<4
				part := scale * float32(int8(b[192+run*2+i/16]))
				dst[run*32+i] = part * float32(q-32)
			}
		}
	}
}
