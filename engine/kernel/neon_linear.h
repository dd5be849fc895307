// What the two NEON levels share of the integer product. A level file defines
// dot: sum += the products of 4 signed bytes, in each of 4 lanes.

#define ROW_TILE 4
#define PANEL_QUAD 256
#define ROW_QUAD 4
#define ZERO_POINT 0 // prepared rows are signed
#define WEIGHT_OFFSET 0
typedef int8_t picked_input;

// interleave_quad interleaves 4 rows of 16 bytes so that each 32-bit lane holds the
// 4 inputs of one column, columns in order.
INLINE void interleave_quad(int8x16_t *out, const int8_t *a, const int8_t *b, const int8_t *c, const int8_t *d) {
	int8x16x2_t lo = vzipq_s8(vld1q_s8(a), vld1q_s8(c));
	int8x16x2_t hi = vzipq_s8(vld1q_s8(b), vld1q_s8(d));
	for (int half = 0; half < 2; half++) {
		int8x16x2_t quads = vzipq_s8(lo.val[half], hi.val[half]);
		out[2 * half] = quads.val[0];
		out[2 * half + 1] = quads.val[1];
	}
}

// unpack_quad interleaves rows that are n apart.
INLINE void unpack_quad(int8x16_t *out, const int8_t *w, int n) {
	interleave_quad(out, w, w + (size_t)n, w + 2 * (size_t)n, w + 3 * (size_t)n);
}

INLINE void pack_quad(uint8_t *out, const int8_t *w, int n) {
	for (int c = 0; c < PANEL; c += 16) {
		int8x16_t u[4];
		unpack_quad(u, w + c, n);
		for (int i = 0; i < 4; i++) vst1q_s8((int8_t *)out + 4 * c + 16 * i, u[i]);
	}
}

// order_sums has nothing to do.
INLINE void order_sums(int32_t *sums) { (void)sums; }

INLINE void prepare_row(uint8_t *out, const uint8_t *q, int k) {
	int i = 0;
	for (; i + 16 <= k; i += 16) vst1q_u8(out + i, veorq_u8(vld1q_u8(q + i), vdupq_n_u8(0x80)));
	for (; i < k; i++) out[i] = q[i] ^ 0x80;
	for (; i % 4; i++) out[i] = 0;
}

INLINE i16 dot_bytes(i16 sum, const uint8_t *x, const int8_t *w) {
	for (int i = 0; i < 4; i++)
		sum.r[i] = dot(sum.r[i], vld1q_s8(w + 16 * i), vreinterpretq_s8_u8(vld1q_u8(x + 16 * i)));
	return sum;
}

INLINE void multiply_rows(int32_t *sums, const uint8_t *a, size_t stride, const uint8_t *panel, int quads, int rows) {
	int32x4_t sum[ROW_TILE][4];
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int c = 0; c < 4; c++) sum[r][c] = vdupq_n_s32(0);
	for (int i = 0; i < quads; i++) {
		int8x16_t w[4];
		UNROLL
		for (int c = 0; c < 4; c++) w[c] = vld1q_s8((const int8_t *)panel + 16 * c);
		UNROLL
		for (int r = 0; r < rows; r++) {
			int32_t quad;
			memcpy(&quad, a + (size_t)r * stride, sizeof quad);
			int8x16_t x = vreinterpretq_s8_s32(vdupq_n_s32(quad));
			UNROLL
			for (int c = 0; c < 4; c++) sum[r][c] = dot(sum[r][c], w[c], x);
		}
		panel += PANEL_QUAD;
		a += ROW_QUAD;
	}
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int c = 0; c < 4; c++) vst1q_s32(sums + r * PANEL + 4 * c, sum[r][c]);
}

INLINE void few_rows(int32_t *sums, int pitch, const uint8_t *a, size_t stride, const int8_t *w, int n, int quads, int rows) {
	for (int column = 0; column < PANEL; column += 16, w += 16, sums += 16) {
		const int8_t *at = w;
		const uint8_t *from = a;
		int32x4_t sum[4][4];
		UNROLL
		for (int r = 0; r < rows; r++)
			UNROLL
			for (int c = 0; c < 4; c++) sum[r][c] = vld1q_s32(sums + (size_t)r * (size_t)pitch + 4 * c);
		for (int i = 0; i < quads; i++, at += 4 * (size_t)n, from += ROW_QUAD) {
			int8x16_t u[4];
			unpack_quad(u, at, n);
			UNROLL
			for (int r = 0; r < rows; r++) {
				int32_t quad;
				memcpy(&quad, from + (size_t)r * stride, sizeof quad);
				int8x16_t x = vreinterpretq_s8_s32(vdupq_n_s32(quad));
				UNROLL
				for (int c = 0; c < 4; c++) sum[r][c] = dot(sum[r][c], u[c], x);
			}
		}
		UNROLL
		for (int r = 0; r < rows; r++)
			UNROLL
			for (int c = 0; c < 4; c++) vst1q_s32(sums + (size_t)r * (size_t)pitch + 4 * c, sum[r][c]);
	}
}

INLINE void picked_rows(int32_t *sums, int pitch, const uint8_t *a, size_t quad, size_t stride,
	const int8_t *const *w, size_t column, int quads, int rows) {
	for (size_t end = column + PANEL; column < end; column += 16, sums += 16) {
		const int8_t *const *at = w;
		const uint8_t *from = a;
		int32x4_t sum[4][4];
		UNROLL
		for (int r = 0; r < rows; r++)
			UNROLL
			for (int c = 0; c < 4; c++) sum[r][c] = vld1q_s32(sums + (size_t)r * (size_t)pitch + 4 * c);
		for (int i = 0; i < quads; i++, at += 4, from += quad) {
			int8x16_t u[4];
			interleave_quad(u, at[0] + column, at[1] + column, at[2] + column, at[3] + column);
			UNROLL
			for (int r = 0; r < rows; r++) {
				int32_t four;
				memcpy(&four, from + (size_t)r * stride, sizeof four);
				int8x16_t x = vreinterpretq_s8_s32(vdupq_n_s32(four));
				UNROLL
				for (int c = 0; c < 4; c++) sum[r][c] = dot(sum[r][c], u[c], x);
			}
		}
		UNROLL
		for (int r = 0; r < rows; r++)
			UNROLL
			for (int c = 0; c < 4; c++) vst1q_s32(sums + (size_t)r * (size_t)pitch + 4 * c, sum[r][c]);
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

typedef int32x4_t peak_sum;
#define PEAK_PRODUCTS 16
#define OPAQUE(x) __asm__ volatile("" : "+w"(x))
INLINE peak_sum peak_dot(peak_sum sum, peak_sum x, peak_sum w) {
	return dot(sum, vreinterpretq_s8_s32(w), vreinterpretq_s8_s32(x));
}
