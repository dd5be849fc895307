// AVX2 with AVX-VNNI: vpdpbusd on 8 columns at a time.
#define TARGET __attribute__((target("avx2,fma,avxvnni")))
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

#define ROW_TILE 6
#define PANEL_QUAD 256
#define ROW_QUAD 4
#define ZERO_POINT 128
#define WEIGHT_OFFSET 128
typedef int8_t picked_input;

// interleave_quad interleaves 4 rows of 16 bytes so that each 32-bit lane holds the
// 4 inputs of one column, columns in order.
INLINE void interleave_quad(__m256i *out, const int8_t *a, const int8_t *b, const int8_t *c, const int8_t *d) {
	__m128i r0 = _mm_loadu_si128((const __m128i *)a), r1 = _mm_loadu_si128((const __m128i *)b);
	__m128i r2 = _mm_loadu_si128((const __m128i *)c), r3 = _mm_loadu_si128((const __m128i *)d);
	__m128i t0 = _mm_unpacklo_epi8(r0, r1), t1 = _mm_unpackhi_epi8(r0, r1);
	__m128i t2 = _mm_unpacklo_epi8(r2, r3), t3 = _mm_unpackhi_epi8(r2, r3);
	out[0] = _mm256_set_m128i(_mm_unpackhi_epi16(t0, t2), _mm_unpacklo_epi16(t0, t2));
	out[1] = _mm256_set_m128i(_mm_unpackhi_epi16(t1, t3), _mm_unpacklo_epi16(t1, t3));
}

// unpack_quad interleaves rows that are n apart.
INLINE void unpack_quad(__m256i *out, const int8_t *w, int n) {
	interleave_quad(out, w, w + (size_t)n, w + 2 * (size_t)n, w + 3 * (size_t)n);
}

INLINE void pack_quad(uint8_t *out, const int8_t *w, int n) {
	for (int c = 0; c < PANEL; c += 16) {
		__m256i u[2];
		unpack_quad(u, w + c, n);
		_mm256_store_si256((__m256i *)(out + 4 * c), u[0]);
		_mm256_store_si256((__m256i *)(out + 4 * c + 32), u[1]);
	}
}

// order_sums has nothing to do.
INLINE void order_sums(int32_t *sums) { (void)sums; }

INLINE void prepare_row(uint8_t *out, const uint8_t *q, int k) {
	memcpy(out, q, (size_t)k);
	for (int i = k; i % 4; i++) out[i] = 0;
}

INLINE i16 dot_bytes(i16 sum, const uint8_t *x, const int8_t *w) {
	const __m256i *a = (const __m256i *)x, *b = (const __m256i *)w;
	return i_make(_mm256_dpbusd_avx_epi32(sum.lo, _mm256_loadu_si256(a), _mm256_loadu_si256(b)),
		_mm256_dpbusd_avx_epi32(sum.hi, _mm256_loadu_si256(a + 1), _mm256_loadu_si256(b + 1)));
}

INLINE void multiply_rows(int32_t *sums, const uint8_t *a, size_t stride, const uint8_t *panel, int quads, int rows) {
	__m256i sum[ROW_TILE][2];
	UNROLL
	for (int r = 0; r < rows; r++) sum[r][0] = sum[r][1] = _mm256_setzero_si256();
	for (int i = 0; i < quads; i++) {
		__m256i w0 = _mm256_load_si256((const __m256i *)panel), w1 = _mm256_load_si256((const __m256i *)(panel + 32));
		UNROLL
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
	UNROLL
	for (int r = 0; r < rows; r++) {
		__m256i *to = (__m256i *)(sums + r * PANEL);
		_mm256_store_si256(to, sum[r][0]);
		_mm256_store_si256(to + 1, sum[r][1]);
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
		for (int i = 0; i < quads; i++, at += 4 * (size_t)n, from += ROW_QUAD) {
			__m256i u[2];
			unpack_quad(u, at, n);
			UNROLL
			for (int r = 0; r < rows; r++) {
				int32_t quad;
				memcpy(&quad, from + (size_t)r * stride, sizeof quad);
				__m256i x = _mm256_set1_epi32(quad);
				UNROLL
				for (int c = 0; c < 2; c++) sum[r][c] = _mm256_dpbusd_avx_epi32(sum[r][c], x, u[c]);
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
	const __m256i offset = _mm256_set1_epi8((char)WEIGHT_OFFSET);
	for (size_t end = column + PANEL; column < end; column += 16, sums += 16) {
		const int8_t *const *at = w;
		const uint8_t *from = a;
		__m256i sum[4][2];
		UNROLL
		for (int r = 0; r < rows; r++)
			UNROLL
			for (int c = 0; c < 2; c++) sum[r][c] = _mm256_load_si256((const __m256i *)(sums + (size_t)r * (size_t)pitch) + c);
		for (int i = 0; i < quads; i++, at += 4, from += quad) {
			__m256i u[2];
			interleave_quad(u, at[0] + column, at[1] + column, at[2] + column, at[3] + column);
			u[0] = _mm256_xor_si256(u[0], offset), u[1] = _mm256_xor_si256(u[1], offset);
			UNROLL
			for (int r = 0; r < rows; r++) {
				int32_t four;
				memcpy(&four, from + (size_t)r * stride, sizeof four);
				__m256i x = _mm256_set1_epi32(four);
				UNROLL
				for (int c = 0; c < 2; c++) sum[r][c] = _mm256_dpbusd_avx_epi32(sum[r][c], u[c], x);
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
		case 4: multiply_rows(to, a, stride, w, quads, 4); break;
		case 5: multiply_rows(to, a, stride, w, quads, 5); break;
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
#define PEAK_PRODUCTS 32
#define OPAQUE(x) __asm__ volatile("" : "+x"(x))
INLINE peak_sum peak_dot(peak_sum sum, peak_sum x, peak_sum w) { return _mm256_dpbusd_avx_epi32(sum, x, w); }
#include "peak_kernels.h"

#define BLOCK_TILE 4
#define BLOCK_STRIPS 1
#include "lanes_blocks_avx2.h"

#include "vnni_blocks.h"
INLINE i16 d_dot(i16 d, b64 w, int32_t four, const int bits) {
	(void)bits;
	__m256i x = _mm256_set1_epi32(four);
	return i_make(_mm256_dpbusd_avx_epi32(d.lo, w.lo, x), _mm256_dpbusd_avx_epi32(d.hi, w.hi, x));
}
INLINE i16 d_scale(i16 sum, i16 d, i16 scales) {
	return i_make(_mm256_dpwssd_avx_epi32(sum.lo, d.lo, scales.lo), _mm256_dpwssd_avx_epi32(sum.hi, d.hi, scales.hi));
}
#include "blocks_kernels.h"

const kernel_table kernel_avxvnni = KERNEL_TABLE;
