// AVX-512 with VNNI: one register is the 16 virtual lanes, and vpdpbusd adds
// four products of bytes to each of them.
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define LANES INLINE

#include "native.h"
#include "lanes_avx512.h"
#include "float_kernels.h"
#include "decoder_kernels.h"

#define QUERY_TILE 8
#define TILE_VECTORS 2
#define SHARED_QUERIES 4
#include "attention_kernels.h"
#include "causal_kernels.h"

#define LOW_TILE 4
#include "lowrank_kernels.h"

#define ROW_TILE 6
#define PANEL_QUAD 256
#define ROW_QUAD 4
#define ZERO_POINT 128
#define WEIGHT_OFFSET 128
typedef int8_t picked_input;

// interleave_quad interleaves 4 rows of 64 bytes so that each 32-bit lane holds
// the 4 inputs of one column. Each 128-bit part p of out[i] holds columns 16p+4i to
// 16p+4i+3.
INLINE void interleave_quad(__m512i *out, const int8_t *a, const int8_t *b, const int8_t *c, const int8_t *d) {
	__m512i r0 = _mm512_loadu_si512(a), r1 = _mm512_loadu_si512(b);
	__m512i r2 = _mm512_loadu_si512(c), r3 = _mm512_loadu_si512(d);
	__m512i t0 = _mm512_unpacklo_epi8(r0, r1), t1 = _mm512_unpackhi_epi8(r0, r1);
	__m512i t2 = _mm512_unpacklo_epi8(r2, r3), t3 = _mm512_unpackhi_epi8(r2, r3);
	out[0] = _mm512_unpacklo_epi16(t0, t2), out[1] = _mm512_unpackhi_epi16(t0, t2);
	out[2] = _mm512_unpacklo_epi16(t1, t3), out[3] = _mm512_unpackhi_epi16(t1, t3);
}

// unpack_quad interleaves rows that are n apart.
INLINE void unpack_quad(__m512i *out, const int8_t *w, int n) {
	interleave_quad(out, w, w + (size_t)n, w + 2 * (size_t)n, w + 3 * (size_t)n);
}

// order_parts transposes the parts of four vectors, which puts columns in order.
INLINE void order_parts(void *out, const __m512i *u) {
	__m512i a = _mm512_shuffle_i32x4(u[0], u[1], 0x44), b = _mm512_shuffle_i32x4(u[2], u[3], 0x44);
	__m512i c = _mm512_shuffle_i32x4(u[0], u[1], 0xee), d = _mm512_shuffle_i32x4(u[2], u[3], 0xee);
	__m512i *to = out;
	_mm512_store_si512(to, _mm512_shuffle_i32x4(a, b, 0x88));
	_mm512_store_si512(to + 1, _mm512_shuffle_i32x4(a, b, 0xdd));
	_mm512_store_si512(to + 2, _mm512_shuffle_i32x4(c, d, 0x88));
	_mm512_store_si512(to + 3, _mm512_shuffle_i32x4(c, d, 0xdd));
}

INLINE void order_sums(int32_t *sums) {
	__m512i u[4];
	UNROLL
	for (int c = 0; c < 4; c++) u[c] = _mm512_load_si512(sums + 16 * c);
	order_parts(sums, u);
}

INLINE void pack_quad(uint8_t *out, const int8_t *w, int n) {
	__m512i u[4];
	unpack_quad(u, w, n);
	order_parts(out, u);
}

INLINE void prepare_row(uint8_t *out, const uint8_t *q, int k) {
	memcpy(out, q, (size_t)k);
	for (int i = k; i % 4; i++) out[i] = 0;
}

INLINE i16 dot_bytes(i16 sum, const uint8_t *x, const int8_t *w) {
	return _mm512_dpbusd_epi32(sum, _mm512_loadu_si512(x), _mm512_loadu_si512(w));
}

INLINE void multiply_rows(int32_t *sums, const uint8_t *a, size_t stride, const uint8_t *panel, int quads, int rows) {
	__m512i sum[ROW_TILE][4];
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int c = 0; c < 4; c++) sum[r][c] = _mm512_setzero_si512();
	for (int i = 0; i < quads; i++) {
		__m512i w[4];
		UNROLL
		for (int c = 0; c < 4; c++) w[c] = _mm512_load_si512(panel + 64 * c);
		UNROLL
		for (int r = 0; r < rows; r++) {
			int32_t quad;
			memcpy(&quad, a + (size_t)r * stride, sizeof quad);
			__m512i x = _mm512_set1_epi32(quad);
			UNROLL
			for (int c = 0; c < 4; c++) sum[r][c] = _mm512_dpbusd_epi32(sum[r][c], x, w[c]);
		}
		panel += PANEL_QUAD;
		a += ROW_QUAD;
	}
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int c = 0; c < 4; c++) _mm512_store_si512(sums + r * PANEL + 16 * c, sum[r][c]);
}

INLINE void few_rows(int32_t *sums, int pitch, const uint8_t *a, size_t stride, const int8_t *w, int n, int quads, int rows) {
	__m512i sum[4][4];
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int c = 0; c < 4; c++) sum[r][c] = _mm512_load_si512(sums + (size_t)r * (size_t)pitch + 16 * c);
	for (int i = 0; i < quads; i++, w += 4 * (size_t)n, a += ROW_QUAD) {
		__m512i u[4];
		unpack_quad(u, w, n);
		UNROLL
		for (int r = 0; r < rows; r++) {
			int32_t quad;
			memcpy(&quad, a + (size_t)r * stride, sizeof quad);
			__m512i x = _mm512_set1_epi32(quad);
			UNROLL
			for (int c = 0; c < 4; c++) sum[r][c] = _mm512_dpbusd_epi32(sum[r][c], x, u[c]);
		}
	}
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int c = 0; c < 4; c++) _mm512_store_si512(sums + (size_t)r * (size_t)pitch + 16 * c, sum[r][c]);
}

INLINE void picked_rows(int32_t *sums, int pitch, const uint8_t *a, size_t quad, size_t stride,
	const int8_t *const *w, size_t column, int quads, int rows) {
	const __m512i offset = _mm512_set1_epi8((char)WEIGHT_OFFSET);
	__m512i sum[4][4];
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int c = 0; c < 4; c++) sum[r][c] = _mm512_load_si512(sums + (size_t)r * (size_t)pitch + 16 * c);
	for (int i = 0; i < quads; i++, w += 4, a += quad) {
		__m512i u[4];
		interleave_quad(u, w[0] + column, w[1] + column, w[2] + column, w[3] + column);
		UNROLL
		for (int c = 0; c < 4; c++) u[c] = _mm512_xor_si512(u[c], offset);
		UNROLL
		for (int r = 0; r < rows; r++) {
			int32_t four;
			memcpy(&four, a + (size_t)r * stride, sizeof four);
			__m512i x = _mm512_set1_epi32(four);
			UNROLL
			for (int c = 0; c < 4; c++) sum[r][c] = _mm512_dpbusd_epi32(sum[r][c], u[c], x);
		}
	}
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int c = 0; c < 4; c++) _mm512_store_si512(sums + (size_t)r * (size_t)pitch + 16 * c, sum[r][c]);
}

TARGET static void multiply_tile(int32_t *sums, const uint8_t *a, size_t stride, const uint8_t *panel, int quads, int rows) {
	switch (rows) {
	case 1: multiply_rows(sums, a, stride, panel, quads, 1); break;
	case 2: multiply_rows(sums, a, stride, panel, quads, 2); break;
	case 3: multiply_rows(sums, a, stride, panel, quads, 3); break;
	case 4: multiply_rows(sums, a, stride, panel, quads, 4); break;
	case 5: multiply_rows(sums, a, stride, panel, quads, 5); break;
	default: multiply_rows(sums, a, stride, panel, quads, ROW_TILE);
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

typedef __m512i peak_sum;
#define PEAK_PRODUCTS 64
#define OPAQUE(x) __asm__ volatile("" : "+v"(x))
INLINE peak_sum peak_dot(peak_sum sum, peak_sum x, peak_sum w) { return _mm512_dpbusd_epi32(sum, x, w); }
#include "peak_kernels.h"

#define BLOCK_TILE 6
#define BLOCK_STRIPS 2
#include "lanes_blocks_avx512.h"
#include "blocks_kernels.h"

const kernel_table kernel_avx512 = KERNEL_TABLE;
