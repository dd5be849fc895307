// AVX2. Bytes are widened to 16 bits and multiplied in pairs by vpmaddwd, which
// is exact; vpmaddubsw would need no widening, but it saturates.
#define TARGET __attribute__((target("avx2,fma")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define LANES INLINE

#include "native.h"
#include "lanes_avx2.h"
#include "float_kernels.h"
#include "decoder_kernels.h"

#define QUERY_TILE 4
#define TILE_VECTORS 1
#define SHARED_QUERIES 1
#include "attention_kernels.h"
#include "causal_kernels.h"

#define LOW_TILE 2
#include "lowrank_kernels.h"

#define ROW_TILE 4
#define PANEL_QUAD 512
#define ROW_QUAD 8
#define ZERO_POINT 128
#define WEIGHT_OFFSET 0
typedef int16_t picked_input;

// interleave_pair interleaves 2 rows of 16 bytes as 16-bit pairs. out[0] holds
// columns 0-3 and 8-11, out[1] holds 4-7 and 12-15.
INLINE void interleave_pair(__m256i *out, const int8_t *a, const int8_t *b) {
	__m256i r0 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)a));
	__m256i r1 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)b));
	out[0] = _mm256_unpacklo_epi16(r0, r1);
	out[1] = _mm256_unpackhi_epi16(r0, r1);
}

// unpack_pair interleaves rows that are n apart.
INLINE void unpack_pair(__m256i *out, const int8_t *w, int n) { interleave_pair(out, w, w + (size_t)n); }

INLINE void pack_quad(uint8_t *out, const int8_t *w, int n) {
	for (int pair = 0; pair < 2; pair++, w += 2 * (size_t)n, out += PANEL_QUAD / 2)
		for (int c = 0; c < PANEL; c += 16) {
			__m256i u[2];
			unpack_pair(u, w + c, n);
			_mm256_store_si256((__m256i *)(out + 4 * c), u[0]);
			_mm256_store_si256((__m256i *)(out + 4 * c + 32), u[1]);
		}
}

// order_columns puts the sums of 16 columns in order.
INLINE void order_columns(int32_t *sums) {
	__m256i lo = _mm256_load_si256((const __m256i *)sums), hi = _mm256_load_si256((const __m256i *)(sums + 8));
	_mm256_store_si256((__m256i *)sums, _mm256_permute2x128_si256(lo, hi, 0x20));
	_mm256_store_si256((__m256i *)(sums + 8), _mm256_permute2x128_si256(lo, hi, 0x31));
}

INLINE void order_sums(int32_t *sums) {
	for (int c = 0; c < PANEL; c += 16) order_columns(sums + c);
}

INLINE void prepare_row(uint8_t *out, const uint8_t *q, int k) {
	int16_t *wide = (int16_t *)(void *)out;
	int i = 0;
	for (; i + 16 <= k; i += 16)
		_mm256_storeu_si256((__m256i *)(wide + i), _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(q + i))));
	for (; i < k; i++) wide[i] = q[i];
	for (; i % 4; i++) wide[i] = 0;
}

// dot_16 multiplies 16 widened inputs with 16 weights.
INLINE __m256i dot_16(__m256i sum, const uint8_t *x, const int8_t *w) {
	__m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)w));
	return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)x), wide));
}

INLINE i16 dot_bytes(i16 sum, const uint8_t *x, const int8_t *w) {
	return i_make(dot_16(dot_16(sum.lo, x, w), x + 64, w + 32), dot_16(dot_16(sum.hi, x + 32, w + 16), x + 96, w + 48));
}

INLINE void multiply_rows(int32_t *sums, const uint8_t *a, size_t stride, const uint8_t *panel, int quads, int rows) {
	__m256i sum[ROW_TILE][2];
	UNROLL
	for (int r = 0; r < rows; r++) sum[r][0] = sum[r][1] = _mm256_setzero_si256();
	for (int i = 0; i < 2 * quads; i++) {
		__m256i w0 = _mm256_load_si256((const __m256i *)panel), w1 = _mm256_load_si256((const __m256i *)(panel + 32));
		UNROLL
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
	UNROLL
	for (int r = 0; r < rows; r++) {
		int32_t *to = sums + r * PANEL;
		_mm256_store_si256((__m256i *)to, sum[r][0]);
		_mm256_store_si256((__m256i *)(to + 8), sum[r][1]);
		order_columns(to);
	}
}

INLINE void few_rows(int32_t *sums, int pitch, const uint8_t *a, size_t stride, const int8_t *w, int n, int quads, int rows) {
	for (int column = 0; column < PANEL; column += 16, w += 16, sums += 16) {
		const int8_t *at = w;
		const uint8_t *from = a;
		__m256i sum[4][2];
		UNROLL
		for (int r = 0; r < rows; r++)
			UNROLL
			for (int c = 0; c < 2; c++) sum[r][c] = _mm256_load_si256((const __m256i *)(sums + (size_t)r * (size_t)pitch) + c);
		for (int i = 0; i < 2 * quads; i++, at += 2 * (size_t)n, from += ROW_QUAD / 2) {
			__m256i u[2];
			unpack_pair(u, at, n);
			UNROLL
			for (int r = 0; r < rows; r++) {
				int32_t pair;
				memcpy(&pair, from + (size_t)r * stride, sizeof pair);
				__m256i x = _mm256_set1_epi32(pair);
				UNROLL
				for (int c = 0; c < 2; c++) sum[r][c] = _mm256_add_epi32(sum[r][c], _mm256_madd_epi16(x, u[c]));
			}
		}
		UNROLL
		for (int r = 0; r < rows; r++)
			UNROLL
			for (int c = 0; c < 2; c++) _mm256_store_si256((__m256i *)(sums + (size_t)r * (size_t)pitch) + c, sum[r][c]);
	}
}

INLINE void picked_rows(int32_t *sums, int pitch, const uint8_t *a, size_t quad, size_t stride,
	const int8_t *const *w, size_t column, int quads, int rows) {
	for (size_t end = column + PANEL; column < end; column += 16, sums += 16) {
		__m256i sum[4][2];
		UNROLL
		for (int r = 0; r < rows; r++)
			UNROLL
			for (int c = 0; c < 2; c++) sum[r][c] = _mm256_load_si256((const __m256i *)(sums + (size_t)r * (size_t)pitch) + c);
		for (int i = 0; i < 2 * quads; i++) {
			__m256i u[2];
			interleave_pair(u, w[2 * i] + column, w[2 * i + 1] + column);
			const uint8_t *from = a + (size_t)(i / 2) * quad + (size_t)(i % 2) * (ROW_QUAD / 2);
			UNROLL
			for (int r = 0; r < rows; r++) {
				int32_t pair;
				memcpy(&pair, from + (size_t)r * stride, sizeof pair);
				__m256i x = _mm256_set1_epi32(pair);
				UNROLL
				for (int c = 0; c < 2; c++) sum[r][c] = _mm256_add_epi32(sum[r][c], _mm256_madd_epi16(x, u[c]));
			}
		}
		UNROLL
		for (int r = 0; r < rows; r++)
			UNROLL
			for (int c = 0; c < 2; c++) _mm256_store_si256((__m256i *)(sums + (size_t)r * (size_t)pitch) + c, sum[r][c]);
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

TARGET static void multiply_few(int32_t *sums, int pitch, const uint8_t *a, size_t stride, const int8_t *w, int n, int quads, int rows) {
	switch (rows) {
	case 1: few_rows(sums, pitch, a, stride, w, n, quads, 1); break;
	case 2: few_rows(sums, pitch, a, stride, w, n, quads, 2); break;
	case 3: few_rows(sums, pitch, a, stride, w, n, quads, 3); break;
	default: few_rows(sums, pitch, a, stride, w, n, quads, 4);
	}
}

#include "head_kernels.h"
#include "linear_kernels.h"
#include "sparse_kernels.h"
#include "linear4_kernels.h"

typedef __m256i peak_sum;
#define PEAK_PRODUCTS 16
#define OPAQUE(x) __asm__ volatile("" : "+x"(x))
INLINE peak_sum peak_dot(peak_sum sum, peak_sum x, peak_sum w) { return _mm256_add_epi32(sum, _mm256_madd_epi16(x, w)); }
#include "peak_kernels.h"

#define BLOCK_TILE 4
#define BLOCK_STRIPS 1
#include "lanes_blocks_avx2.h"

// Two products are added in 16 bits, where up to d_run pairs fit: 8*2*15*127 < 2^15. Of
// bytes the halves are multiplied.
INLINE i16 d_pairs(b64 w, int32_t four) {
	__m256i x = _mm256_set1_epi32(four);
	return i_make(_mm256_maddubs_epi16(w.lo, x), _mm256_maddubs_epi16(w.hi, x));
}
INLINE i16 d_widen(i16 d) {
	const __m256i one = _mm256_set1_epi16(1);
	return i_make(_mm256_madd_epi16(d.lo, one), _mm256_madd_epi16(d.hi, one));
}
INLINE int d_run(const int bits, const int scaled) {
	(void)scaled;
	return bits == 4 ? 4 : 8 >> bits;
}
INLINE int d_zero(const int bits, const int offset) {
	(void)bits, (void)offset;
	return 0;
}
INLINE int d_begun(const int bits, const int offset, const int scaled) {
	(void)bits;
	return scaled ? 0 : offset;
}
INLINE i16 d_begin(i16 sum, const int bits) { return bits == 4 ? sum : i_zero(); }
INLINE i16 d_dot(i16 d, b64 w, int32_t four, const int bits) {
	if (bits == 4) {
		i16 upper = d_widen(d_pairs(b_high(w), four)), lower = d_widen(d_pairs(b_low(w), four));
		return i_add(d, i_add(i_make(_mm256_slli_epi32(upper.lo, 4), _mm256_slli_epi32(upper.hi, 4)), lower));
	}
	i16 pairs = d_pairs(w, four);
	return i_make(_mm256_add_epi16(d.lo, pairs.lo), _mm256_add_epi16(d.hi, pairs.hi));
}
INLINE i16 d_end(i16 sum, i16 d, const int bits) { return bits == 4 ? d : i_add(sum, d_widen(d)); }
// d_scales are scales of both halves of a lane.
INLINE i16 d_scales(i16 scales) { return i_halves(scales, scales); }
INLINE i16 d_scale(i16 sum, i16 d, i16 scales) {
	return i_add(sum, i_make(_mm256_madd_epi16(d.lo, scales.lo), _mm256_madd_epi16(d.hi, scales.hi)));
}
#include "blocks_kernels.h"

const kernel_table kernel_avx2 = KERNEL_TABLE;
