// The 16 virtual lanes in one AVX-512 register. See lanes_avx2.h for what each
// function means.
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

typedef __m512 v16;
typedef __m512i i16;

#define BESIDE 4
#define V_MAGIC 12582912.0f

LANES v16 v_load(const float *p) { return _mm512_loadu_ps(p); }
LANES void v_store(float *p, v16 a) { _mm512_storeu_ps(p, a); }
LANES v16 v_load_n(const float *p, int n) { return _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), p); }
LANES void v_store_n(float *p, v16 a, int n) { _mm512_mask_storeu_ps(p, (__mmask16)((1u << n) - 1), a); }
LANES v16 v_select_n(v16 a, v16 b, int n) { return _mm512_mask_mov_ps(b, (__mmask16)((1u << n) - 1), a); }
LANES v16 v_set(float x) { return _mm512_set1_ps(x); }
LANES v16 v_add(v16 a, v16 b) { return _mm512_add_ps(a, b); }
LANES v16 v_sub(v16 a, v16 b) { return _mm512_sub_ps(a, b); }
LANES v16 v_mul(v16 a, v16 b) { return _mm512_mul_ps(a, b); }
LANES v16 v_max(v16 a, v16 b) { return _mm512_max_ps(a, b); }
LANES v16 v_min(v16 a, v16 b) { return _mm512_min_ps(a, b); }
LANES v16 v_abs(v16 a) { return _mm512_abs_ps(a); }
LANES v16 v_copysign(v16 a, v16 s) {
	__m512 sign = _mm512_castsi512_ps(_mm512_set1_epi32((int)0x80000000u));
	return _mm512_or_ps(_mm512_andnot_ps(sign, a), _mm512_and_ps(sign, s));
}
LANES v16 v_div(v16 a, v16 b) { return _mm512_div_ps(a, b); }
LANES v16 v_where_negative(v16 s, v16 a, v16 b) {
	return _mm512_mask_mov_ps(b, _mm512_movepi32_mask(_mm512_castps_si512(s)), a);
}
LANES v16 v_raise(v16 a, v16 n) {
	return _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(a), _mm512_slli_epi32(_mm512_castps_si512(n), 23)));
}
LANES float v_sum(v16 a) {
	__m256 b = _mm256_add_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
	__m128 c = _mm_add_ps(_mm256_castps256_ps128(b), _mm256_extractf128_ps(b, 1));
	c = _mm_add_ps(c, _mm_movehl_ps(c, c));
	return _mm_cvtss_f32(_mm_add_ss(c, _mm_movehdup_ps(c)));
}
LANES void v_sum4(float *out, const v16 *a) {
	__m512 s0 = _mm512_add_ps(_mm512_shuffle_f32x4(a[0], a[1], 0x44), _mm512_shuffle_f32x4(a[0], a[1], 0xee));
	__m512 s2 = _mm512_add_ps(_mm512_shuffle_f32x4(a[2], a[3], 0x44), _mm512_shuffle_f32x4(a[2], a[3], 0xee));
	s0 = _mm512_add_ps(_mm512_shuffle_f32x4(s0, s2, 0x88), _mm512_shuffle_f32x4(s0, s2, 0xdd));
	// Each quarter holds what is left of one vector.
	s0 = _mm512_add_ps(s0, _mm512_permute_ps(s0, 0x4e));
	s0 = _mm512_add_ps(s0, _mm512_permute_ps(s0, 0xb1));
	_mm_storeu_ps(out, _mm512_castps512_ps128(_mm512_maskz_compress_ps(0x1111, s0)));
}
LANES float v_largest(v16 a) { return _mm512_reduce_max_ps(a); }

LANES i16 i_load(const int32_t *p) { return _mm512_loadu_si512(p); }
LANES void i_store(int32_t *p, i16 a) { _mm512_storeu_si512(p, a); }
LANES i16 i_add(i16 a, i16 b) { return _mm512_add_epi32(a, b); }
LANES i16 i_round(v16 a) { return _mm512_cvtps_epi32(a); }
LANES i16 i_zero(void) { return _mm512_setzero_si512(); }
LANES i16 i_sub(i16 a, i16 b) { return _mm512_sub_epi32(a, b); }
LANES i16 i_max(i16 a, i16 b) { return _mm512_max_epi32(a, b); }
LANES i16 i_magnitude(v16 a) { return _mm512_castps_si512(_mm512_abs_ps(a)); }
LANES int i_above(i16 a, int32_t than) { return _mm512_cmpgt_epi32_mask(a, _mm512_set1_epi32(than)) != 0; }
LANES int32_t i_largest(i16 a) { return _mm512_reduce_max_epi32(a); }
LANES __m256i i_half(i16 a) { return _mm256_add_epi32(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1)); }
LANES void i_sum4(int32_t *out, const i16 *a) {
	__m256i s = _mm256_hadd_epi32(_mm256_hadd_epi32(i_half(a[0]), i_half(a[1])), _mm256_hadd_epi32(i_half(a[2]), i_half(a[3])));
	_mm_storeu_si128((__m128i *)out, _mm_add_epi32(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1)));
}
LANES v16 v_from_i32(i16 a) { return _mm512_cvtepi32_ps(a); }
LANES v16 v_from_i8(const int8_t *p) {
	return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p)));
}
LANES v16 v_from_u8(const uint8_t *p) {
	return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p)));
}
LANES v16 v_from_f16(const uint16_t *p) {
	__m512i h = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));
	h = _mm512_slli_epi32(_mm512_and_epi32(h, _mm512_set1_epi32(0x7fff)), 13);
	return _mm512_mul_ps(_mm512_castsi512_ps(h), _mm512_set1_ps(0x1p112f));
}
LANES v16 v_from_u4(const uint8_t *p) {
	int64_t word;
	memcpy(&word, p, sizeof word);
	__m512i b = _mm512_cvtepu8_epi32(_mm_set1_epi64x(word));
	b = _mm512_srlv_epi32(b, _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4));
	return _mm512_cvtepi32_ps(_mm512_and_epi32(b, _mm512_set1_epi32(15)));
}
LANES v16 v_from_u2(const uint8_t *p) {
	int32_t word;
	memcpy(&word, p, sizeof word);
	__m512i b = _mm512_cvtepu8_epi32(_mm_set1_epi32(word));
	b = _mm512_srlv_epi32(b, _mm512_setr_epi32(0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6));
	return _mm512_cvtepi32_ps(_mm512_and_epi32(b, _mm512_set1_epi32(3)));
}
LANES void v_to_bytes(uint8_t *p, v16 a) {
	__m512i b = _mm512_add_epi32(_mm512_cvtps_epi32(a), _mm512_set1_epi32(128));
	_mm_storeu_si128((__m128i *)p, _mm512_cvtepi32_epi8(b));
}
LANES void b_from_u4(int8_t *out, const uint8_t *p) {
	const __m512i low = _mm512_set1_epi8(15), eight = _mm512_set1_epi8(8);
	__m512i b = _mm512_loadu_si512(p);
	__m512i lo = _mm512_sub_epi8(_mm512_and_si512(b, low), eight);
	__m512i hi = _mm512_sub_epi8(_mm512_and_si512(_mm512_srli_epi16(b, 4), low), eight);
	_mm512_storeu_si512(out, _mm512_permutex2var_epi64(lo, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), hi));
	_mm512_storeu_si512(out + 64, _mm512_permutex2var_epi64(lo, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), hi));
}
