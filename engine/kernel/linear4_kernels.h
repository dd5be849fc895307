// Projections with weights of 4 bits; the twin of plain_linear4.go. Inputs are prepared
// for a strip of blocks at once, one in each of the 16 lanes, since a row's scales of
// neighbouring blocks lie together. Numbers are expanded to bytes in the first-level
// cache, a few rows at a time, and multiplied as picked rows.

#define BLOCK4 128      // outputs that share a scale
#define STRIP4 16       // blocks
#define ROWS4 16        // linear4Rows
#define PITCH4 (STRIP4 * BLOCK4 + 16) // of sums, off the size of a page

// strip4 is a strip of blocks of rows of inputs.
typedef struct {
	int rows, active, n, block, blocks; // block is the first one
	size_t stride, plane;               // bytes from a prepared row, or block, to the next
	uint8_t *prepared;
	float *values;
	int32_t *sums;
	float step[ROWS4][STRIP4];
} strip4;

INLINE size_t numbers4(int n) { return (size_t)((n + 31) / 32 * 16); }

// scales4 reads the scales of up to 16 blocks of a row.
INLINE v16 scales4(const int8_t *row, int n, int block, int blocks) {
	uint16_t some[16] = {0};
	const int8_t *from = row + numbers4(n) + 2 * (size_t)block;
	if (blocks == 16) return v_from_f16((const void *)from);
	memcpy(some, from, 2 * (size_t)blocks);
	return v_from_f16(some);
}

// active_values copies the inputs of active channels, zeros in the place of outliers.
INLINE void active_values(float *values, const float *x, const row_scale *scale, const int32_t *channels, int active) {
	for (int i = 0; i < active; i++) values[i] = x[channels[i]];
	for (int p = 0; p < scale->count; p++) {
		int low = 0, high = active - 1;
		while (low < high) {
			int middle = (low + high) / 2;
			if (channels[middle] < scale->outliers[p].at) low = middle + 1;
			else high = middle;
		}
		values[low] = 0.0f;
	}
}

// steps4 turns the largest magnitudes into steps and their inverses, as stepOf does.
INLINE v16 steps4(float *step, i16 top) {
	int32_t bits[16];
	float inverse[16];
	i_store(bits, top);
	for (int b = 0; b < 16; b++) {
		float largest;
		memcpy(&largest, &bits[b], sizeof largest);
		int usable = bits[b] >= (127 - 100) << 23 && bits[b] < 0x7f800000;
		step[b] = usable ? largest / 127.0f : bits[b] >= 0x7f800000 ? NAN : 0.0f;
		inverse[b] = usable ? 127.0f / largest : 0.0f;
	}
	return v_load(inverse);
}

// store_quad writes 4 inputs of each block, and adds them to totals.
INLINE void store_quad(const strip4 *s, uint8_t *to, const uint8_t bytes[4][16], int32_t *totals) {
	picked_input quads[16][4];
	for (int b = 0; b < 16; b++) {
		UNROLL
		for (int j = 0; j < 4; j++) quads[b][j] = (picked_input)(bytes[j][b] - 128);
		totals[b] += bytes[0][b] + bytes[1][b] + bytes[2][b] + bytes[3][b] - 4 * 128;
	}
	for (int b = 0; b < s->blocks; b++, to += s->plane) memcpy(to, quads[b], ROW_QUAD);
}

// prepare_row4 quantises the active inputs of a row for each block and begins its sums.
INLINE void prepare_row4(strip4 *s, int row, const float *x, const row_scale *scale,
	const int32_t *channels, const int8_t *const *weights) {
	active_values(s->values, x, scale, channels, s->active);
	i16 top = i_zero();
	for (int i = 0; i < s->active; i++) {
		const int8_t *ahead = weights[i + PICKED_INPUTS < s->active ? i + PICKED_INPUTS : i];
		__builtin_prefetch(ahead + numbers4(s->n) + 2 * (size_t)s->block, 0, 2);
		v16 value = v_mul(v_set(s->values[i]), scales4(weights[i], s->n, s->block, s->blocks));
		top = i_max(top, i_magnitude(value));
	}
	v16 inverse = steps4(s->step[row], top);
	uint8_t *to = s->prepared + (size_t)row * s->stride;
	int32_t totals[STRIP4] = {0};
	for (int i = 0; i < s->active; i += 4, to += ROW_QUAD) {
		uint8_t bytes[4][16];
		memset(bytes, 128, sizeof bytes);
		for (int j = 0; j < 4 && i + j < s->active; j++) {
			v16 value = v_mul(v_set(s->values[i + j]), scales4(weights[i + j], s->n, s->block, s->blocks));
			v_to_bytes(bytes[j], v_mul(value, inverse));
		}
		store_quad(s, to, bytes, totals);
	}
	for (int b = 0; b < s->blocks; b++)
		for (int c = 0; c < BLOCK4; c++) s->sums[row * PITCH4 + b * BLOCK4 + c] = -WEIGHT_OFFSET * totals[b];
}

// width4 is how many outputs a block has.
INLINE int width4(int n, int block) { return n - block * BLOCK4 < BLOCK4 ? n - block * BLOCK4 : BLOCK4; }

// expand4 turns the numbers of a block into bytes.
INLINE void expand4(int8_t *out, const int8_t *numbers, int width) {
	if (width == BLOCK4) {
		b_from_u4(out, (const uint8_t *)numbers);
		return;
	}
	uint8_t some[BLOCK4 / 2] = {0};
	memcpy(some, numbers, numbers4(width));
	b_from_u4(out, some);
}

TARGET static void multiply_picked(int32_t *sums, const uint8_t *a, size_t stride, const int8_t *const *w, size_t column, int quads, int rows) {
	switch (rows) {
	case 1: picked_rows(sums, PITCH4, a, ROW_QUAD, stride, w, column, quads, 1); break;
	case 2: picked_rows(sums, PITCH4, a, ROW_QUAD, stride, w, column, quads, 2); break;
	case 3: picked_rows(sums, PITCH4, a, ROW_QUAD, stride, w, column, quads, 3); break;
	default: picked_rows(sums, PITCH4, a, ROW_QUAD, stride, w, column, quads, 4);
	}
}

// add_strip4 adds the products of the active rows of weights.
INLINE void add_strip4(const strip4 *s, const int8_t *const *weights) {
	int8_t expanded[PICKED_INPUTS * BLOCK4] __attribute__((aligned(64)));
	const int8_t *some[PICKED_INPUTS], *next[PICKED_INPUTS], *rows[PICKED_INPUTS];
	for (int j = 0; j < PICKED_INPUTS; j++) rows[j] = expanded + j * BLOCK4;
	for (int i = 0; i < s->active; i += PICKED_INPUTS) {
		int quads = s->active - i < PICKED_INPUTS ? (s->active - i + 3) / 4 : PICKED_INPUTS / 4;
		active_rows(some, weights, i, s->active, s->block * (BLOCK4 / 2));
		active_rows(next, weights, i + PICKED_INPUTS, s->active, s->block * (BLOCK4 / 2));
		for (int b = 0; b < s->blocks; b++) {
			int width = width4(s->n, s->block + b);
			const uint8_t *a = s->prepared + (size_t)b * s->plane + (size_t)(i / 4) * ROW_QUAD;
			for (int j = 0; j < PICKED_INPUTS; j++) {
				__builtin_prefetch(next[j] + b * (BLOCK4 / 2), 0, 2);
				expand4(expanded + j * BLOCK4, some[j] + b * (BLOCK4 / 2), width);
			}
			for (int row = 0; row < s->rows; row += FEW_TILE)
				for (int c = 0; c < width; c += PANEL)
					multiply_picked(s->sums + row * PITCH4 + b * BLOCK4 + c, a + (size_t)row * s->stride, s->stride,
						rows, (size_t)c, quads, s->rows - row < FEW_TILE ? s->rows - row : FEW_TILE);
		}
	}
}

// finish_block4 writes the outputs first to last-1 of a block of a row.
INLINE void finish_block4(const strip4 *s, float *dst, int row, int b, const row_scale *scale, const int8_t *const *outliers,
	const float *column_scale, const float *bias, int first, int last) {
	int8_t expanded[MAX_OUTLIERS][BLOCK4] __attribute__((aligned(64)));
	row_scale own = {.step = s->step[row][b], .count = scale->count};
	int block = s->block + b, start = block * BLOCK4;
	for (int p = 0; p < scale->count; p++) {
		float factor[16];
		v_store(factor, scales4(outliers[p], s->n, block, 1));
		own.outliers[p] = (row_outlier){scale->outliers[p].value * factor[0], scale->outliers[p].at};
		expand4(expanded[p], outliers[p] + block * (BLOCK4 / 2), width4(s->n, block));
	}
	for (int c = start; c < last; c += PANEL) {
		int from = c < first ? first : c, end = c + PANEL < last ? c + PANEL : last;
		int32_t *sums = s->sums + row * PITCH4 + b * BLOCK4 + (c - start);
		if (from >= end) continue;
		order_sums(sums);
		panel_columns columns;
		load_columns(&columns, column_scale + from, bias + from, 0, end - from);
		const int8_t *outliers[MAX_OUTLIERS];
		for (int p = 0; p < scale->count; p++) outliers[p] = expanded[p] + (from - start);
		finish_row(dst + from, sums + (from - c), &columns, &own, outliers, end - from, 0);
	}
}

// linear4 writes the outputs from to to-1 of rows of n.
TARGET static void linear4(float *dst, const float *x, const row_scale *scale, const int8_t *const *outliers, int rows, int k,
	const int32_t *channels, const int8_t *const *weights, int active,
	const float *column_scale, const float *bias, int n, int from, int to, uint8_t *scratch) {
	strip4 s = {.rows = rows, .active = active, .n = n, .stride = (size_t)((active + 3) / 4) * ROW_QUAD};
	s.plane = s.stride * (size_t)rows;
	s.sums = (int32_t *)(void *)scratch;
	s.values = (float *)(void *)(s.sums + rows * PITCH4);
	s.prepared = (uint8_t *)(s.values + active);
	int blocks = (to + BLOCK4 - 1) / BLOCK4;
	for (s.block = from / BLOCK4; s.block < blocks; s.block += STRIP4) {
		s.blocks = blocks - s.block < STRIP4 ? blocks - s.block : STRIP4;
		for (int row = 0; row < rows; row++)
			prepare_row4(&s, row, x + (size_t)row * (size_t)k, &scale[row], channels, weights);
		add_strip4(&s, weights);
		for (int row = 0; row < rows; row++)
			for (int b = 0; b < s.blocks; b++) {
				int start = (s.block + b) * BLOCK4;
				finish_block4(&s, dst + (size_t)row * (size_t)n, row, b, &scale[row], outliers + row * MAX_OUTLIERS,
					column_scale, bias, from > start ? from : start, to < start + BLOCK4 ? to : start + BLOCK4);
			}
	}
}
