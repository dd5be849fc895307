// What blocks_kernels.h needs of instruction sets whose products of bytes are added in 32 bits.

// d_run of numbers from -d_zero to d_zero-1 has sums of 4*8*8*127 at most, which are words.
INLINE int d_run(const int bits, const int scaled) { return scaled ? 8 >> bits : 8; }
INLINE int d_zero(const int bits, const int offset) {
	(void)offset;
	return 8 << bits;
}
INLINE int d_begun(const int bits, const int offset, const int scaled) { return scaled ? 8 << bits : offset; }
LANES i16 d_begin(i16 sum, const int bits) {
	(void)bits;
	return sum;
}
LANES i16 d_end(i16 sum, i16 d, const int bits) {
	(void)sum, (void)bits;
	return d;
}
LANES i16 d_scales(i16 scales) { return i_halves(scales, i_zero()); }
