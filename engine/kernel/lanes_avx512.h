// The 16 virtual lanes in one AVX-512 register. See lanes_avx2.h for what each
// function means.
#include <immintrin.h>
#include <stdint.h>

typedef __m512 v16;
typedef __m512i i16;

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
LANES v16 v_pow2(v16 n) {
	__m512i e = _mm512_add_epi32(_mm512_cvtps_epi32(n), _mm512_set1_epi32(127));
	return _mm512_castsi512_ps(_mm512_slli_epi32(e, 23));
}
LANES float v_sum(v16 a) {
	__m256 b = _mm256_add_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
	__m128 c = _mm_add_ps(_mm256_castps256_ps128(b), _mm256_extractf128_ps(b, 1));
	c = _mm_add_ps(c, _mm_movehl_ps(c, c));
	return _mm_cvtss_f32(_mm_add_ss(c, _mm_movehdup_ps(c)));
}
LANES float v_largest(v16 a) { return _mm512_reduce_max_ps(a); }

LANES i16 i_load(const int32_t *p) { return _mm512_loadu_si512(p); }
LANES i16 i_sub(i16 a, i16 b) { return _mm512_sub_epi32(a, b); }
LANES i16 i_max(i16 a, i16 b) { return _mm512_max_epi32(a, b); }
LANES i16 i_magnitude(v16 a) { return _mm512_castps_si512(_mm512_abs_ps(a)); }
LANES int32_t i_largest(i16 a) { return _mm512_reduce_max_epi32(a); }
LANES v16 v_from_i32(i16 a) { return _mm512_cvtepi32_ps(a); }
LANES v16 v_from_i8(const int8_t *p) {
	return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p)));
}
LANES void v_to_bytes(uint8_t *p, v16 a) {
	__m512i b = _mm512_add_epi32(_mm512_cvtps_epi32(a), _mm512_set1_epi32(128));
	_mm_storeu_si128((__m128i *)p, _mm512_cvtepi32_epi8(b));
}
