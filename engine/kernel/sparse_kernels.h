// Projections whose rows of weights are given one by one, because only some of them
// are in memory; the twins of plain_sparse.go. Inputs are signed here. Where bytes of
// one factor have to be unsigned it is the weights that are moved, by WEIGHT_OFFSET:
// what that adds is a multiple of the sum of the inputs, the same in all columns. Sums
// of weights, which the other way needs, are not known of the active rows alone.

// PICKED_INPUTS is how many rows are multiplied at a time.
#define PICKED_INPUTS 16

// prepare_active writes the inputs of active channels, zeros up to a multiple of 4, and
// returns their sum.
INLINE int32_t prepare_active(picked_input *out, const uint8_t *q, const int32_t *channels, int active) {
	int32_t total = 0;
	int i = 0;
	for (; i < active; i++) {
		out[i] = (picked_input)(q[channels[i]] - 128);
		total += out[i];
	}
	for (; i % 4; i++) out[i] = 0;
	return total;
}

// active_rows are the next PICKED_INPUTS rows, from a column on. The last one stands for
// those past the end, whose inputs are zeros.
INLINE void active_rows(const int8_t **some, const int8_t *const *rows, int i, int active, int from) {
	for (int j = 0; j < PICKED_INPUTS; j++) some[j] = rows[i + j < active ? i + j : active - 1] + from;
}

// pad_rows copies count columns of some rows to [PICKED_INPUTS,PANEL] and points at
// the copies; the other columns are zero.
INLINE void pad_rows(int8_t *block, const int8_t **padded, const int8_t *const *some, size_t column, int count) {
	memset(block, 0, PICKED_INPUTS * PANEL);
	for (int j = 0; j < PICKED_INPUTS; j++) {
		memcpy(block + j * PANEL, some[j] + column, (size_t)count);
		padded[j] = block + j * PANEL;
	}
}

// add_active adds the products of active rows to the sums of count columns.
INLINE void add_active(int32_t *sums, const picked_input *inputs, const int8_t *const *rows, int active, int from, int count) {
	int whole = count / PANEL * PANEL;
	const int8_t *some[PICKED_INPUTS], *next[PICKED_INPUTS];
	for (int i = 0; i < active; i += PICKED_INPUTS) {
		int quads = active - i < PICKED_INPUTS ? (active - i + 3) / 4 : PICKED_INPUTS / 4;
		const uint8_t *a = (const uint8_t *)(inputs + i);
		active_rows(some, rows, i, active, from);
		active_rows(next, rows, i + PICKED_INPUTS, active, from);
		for (int c = 0; c < whole; c += PANEL) {
			// They lie anywhere, so that hardware does not know where to fetch ahead.
			for (int j = 0; j < PICKED_INPUTS; j++) __builtin_prefetch(next[j] + c, 0, 2);
			picked_rows(sums + c, 0, a, ROW_QUAD, 0, some, (size_t)c, quads, 1);
		}
		if (whole < count) {
			int8_t edge[PICKED_INPUTS * PANEL];
			const int8_t *padded[PICKED_INPUTS];
			pad_rows(edge, padded, some, (size_t)whole, count - whole);
			picked_rows(sums + whole, 0, a, ROW_QUAD, 0, padded, 0, quads, 1);
		}
	}
}

// linear_rows writes count outputs, of which from is the first of a row of weights.
TARGET static void linear_rows(float *dst, const uint8_t *q, const row_scale *scale, const int8_t *const *outliers,
	const int32_t *channels, const int8_t *const *rows, int active,
	const float *column_scale, const float *bias, int from, int count, uint8_t *scratch) {
	int32_t *sums = (int32_t *)(void *)scratch;
	picked_input *inputs = (picked_input *)(void *)(scratch + STRIP_SUMS * sizeof(int32_t));
	int32_t offset = -WEIGHT_OFFSET * prepare_active(inputs, q, channels, active);
	for (int strip = 0; strip < count; strip += STRIP_SUMS) {
		int some = count - strip < STRIP_SUMS ? count - strip : STRIP_SUMS;
		for (int c = 0; c < (some + PANEL - 1) / PANEL * PANEL; c++) sums[c] = offset;
		add_active(sums, inputs, rows, active, from + strip, some);
		for (int c = 0; c < some; c += PANEL) {
			int at = strip + c, width = some - c < PANEL ? some - c : PANEL;
			panel_columns columns;
			load_columns(&columns, column_scale + at, bias + at, 0, width);
			const int8_t *own[MAX_OUTLIERS];
			for (int p = 0; p < scale->count; p++) own[p] = outliers[p] + from + at;
			order_sums(sums + c);
			finish_row(dst + at, sums + c, &columns, scale, own, width, 0);
		}
	}
}

TARGET static void scale_inputs(float *dst, const float *x, const float *in, int rows, int width) {
	for (int row = 0; row < rows; row++, dst += width, x += width) {
		int i = 0;
		for (; i + 16 <= width; i += 16) v_store(dst + i, v_mul(v_load(x + i), v_load(in + i)));
		if (i < width) v_store_n(dst + i, v_mul(v_load_n(x + i, width - i), v_load_n(in + i, width - i)), width - i);
	}
}

// mask returns how many channels are active.
TARGET static int mask(float *x, const float *in, float threshold, int width, int32_t *channels) {
	int count = 0;
	if (in) scale_inputs(x, x, in, 1, width);
	for (int i = 0; i < width; i++) {
		int idle = x[i] <= threshold && x[i] >= -threshold;
		channels[count] = i;
		count += !idle;
		x[i] = idle ? 0.0f : x[i];
	}
	return count;
}
