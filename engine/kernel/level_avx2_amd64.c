// AVX2. Bytes are widened to 16 bits and multiplied in pairs by vpmaddwd, which
// is exact; vpmaddubsw would need no widening, but it saturates.
#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define LANES INLINE

#include "native.h"
#include "lanes_avx2.h"
#include "float_kernels.h"

#define QUERY_TILE 4
#define TILE_VECTORS 1
#include "attention_kernels.h"

#define ROW_TILE 4
#define PANEL_QUAD 512
#define ROW_QUAD 8
#define ZERO_POINT 128

// pack_pair interleaves 2 rows of 64 bytes as 16-bit pairs. Within 16 columns,
// the first 32 bytes hold columns 0-3 and 8-11, the second 4-7 and 12-15.
INLINE void pack_pair(uint8_t *out, const int8_t *w0, const int8_t *w1) {
	for (int c = 0; c < PANEL; c += 16) {
		__m256i r0 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(w0 + c)));
		__m256i r1 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(w1 + c)));
		_mm256_store_si256((__m256i *)(out + 4 * c), _mm256_unpacklo_epi16(r0, r1));
		_mm256_store_si256((__m256i *)(out + 4 * c + 32), _mm256_unpackhi_epi16(r0, r1));
	}
}

INLINE void pack_quad(uint8_t *out, const int8_t *w0, const int8_t *w1, const int8_t *w2, const int8_t *w3) {
	pack_pair(out, w0, w1);
	pack_pair(out + PANEL_QUAD / 2, w2, w3);
}

INLINE void prepare_row(uint8_t *out, const uint8_t *q, int k) {
	int16_t *wide = (int16_t *)(void *)out;
	int i = 0;
	for (; i + 16 <= k; i += 16)
		_mm256_storeu_si256((__m256i *)(wide + i), _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(q + i))));
	for (; i < k; i++) wide[i] = q[i];
	for (; i % 4; i++) wide[i] = 0;
}

INLINE void multiply_rows(int32_t *sums, const uint8_t *a, size_t stride, const uint8_t *panel, int quads, int rows) {
	__m256i sum[ROW_TILE][2];
	for (int r = 0; r < rows; r++) sum[r][0] = sum[r][1] = _mm256_setzero_si256();
	for (int i = 0; i < 2 * quads; i++) {
		__m256i w0 = _mm256_load_si256((const __m256i *)panel), w1 = _mm256_load_si256((const __m256i *)(panel + 32));
		for (int r = 0; r < rows; r++) {
			int32_t pair;
			memcpy(&pair, a + (size_t)r * stride, sizeof pair);
			__m256i x = _mm256_set1_epi32(pair);
			sum[r][0] = _mm256_add_epi32(sum[r][0], _mm256_madd_epi16(x, w0));
			sum[r][1] = _mm256_add_epi32(sum[r][1], _mm256_madd_epi16(x, w1));
		}
		panel += PANEL_QUAD / 2;
		a += ROW_QUAD / 2;
	}
	for (int r = 0; r < rows; r++) {
		// Put the columns back in order.
		__m256i *to = (__m256i *)(sums + r * PANEL);
		_mm256_store_si256(to, _mm256_permute2x128_si256(sum[r][0], sum[r][1], 0x20));
		_mm256_store_si256(to + 1, _mm256_permute2x128_si256(sum[r][0], sum[r][1], 0x31));
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
		default: multiply_rows(to, a, stride, w, quads, ROW_TILE);
		}
	}
}

#include "linear_kernels.h"

const kernel_table kernel_avx2 = KERNEL_TABLE;
