// AVX2 with AVX-VNNI: vpdpbusd on 8 columns at a time.
#define TARGET __attribute__((target("avx2,avxvnni")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define LANES INLINE

#include "native.h"
#include "lanes_avx2.h"
#include "float_kernels.h"

#define QUERY_TILE 4
#define TILE_VECTORS 1
#include "attention_kernels.h"

#define ROW_TILE 6
#define PANEL_QUAD 256
#define ROW_QUAD 4
#define ZERO_POINT 128

// pack_quad interleaves 4 rows of 64 bytes, so that each 32-bit lane holds the
// 4 inputs of one column, columns in order.
INLINE void pack_quad(uint8_t *out, const int8_t *w0, const int8_t *w1, const int8_t *w2, const int8_t *w3) {
	for (int c = 0; c < PANEL; c += 16) {
		__m128i r0 = _mm_loadu_si128((const __m128i *)(w0 + c)), r1 = _mm_loadu_si128((const __m128i *)(w1 + c));
		__m128i r2 = _mm_loadu_si128((const __m128i *)(w2 + c)), r3 = _mm_loadu_si128((const __m128i *)(w3 + c));
		__m128i t0 = _mm_unpacklo_epi8(r0, r1), t1 = _mm_unpackhi_epi8(r0, r1);
		__m128i t2 = _mm_unpacklo_epi8(r2, r3), t3 = _mm_unpackhi_epi8(r2, r3);
		__m128i *to = (__m128i *)(out + 4 * c);
		_mm_store_si128(to, _mm_unpacklo_epi16(t0, t2));
		_mm_store_si128(to + 1, _mm_unpackhi_epi16(t0, t2));
		_mm_store_si128(to + 2, _mm_unpacklo_epi16(t1, t3));
		_mm_store_si128(to + 3, _mm_unpackhi_epi16(t1, t3));
	}
}

INLINE void prepare_row(uint8_t *out, const uint8_t *q, int k) {
	memcpy(out, q, (size_t)k);
	for (int i = k; i % 4; i++) out[i] = 0;
}

INLINE void multiply_rows(int32_t *sums, const uint8_t *a, size_t stride, const uint8_t *panel, int quads, int rows) {
	__m256i sum[ROW_TILE][2];
	for (int r = 0; r < rows; r++) sum[r][0] = sum[r][1] = _mm256_setzero_si256();
	for (int i = 0; i < quads; i++) {
		__m256i w0 = _mm256_load_si256((const __m256i *)panel), w1 = _mm256_load_si256((const __m256i *)(panel + 32));
		for (int r = 0; r < rows; r++) {
			int32_t quad;
			memcpy(&quad, a + (size_t)r * stride, sizeof quad);
			__m256i x = _mm256_set1_epi32(quad);
			sum[r][0] = _mm256_dpbusd_avx_epi32(sum[r][0], x, w0);
			sum[r][1] = _mm256_dpbusd_avx_epi32(sum[r][1], x, w1);
		}
		panel += PANEL_QUAD;
		a += ROW_QUAD;
	}
	for (int r = 0; r < rows; r++) {
		_mm256_store_si256((__m256i *)(sums + r * PANEL), sum[r][0]);
		_mm256_store_si256((__m256i *)(sums + r * PANEL + 8), sum[r][1]);
	}
}

TARGET static void multiply_tile(int32_t *sums, const uint8_t *a, size_t stride, const uint8_t *panel, int quads, int rows) {
	for (int c = 0; c < PANEL; c += 16) {
		int32_t *to = sums + c;
		const uint8_t *w = panel + 4 * c;
		switch (rows) {
		case 1: multiply_rows(to, a, stride, w, quads, 1); break;
		case 2: multiply_rows(to, a, stride, w, quads, 2); break;
		case 3: multiply_rows(to, a, stride, w, quads, 3); break;
		case 4: multiply_rows(to, a, stride, w, quads, 4); break;
		case 5: multiply_rows(to, a, stride, w, quads, 5); break;
		default: multiply_rows(to, a, stride, w, quads, ROW_TILE);
		}
	}
}

#include "linear_kernels.h"

const kernel_table kernel_avxvnni = KERNEL_TABLE;
