// What the two NEON levels share of the integer product. A level file defines
// dot: sum += the products of 4 signed bytes, in each of 4 lanes.

#define ROW_TILE 4
#define PANEL_QUAD 256
#define ROW_QUAD 4
#define ZERO_POINT 0 // prepared rows are signed

// pack_quad interleaves 4 rows of 64 bytes, so that each 32-bit lane holds the
// 4 inputs of one column, columns in order.
INLINE void pack_quad(uint8_t *out, const int8_t *w0, const int8_t *w1, const int8_t *w2, const int8_t *w3) {
	for (int c = 0; c < PANEL; c += 16) {
		// vst4q writes byte i of each of the four registers, then byte i+1.
		int8x16x4_t rows = {{vld1q_s8(w0 + c), vld1q_s8(w1 + c), vld1q_s8(w2 + c), vld1q_s8(w3 + c)}};
		vst4q_s8((int8_t *)out + 4 * c, rows);
	}
}

INLINE void prepare_row(uint8_t *out, const uint8_t *q, int k) {
	int i = 0;
	for (; i + 16 <= k; i += 16) vst1q_u8(out + i, veorq_u8(vld1q_u8(q + i), vdupq_n_u8(0x80)));
	for (; i < k; i++) out[i] = q[i] ^ 0x80;
	for (; i % 4; i++) out[i] = 0;
}

INLINE void multiply_rows(int32_t *sums, const uint8_t *a, size_t stride, const uint8_t *panel, int quads, int rows) {
	int32x4_t sum[ROW_TILE][4];
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < 4; c++) sum[r][c] = vdupq_n_s32(0);
	for (int i = 0; i < quads; i++) {
		int8x16_t w[4];
		for (int c = 0; c < 4; c++) w[c] = vld1q_s8((const int8_t *)panel + 16 * c);
		for (int r = 0; r < rows; r++) {
			int32_t quad;
			memcpy(&quad, a + (size_t)r * stride, sizeof quad);
			int8x16_t x = vreinterpretq_s8_s32(vdupq_n_s32(quad));
			for (int c = 0; c < 4; c++) sum[r][c] = dot(sum[r][c], w[c], x);
		}
		panel += PANEL_QUAD;
		a += ROW_QUAD;
	}
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < 4; c++) vst1q_s32(sums + r * PANEL + 4 * c, sum[r][c]);
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
