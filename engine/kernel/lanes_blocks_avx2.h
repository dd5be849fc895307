// What blocks_kernels.h needs of AVX2 but for products, in two registers.
typedef struct { __m256i lo, hi; } b64;

LANES b64 b_make(__m256i lo, __m256i hi) { b64 a = {lo, hi}; return a; }
LANES i16 i_set(int32_t x) { return i_make(_mm256_set1_epi32(x), _mm256_set1_epi32(x)); }
LANES i16 i_mul(i16 a, i16 b) { return i_make(_mm256_mullo_epi32(a.lo, b.lo), _mm256_mullo_epi32(a.hi, b.hi)); }
LANES i16 i_from_u8(const uint8_t *p) {
	__m128i b = _mm_loadu_si128((const __m128i *)p);
	return i_make(_mm256_cvtepu8_epi32(b), _mm256_cvtepu8_epi32(_mm_srli_si128(b, 8)));
}
LANES i16 i_from_i8(const uint8_t *p) {
	__m128i b = _mm_loadu_si128((const __m128i *)p);
	return i_make(_mm256_cvtepi8_epi32(b), _mm256_cvtepi8_epi32(_mm_srli_si128(b, 8)));
}
LANES i16 i_pairs(const uint8_t *p) {
	return i_make(_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)p)), _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(p + 16))));
}
LANES i16 i_halves(i16 a, i16 b) {
	return i_make(_mm256_blend_epi16(a.lo, _mm256_slli_epi32(b.lo, 16), 0xaa), _mm256_blend_epi16(a.hi, _mm256_slli_epi32(b.hi, 16), 0xaa));
}
LANES i16 i_dot_pairs(i16 sum, i16 words, int32_t pair) {
	__m256i x = _mm256_set1_epi32(pair);
	return i_add(sum, i_make(_mm256_madd_epi16(words.lo, x), _mm256_madd_epi16(words.hi, x)));
}
LANES v16 i_as_float(i16 a) { return v_make(_mm256_castsi256_ps(a.lo), _mm256_castsi256_ps(a.hi)); }
LANES v16 v_fma(v16 a, v16 b, v16 c) { return v_make(_mm256_fmadd_ps(a.lo, b.lo, c.lo), _mm256_fmadd_ps(a.hi, b.hi, c.hi)); }
LANES __m256 half_signed_f16(__m128i h) {
	__m256i wide = _mm256_cvtepu16_epi32(h);
	__m256 sign = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_srli_epi32(wide, 15), 31));
	return _mm256_or_ps(half_f16(h), sign);
}
LANES v16 v_from_signed_f16(const uint16_t *p) {
	return v_make(half_signed_f16(_mm_loadu_si128((const __m128i *)p)), half_signed_f16(_mm_loadu_si128((const __m128i *)(p + 8))));
}
LANES b64 b_load(const uint8_t *p) {
	return b_make(_mm256_loadu_si256((const __m256i *)p), _mm256_loadu_si256((const __m256i *)(p + 32)));
}
LANES void b_store(uint8_t *p, b64 a) {
	_mm256_storeu_si256((__m256i *)p, a.lo);
	_mm256_storeu_si256((__m256i *)(p + 32), a.hi);
}
LANES b64 b_hold(b64 a) { return a; }
LANES b64 b_and(b64 a, int mask) {
	__m256i m = _mm256_set1_epi8((char)mask);
	return b_make(_mm256_and_si256(a.lo, m), _mm256_and_si256(a.hi, m));
}
LANES b64 b_low(b64 a) { return b_and(a, 15); }
LANES b64 b_high(b64 a) { return b_and(b_make(_mm256_srli_epi16(a.lo, 4), _mm256_srli_epi16(a.hi, 4)), 15); }
LANES b64 b_bits(b64 a, int shift, int bits) {
	a = shift > 4 ? b_make(_mm256_srli_epi16(a.lo, shift - 4), _mm256_srli_epi16(a.hi, shift - 4))
		: b_make(_mm256_slli_epi16(a.lo, 4 - shift), _mm256_slli_epi16(a.hi, 4 - shift));
	return b_and(a, ((1 << bits) - 1) << 4);
}
LANES b64 b_level(b64 a) {
	static const uint8_t table[16] = BLOCK_LEVELS;
	__m256i levels = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
	return b_make(_mm256_shuffle_epi8(levels, a.lo), _mm256_shuffle_epi8(levels, a.hi));
}
LANES b64 b_or(b64 a, b64 b) { return b_make(_mm256_or_si256(a.lo, b.lo), _mm256_or_si256(a.hi, b.hi)); }
LANES b64 b_ready(b64 a, int offset) {
	(void)offset;
	return a;
}
