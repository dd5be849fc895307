// What blocks_kernels.h needs of AVX-512.
typedef __m512i b64;

LANES i16 i_set(int32_t x) { return _mm512_set1_epi32(x); }
LANES i16 i_mul(i16 a, i16 b) { return _mm512_mullo_epi32(a, b); }
LANES i16 i_from_u8(const uint8_t *p) { return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p)); }
LANES i16 i_from_i8(const uint8_t *p) { return _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p)); }
LANES i16 i_pairs(const uint8_t *p) { return _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)p)); }
LANES i16 i_halves(i16 a, i16 b) { return _mm512_mask_mov_epi16(a, 0xaaaaaaaau, _mm512_slli_epi32(b, 16)); }
LANES i16 i_dot_pairs(i16 sum, i16 words, int32_t pair) { return _mm512_dpwssd_epi32(sum, words, _mm512_set1_epi32(pair)); }
LANES v16 i_as_float(i16 a) { return _mm512_castsi512_ps(a); }
LANES v16 v_fma(v16 a, v16 b, v16 c) { return _mm512_fmadd_ps(a, b, c); }
LANES v16 v_from_signed_f16(const uint16_t *p) { return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p)); }
LANES b64 b_load(const uint8_t *p) { return _mm512_loadu_si512(p); }
LANES void b_store(uint8_t *p, b64 a) { _mm512_storeu_si512(p, a); }
LANES b64 b_hold(b64 a) {
	__asm__("" : "+v"(a));
	return a;
}
LANES b64 b_low(b64 a) { return _mm512_and_si512(a, _mm512_set1_epi8(15)); }
LANES b64 b_high(b64 a) { return _mm512_and_si512(_mm512_srli_epi16(a, 4), _mm512_set1_epi8(15)); }
LANES b64 b_bits(b64 a, int shift, int bits) {
	a = shift > 4 ? _mm512_srli_epi16(a, (unsigned)(shift - 4)) : _mm512_slli_epi16(a, (unsigned)(4 - shift));
	return _mm512_and_si512(a, _mm512_set1_epi8((char)(((1 << bits) - 1) << 4)));
}
LANES b64 b_level(b64 a) {
	static const uint8_t table[16] = BLOCK_LEVELS;
	return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)table)), a);
}
LANES b64 b_or(b64 a, b64 b) { return _mm512_or_si512(a, b); }
LANES b64 b_ready(b64 a, int offset) {
	(void)offset;
	return a;
}

#include "vnni_blocks.h"
LANES i16 d_dot(i16 d, b64 w, int32_t four, const int bits) {
	(void)bits;
	return _mm512_dpbusd_epi32(d, w, _mm512_set1_epi32(four));
}
LANES i16 d_scale(i16 sum, i16 d, i16 scales) { return _mm512_dpwssd_epi32(sum, d, scales); }
