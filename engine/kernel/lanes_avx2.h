// The 16 virtual lanes in two AVX2 registers.
//
// v16 are 16 floats, i16 are 16 integers of 32 bits. Functions that end in _n
// touch the first n lanes alone, 0 <= n < 16.
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

typedef struct { __m256 lo, hi; } v16;
typedef struct { __m256i lo, hi; } i16;

// BESIDE is how many vectors are computed side by side (float_kernels.h).
#define BESIDE 2

LANES v16 v_make(__m256 lo, __m256 hi) { v16 a = {lo, hi}; return a; }
LANES i16 i_make(__m256i lo, __m256i hi) { i16 a = {lo, hi}; return a; }

LANES v16 v_load(const float *p) { return v_make(_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)); }
LANES void v_store(float *p, v16 a) { _mm256_storeu_ps(p, a.lo); _mm256_storeu_ps(p + 8, a.hi); }
// v_load_n reads n floats; the other lanes are zero.
LANES v16 v_load_n(const float *p, int n) {
	float lanes[16] = {0};
	memcpy(lanes, p, (size_t)n * sizeof(float));
	return v_load(lanes);
}
LANES void v_store_n(float *p, v16 a, int n) {
	float lanes[16];
	v_store(lanes, a);
	memcpy(p, lanes, (size_t)n * sizeof(float));
}
// v_select_n takes the first n lanes from a and the others from b.
LANES v16 v_select_n(v16 a, v16 b, int n) {
	float lanes[16];
	v_store(lanes, b);
	v_store_n(lanes, a, n);
	return v_load(lanes);
}
LANES v16 v_set(float x) { return v_make(_mm256_set1_ps(x), _mm256_set1_ps(x)); }
LANES v16 v_add(v16 a, v16 b) { return v_make(_mm256_add_ps(a.lo, b.lo), _mm256_add_ps(a.hi, b.hi)); }
LANES v16 v_sub(v16 a, v16 b) { return v_make(_mm256_sub_ps(a.lo, b.lo), _mm256_sub_ps(a.hi, b.hi)); }
LANES v16 v_mul(v16 a, v16 b) { return v_make(_mm256_mul_ps(a.lo, b.lo), _mm256_mul_ps(a.hi, b.hi)); }
// v_max is a > b ? a : b, v_min is a < b ? a : b: of a NaN and b they give b.
LANES v16 v_max(v16 a, v16 b) { return v_make(_mm256_max_ps(a.lo, b.lo), _mm256_max_ps(a.hi, b.hi)); }
LANES v16 v_min(v16 a, v16 b) { return v_make(_mm256_min_ps(a.lo, b.lo), _mm256_min_ps(a.hi, b.hi)); }
LANES v16 v_abs(v16 a) {
	__m256 sign = _mm256_set1_ps(-0.0f);
	return v_make(_mm256_andnot_ps(sign, a.lo), _mm256_andnot_ps(sign, a.hi));
}
// v_copysign is |a| with the sign of s.
LANES v16 v_copysign(v16 a, v16 s) {
	__m256 sign = _mm256_set1_ps(-0.0f);
	return v_make(_mm256_or_ps(_mm256_andnot_ps(sign, a.lo), _mm256_and_ps(sign, s.lo)),
		_mm256_or_ps(_mm256_andnot_ps(sign, a.hi), _mm256_and_ps(sign, s.hi)));
}
LANES v16 v_div(v16 a, v16 b) { return v_make(_mm256_div_ps(a.lo, b.lo), _mm256_div_ps(a.hi, b.hi)); }
// v_where_negative takes lanes from a where the sign bit of s is set, and from b
// elsewhere.
LANES v16 v_where_negative(v16 s, v16 a, v16 b) {
	return v_make(_mm256_blendv_ps(b.lo, a.lo, s.lo), _mm256_blendv_ps(b.hi, a.hi, s.hi));
}
LANES __m256 half_raise(__m256 a, __m256 n) {
	return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(a), _mm256_slli_epi32(_mm256_castps_si256(n), 23)));
}
// V_MAGIC is magic.
#define V_MAGIC 12582912.0f
// v_raise is a*2^(n-V_MAGIC), where both are no less than the smallest normal float: what
// magic adds to an integer leaves that in its lowest bits, from which the exponent gets it.
LANES v16 v_raise(v16 a, v16 n) { return v_make(half_raise(a.lo, n.lo), half_raise(a.hi, n.hi)); }
// v_sum folds the lanes in halves, as foldSum does in Go.
LANES float v_sum(v16 a) {
	__m256 b = _mm256_add_ps(a.lo, a.hi);
	__m128 c = _mm_add_ps(_mm256_castps256_ps128(b), _mm256_extractf128_ps(b, 1));
	c = _mm_add_ps(c, _mm_movehl_ps(c, c));
	return _mm_cvtss_f32(_mm_add_ss(c, _mm_movehdup_ps(c)));
}
// v_sum4 writes the v_sum of each of four vectors.
LANES void v_sum4(float *out, const v16 *a) {
	__m256 s0 = _mm256_add_ps(a[0].lo, a[0].hi), s1 = _mm256_add_ps(a[1].lo, a[1].hi);
	__m256 s2 = _mm256_add_ps(a[2].lo, a[2].hi), s3 = _mm256_add_ps(a[3].lo, a[3].hi);
	s0 = _mm256_add_ps(_mm256_permute2f128_ps(s0, s1, 0x20), _mm256_permute2f128_ps(s0, s1, 0x31));
	s2 = _mm256_add_ps(_mm256_permute2f128_ps(s2, s3, 0x20), _mm256_permute2f128_ps(s2, s3, 0x31));
	// Each half holds two vectors of 2 lanes, 0 and 2 or 1 and 3.
	s0 = _mm256_add_ps(_mm256_shuffle_ps(s0, s2, 0x44), _mm256_shuffle_ps(s0, s2, 0xee));
	s0 = _mm256_add_ps(s0, _mm256_permute_ps(s0, 0xb1));
	__m128 even = _mm256_castps256_ps128(s0), odd = _mm256_extractf128_ps(s0, 1);
	even = _mm_shuffle_ps(even, odd, 0x88); // 0, 2, 1, 3
	_mm_storeu_ps(out, _mm_permute_ps(even, 0xd8));
}
// v_largest is the maximum of the lanes, none of which is a NaN.
LANES float v_largest(v16 a) {
	__m256 b = _mm256_max_ps(a.lo, a.hi);
	__m128 c = _mm_max_ps(_mm256_castps256_ps128(b), _mm256_extractf128_ps(b, 1));
	c = _mm_max_ps(c, _mm_movehl_ps(c, c));
	return _mm_cvtss_f32(_mm_max_ss(c, _mm_movehdup_ps(c)));
}

LANES i16 i_load(const int32_t *p) {
	return i_make(_mm256_loadu_si256((const __m256i *)p), _mm256_loadu_si256((const __m256i *)(p + 8)));
}
LANES void i_store(int32_t *p, i16 a) {
	_mm256_storeu_si256((__m256i *)p, a.lo);
	_mm256_storeu_si256((__m256i *)(p + 8), a.hi);
}
LANES i16 i_add(i16 a, i16 b) { return i_make(_mm256_add_epi32(a.lo, b.lo), _mm256_add_epi32(a.hi, b.hi)); }
// i_round rounds halves to even.
LANES i16 i_round(v16 a) { return i_make(_mm256_cvtps_epi32(a.lo), _mm256_cvtps_epi32(a.hi)); }
LANES i16 i_zero(void) { return i_make(_mm256_setzero_si256(), _mm256_setzero_si256()); }
LANES i16 i_sub(i16 a, i16 b) { return i_make(_mm256_sub_epi32(a.lo, b.lo), _mm256_sub_epi32(a.hi, b.hi)); }
LANES i16 i_max(i16 a, i16 b) { return i_make(_mm256_max_epi32(a.lo, b.lo), _mm256_max_epi32(a.hi, b.hi)); }
// i_magnitude is the bit pattern of |a|.
LANES i16 i_magnitude(v16 a) {
	v16 b = v_abs(a);
	return i_make(_mm256_castps_si256(b.lo), _mm256_castps_si256(b.hi));
}
// i_above reports whether a lane is larger.
LANES int i_above(i16 a, int32_t than) {
	__m256i t = _mm256_set1_epi32(than);
	return _mm256_movemask_epi8(_mm256_or_si256(_mm256_cmpgt_epi32(a.lo, t), _mm256_cmpgt_epi32(a.hi, t))) != 0;
}
LANES int32_t i_largest(i16 a) {
	__m256i b = _mm256_max_epi32(a.lo, a.hi);
	__m128i c = _mm_max_epi32(_mm256_castsi256_si128(b), _mm256_extracti128_si256(b, 1));
	c = _mm_max_epi32(c, _mm_shuffle_epi32(c, 0x4e));
	return _mm_cvtsi128_si32(_mm_max_epi32(c, _mm_shuffle_epi32(c, 0xb1)));
}
// i_sum4 writes the sum of the lanes of each of four vectors.
LANES void i_sum4(int32_t *out, const i16 *a) {
	__m256i s0 = _mm256_hadd_epi32(_mm256_add_epi32(a[0].lo, a[0].hi), _mm256_add_epi32(a[1].lo, a[1].hi));
	__m256i s2 = _mm256_hadd_epi32(_mm256_add_epi32(a[2].lo, a[2].hi), _mm256_add_epi32(a[3].lo, a[3].hi));
	s0 = _mm256_hadd_epi32(s0, s2);
	_mm_storeu_si128((__m128i *)out, _mm_add_epi32(_mm256_castsi256_si128(s0), _mm256_extracti128_si256(s0, 1)));
}
LANES v16 v_from_i32(i16 a) { return v_make(_mm256_cvtepi32_ps(a.lo), _mm256_cvtepi32_ps(a.hi)); }
// v_from_i8 reads 16 signed bytes.
LANES v16 v_from_i8(const int8_t *p) {
	__m128i b = _mm_loadu_si128((const __m128i *)p);
	return v_from_i32(i_make(_mm256_cvtepi8_epi32(b), _mm256_cvtepi8_epi32(_mm_srli_si128(b, 8))));
}
// v_from_u8 reads 16 unsigned bytes.
LANES v16 v_from_u8(const uint8_t *p) {
	__m128i b = _mm_loadu_si128((const __m128i *)p);
	return v_from_i32(i_make(_mm256_cvtepu8_epi32(b), _mm256_cvtepu8_epi32(_mm_srli_si128(b, 8))));
}
LANES __m256 half_f16(__m128i h) {
	__m256i bits = _mm256_and_si256(_mm256_cvtepu16_epi32(h), _mm256_set1_epi32(0x7fff));
	return _mm256_mul_ps(_mm256_castsi256_ps(_mm256_slli_epi32(bits, 13)), _mm256_set1_ps(0x1p112f));
}
// v_from_f16 reads 16 halves that are finite and not negative.
LANES v16 v_from_f16(const uint16_t *p) {
	return v_make(half_f16(_mm_loadu_si128((const __m128i *)p)), half_f16(_mm_loadu_si128((const __m128i *)(p + 8))));
}
// v_from_u4 reads 16 numbers of 4 bits in 8 bytes, the lower halves first.
LANES v16 v_from_u4(const uint8_t *p) {
	__m256i b = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p));
	return v_from_i32(i_make(_mm256_and_si256(b, _mm256_set1_epi32(15)), _mm256_srli_epi32(b, 4)));
}
// v_from_u2 reads 16 numbers of 2 bits in 4 bytes, the lowest bits of each first.
LANES v16 v_from_u2(const uint8_t *p) {
	int32_t word;
	memcpy(&word, p, sizeof word);
	__m256i b = _mm256_cvtepu8_epi32(_mm_set1_epi32(word)), three = _mm256_set1_epi32(3);
	__m256i lo = _mm256_srlv_epi32(b, _mm256_setr_epi32(0, 0, 0, 0, 2, 2, 2, 2));
	__m256i hi = _mm256_srlv_epi32(b, _mm256_setr_epi32(4, 4, 4, 4, 6, 6, 6, 6));
	return v_from_i32(i_make(_mm256_and_si256(lo, three), _mm256_and_si256(hi, three)));
}
// v_to_bytes rounds halves to even, adds 128 and writes 16 bytes.
LANES void v_to_bytes(uint8_t *p, v16 a) {
	__m256i words = _mm256_packs_epi32(_mm256_cvtps_epi32(a.lo), _mm256_cvtps_epi32(a.hi));
	words = _mm256_permute4x64_epi64(words, 0xd8); // the pack works within halves
	words = _mm256_add_epi16(words, _mm256_set1_epi16(128));
	_mm_storeu_si128((__m128i *)p,
		_mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
}
// b_from_u4 turns 128 numbers of 4 bits into bytes, 8 less. Of each 32 those in the
// lower halves of 16 bytes come first, then those in the upper halves.
LANES void b_from_u4(int8_t *out, const uint8_t *p) {
	const __m256i low = _mm256_set1_epi8(15), eight = _mm256_set1_epi8(8);
	for (int i = 0; i < 64; i += 32) {
		__m256i b = _mm256_loadu_si256((const __m256i *)(p + i));
		__m256i lo = _mm256_sub_epi8(_mm256_and_si256(b, low), eight);
		__m256i hi = _mm256_sub_epi8(_mm256_and_si256(_mm256_srli_epi16(b, 4), low), eight);
		_mm256_storeu_si256((__m256i *)(out + 2 * i), _mm256_permute2x128_si256(lo, hi, 0x20));
		_mm256_storeu_si256((__m256i *)(out + 2 * i + 32), _mm256_permute2x128_si256(lo, hi, 0x31));
	}
}
