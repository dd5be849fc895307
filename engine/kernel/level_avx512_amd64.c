// AVX-512 with VNNI: one register is the 16 virtual lanes, and vpdpbusd adds
// four products of bytes to each of them.
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define LANES INLINE

#include "native.h"
#include "lanes_avx512.h"
#include "float_kernels.h"

#define QUERY_TILE 8
#define TILE_VECTORS 2
#include "attention_kernels.h"

#define ROW_TILE 6
#define PANEL_QUAD 256
#define ROW_QUAD 4
#define ZERO_POINT 128

// pack_quad interleaves 4 rows of 64 bytes, so that each 32-bit lane holds the
// 4 inputs of one column, columns in order.
INLINE void pack_quad(uint8_t *out, const int8_t *w0, const int8_t *w1, const int8_t *w2, const int8_t *w3) {
	__m512i r0 = _mm512_loadu_si512(w0), r1 = _mm512_loadu_si512(w1);
	__m512i r2 = _mm512_loadu_si512(w2), r3 = _mm512_loadu_si512(w3);
	__m512i t0 = _mm512_unpacklo_epi8(r0, r1), t1 = _mm512_unpackhi_epi8(r0, r1);
	__m512i t2 = _mm512_unpacklo_epi8(r2, r3), t3 = _mm512_unpackhi_epi8(r2, r3);
	// Each 128-bit part p of u[i] holds columns 16p+4i to 16p+4i+3.
	__m512i u0 = _mm512_unpacklo_epi16(t0, t2), u1 = _mm512_unpackhi_epi16(t0, t2);
	__m512i u2 = _mm512_unpacklo_epi16(t1, t3), u3 = _mm512_unpackhi_epi16(t1, t3);
	// Transpose the parts.
	__m512i a = _mm512_shuffle_i32x4(u0, u1, 0x44), b = _mm512_shuffle_i32x4(u2, u3, 0x44);
	__m512i c = _mm512_shuffle_i32x4(u0, u1, 0xee), d = _mm512_shuffle_i32x4(u2, u3, 0xee);
	_mm512_store_si512(out, _mm512_shuffle_i32x4(a, b, 0x88));
	_mm512_store_si512(out + 64, _mm512_shuffle_i32x4(a, b, 0xdd));
	_mm512_store_si512(out + 128, _mm512_shuffle_i32x4(c, d, 0x88));
	_mm512_store_si512(out + 192, _mm512_shuffle_i32x4(c, d, 0xdd));
}

INLINE void prepare_row(uint8_t *out, const uint8_t *q, int k) {
	memcpy(out, q, (size_t)k);
	for (int i = k; i % 4; i++) out[i] = 0;
}

INLINE void multiply_rows(int32_t *sums, const uint8_t *a, size_t stride, const uint8_t *panel, int quads, int rows) {
	__m512i sum[ROW_TILE][4];
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < 4; c++) sum[r][c] = _mm512_setzero_si512();
	for (int i = 0; i < quads; i++) {
		__m512i w[4];
		for (int c = 0; c < 4; c++) w[c] = _mm512_load_si512(panel + 64 * c);
		for (int r = 0; r < rows; r++) {
			int32_t quad;
			memcpy(&quad, a + (size_t)r * stride, sizeof quad);
			__m512i x = _mm512_set1_epi32(quad);
			for (int c = 0; c < 4; c++) sum[r][c] = _mm512_dpbusd_epi32(sum[r][c], x, w[c]);
		}
		panel += PANEL_QUAD;
		a += ROW_QUAD;
	}
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < 4; c++) _mm512_store_si512(sums + r * PANEL + 16 * c, sum[r][c]);
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

#include "linear_kernels.h"

const kernel_table kernel_avx512 = KERNEL_TABLE;
