// Integer projections; the twin of plainLinear in plain_linear.go. A level file
// defines
//
//	ROW_TILE           rows that are multiplied at a time
//	PANEL_QUAD         bytes of 4 inputs by PANEL columns, packed
//	ROW_QUAD           bytes of 4 inputs of one row, prepared
//	ZERO_POINT         what prepared rows still contain of it, 128 or 0
//	pack_quad          4 rows of PANEL weights, n apart -> PANEL_QUAD bytes
//	prepare_row        a row of inputs -> ROW_QUAD bytes for each quad, 0 past its end
//	dot_bytes          sums += 64 prepared inputs x 64 weights, in any lanes (head_kernels.h)
//	multiply_tile      prepared rows x packed panel -> sums [ROW_TILE,PANEL]
//	multiply_few       adds prepared rows x weights, n apart, to sums, pitch apart
//	picked_input       type of a prepared input for rows given one by one (sparse_kernels.h)
//	picked_rows        adds those x weights, with WEIGHT_OFFSET added to each of them, to sums
//	order_sums         puts PANEL sums of multiply_few and picked_rows in the order of the columns
//
// Rows of weights are lead bytes apart, rows of outputs n floats.

// Few rows wait for memory. There, weights are read once and almost in the order
// in which they lie, some of their rows at a time, so that hardware fetches
// ahead; the sums wait in the cache, up to STRIP_SUMS of them. More rows of
// weights at a time mean fewer loads of sums and less order.
#define FEW_ROWS 32
#define STRIP_SUMS 16384
#define STRIP_INPUTS 32 // at most

// FEW_TILE is how many rows few_rows takes at a time: its registers hold their
// sums and the weights of 4 inputs.
#define FEW_TILE 4

// ROW_BLOCK_BYTES bounds the inputs that are multiplied with all the weights
// before the next ones are: they stay in the second-level cache meanwhile.
#define ROW_BLOCK_BYTES (384 * 1024)

// columns are the factors of one panel, padded with zeros.
typedef struct {
	int32_t zero[PANEL]; // ZERO_POINT times the sum of the weights
	float scale[PANEL], bias[PANEL];
} panel_columns;

// load_columns leaves zero at 0 where sum is null.
INLINE void load_columns(panel_columns *p, const float *scale, const float *bias, const int32_t *sum, int count) {
	memset(p, 0, sizeof *p);
	memcpy(p->scale, scale, (size_t)count * sizeof(float));
	memcpy(p->bias, bias, (size_t)count * sizeof(float));
	for (int i = 0; sum && i < count; i++) p->zero[i] = ZERO_POINT * sum[i];
}

// pad_block copies count columns of k rows to [k,PANEL] with k rounded up to 4; the
// rest is zero.
INLINE void pad_block(int8_t *block, const int8_t *weights, int k, int lead, int count) {
	memset(block, 0, (size_t)((k + 3) / 4 * 4 * PANEL));
	for (int i = 0; i < k; i++) memcpy(block + i * PANEL, weights + (size_t)i * (size_t)lead, (size_t)count);
}

// pack_panel packs count columns of k rows of weights; what is past the edges of
// the matrix is zero.
INLINE void pack_panel(uint8_t *panel, const int8_t *weights, int k, int lead, int count) {
	int whole = count == PANEL ? k / 4 * 4 : 0;
	for (int i = 0; i < k; i += 4, panel += PANEL_QUAD) {
		const int8_t *w = weights + (size_t)i * (size_t)lead;
		if (i < whole) {
			pack_quad(panel, w, lead);
			continue;
		}
		int8_t edge[4 * PANEL];
		pad_block(edge, w, k - i < 4 ? k - i : 4, lead, count);
		pack_quad(panel, edge, PANEL);
	}
}

// weights_n reads up to 16 weights; what follows them may not be readable.
INLINE v16 weights_n(const int8_t *w, int count) {
	if (count >= 16) return v_from_i8(w);
	int8_t last[16] = {0};
	memcpy(last, w, (size_t)count);
	return v_from_i8(last);
}

// rows_of_outliers finds the weights of the outliers of a row, of some columns on.
INLINE void rows_of_outliers(const int8_t **at, const row_scale *row, const int8_t *weights, int lead) {
	for (int p = 0; p < row->count; p++) at[p] = weights + (size_t)row->outliers[p].at * (size_t)lead;
}

// finish turns 16 sums into outputs, or count where there are fewer, from a column
// of the outliers on.
INLINE v16 finish(i16 sum, const int8_t *const *outliers, int column, int count, const row_scale *row, v16 scale, v16 bias, int gelu) {
	v16 y = v_mul(v_from_i32(sum), v_mul(v_set(row->step), scale));
	for (int p = 0; p < row->count; p++) {
		v16 w = weights_n(outliers[p] + column, count);
		y = v_add(y, v_mul(w, v_mul(v_set(row->outliers[p].value), scale)));
	}
	y = v_add(y, bias);
	return gelu ? v_gelu(y) : y;
}

// finish_beside finishes BESIDE times 16 columns from one on.
INLINE void finish_beside(float *dst, const int32_t *sums, const panel_columns *p, int c, const row_scale *row,
	const int8_t *const *outliers, int gelu) {
	v16 y[BESIDE], scale[BESIDE];
	EACH_OF(BESIDE) {
		scale[i] = v_load(p->scale + c + 16 * i);
		i16 sum = i_sub(i_load(sums + c + 16 * i), i_load(p->zero + c + 16 * i));
		y[i] = v_mul(v_from_i32(sum), v_mul(v_set(row->step), scale[i]));
	}
	for (int k = 0; k < row->count; k++) {
		v16 value = v_set(row->outliers[k].value);
		EACH_OF(BESIDE) y[i] = v_add(y[i], v_mul(v_from_i8(outliers[k] + c + 16 * i), v_mul(value, scale[i])));
	}
	EACH_OF(BESIDE) y[i] = v_add(y[i], v_load(p->bias + c + 16 * i));
	if (gelu) gelu_each(y, BESIDE);
	EACH_OF(BESIDE) v_store(dst + c + 16 * i, y[i]);
}

// finish_row finishes one row of a panel; the outliers begin at its columns.
INLINE void finish_row(float *dst, const int32_t *sums, const panel_columns *p, const row_scale *row,
	const int8_t *const *outliers, int count, int gelu) {
	int c = 0;
	for (; c + 16 * BESIDE <= count; c += 16 * BESIDE) finish_beside(dst, sums, p, c, row, outliers, gelu);
	for (; c < count; c += 16) {
		i16 sum = i_sub(i_load(sums + c), i_load(p->zero + c));
		v16 y = finish(sum, outliers, c, count - c, row, v_load(p->scale + c), v_load(p->bias + c), gelu);
		if (count - c >= 16) v_store(dst + c, y);
		else v_store_n(dst + c, y, count - c);
	}
}

// fetch_rows asks for some rows of the weights of the next panel, and for those of the outputs
// of a tile, which are about to be written. Both lie far apart, where hardware does not look.
INLINE void fetch_rows(const int8_t *next, int lead, int from, int to, const float *dst, int n, int rows) {
	for (int i = from; i < to; i++) __builtin_prefetch((const void *)((uintptr_t)next + (size_t)i * (size_t)lead), 0, 2);
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < PANEL; c += 16) __builtin_prefetch((const void *)((uintptr_t)dst + ((size_t)r * (size_t)n + (size_t)c) * sizeof(float)), 1, 3);
}

// multiply_panel multiplies prepared rows with one packed panel, whose first weight is at
// weights. Meanwhile it asks for the next one.
INLINE void multiply_panel(float *dst, const uint8_t *prepared, const row_scale *scale, int rows,
	const uint8_t *panel, const panel_columns *columns, const int8_t *weights, int k, int n, int lead, int count, int gelu) {
	int32_t sums[ROW_TILE * PANEL] __attribute__((aligned(64)));
	int quads = (k + 3) / 4, share = k * ROW_TILE / rows + 1;
	size_t stride = (size_t)quads * ROW_QUAD;
	for (int row = 0, from = 0; row < rows; row += ROW_TILE, from += share) {
		int tile = rows - row < ROW_TILE ? rows - row : ROW_TILE;
		float *out = dst + (size_t)row * (size_t)n;
		fetch_rows(weights + PANEL, lead, from, from + share < k ? from + share : k, out, n, tile);
		multiply_tile(sums, prepared + (size_t)row * stride, stride, panel, quads, tile);
		for (int r = 0; r < tile; r++) {
			const int8_t *outliers[MAX_OUTLIERS];
			rows_of_outliers(outliers, &scale[row + r], weights, lead);
			finish_row(out + (size_t)r * (size_t)n, sums + r * PANEL, columns, &scale[row + r], outliers, count, gelu);
		}
	}
}

// add_block adds prepared rows x PANEL columns of some weights to sums.
INLINE void add_block(int32_t *sums, int pitch, const uint8_t *prepared, size_t stride,
	const int8_t *weights, int lead, int quads, int rows) {
	for (int row = 0; row < rows; row += FEW_TILE)
		multiply_few(sums + row * pitch, pitch, prepared + (size_t)row * stride, stride,
			weights, lead, quads, rows - row < FEW_TILE ? rows - row : FEW_TILE);
}

// fetch_next asks for the block below one that is about to be multiplied: its
// turn comes a round of all columns later, and hardware does not look from one
// row of a matrix into another. Past the end of the matrix this does nothing.
// With a constant number of inputs it is a quarter faster.
INLINE void fetch_next(const int8_t *block, int lead, int inputs) {
	for (int i = inputs; i < 2 * inputs; i++)
		__builtin_prefetch((const void *)((uintptr_t)block + (size_t)i * (size_t)lead), 0, 2);
}

// multiply_strip multiplies up to FEW_ROWS prepared rows with some columns of
// the weights and keeps the sums in scratch, pitch apart.
INLINE void multiply_strip(float *dst, const uint8_t *prepared, const row_scale *scale, int rows,
	const int8_t *weights, const float *column_scale, const float *bias, const int32_t *column_sum,
	int k, int n, int lead, int count, int gelu, int32_t *sums, int pitch) {
	size_t stride = (size_t)((k + 3) / 4) * ROW_QUAD;
	memset(sums, 0, (size_t)rows * (size_t)pitch * sizeof(int32_t));
	int step = rows <= FEW_TILE ? STRIP_INPUTS / 2 : STRIP_INPUTS;
	for (int i = 0; i < k; i += step) {
		int inputs = k - i < step ? k - i : step;
		const int8_t *block = weights + (size_t)i * (size_t)lead;
		const uint8_t *from = prepared + (size_t)(i / 4) * ROW_QUAD;
		int whole = inputs % 4 ? 0 : count / PANEL * PANEL;
		for (int c = 0; c < whole; c += PANEL) {
			if (rows <= FEW_TILE) fetch_next(block + c, lead, STRIP_INPUTS / 2);
			else fetch_next(block + c, lead, STRIP_INPUTS);
			add_block(sums + c, pitch, from, stride, block + c, lead, inputs / 4, rows);
		}
		for (int c = whole; c < count; c += PANEL) {
			int8_t edge[STRIP_INPUTS * PANEL];
			pad_block(edge, block + c, inputs, lead, count - c < PANEL ? count - c : PANEL);
			add_block(sums + c, pitch, from, stride, edge, PANEL, (inputs + 3) / 4, rows);
		}
	}
	for (int c = 0; c < count; c += PANEL) {
		int width = count - c < PANEL ? count - c : PANEL;
		panel_columns columns;
		load_columns(&columns, column_scale + c, bias + c, column_sum + c, width);
		for (int row = 0; row < rows; row++) {
			const int8_t *outliers[MAX_OUTLIERS];
			rows_of_outliers(outliers, &scale[row], weights + c, lead);
			order_sums(sums + row * pitch + c);
			finish_row(dst + (size_t)row * (size_t)n + c, sums + row * pitch + c, &columns, &scale[row], outliers, width, gelu);
		}
	}
}

// multiply_strips cuts the columns into strips. Sums of different rows are not a
// multiple of the page size apart, where they would share a set of the cache.
INLINE void multiply_strips(float *dst, const uint8_t *prepared, const row_scale *scale, int rows,
	const int8_t *weights, const float *column_scale, const float *bias, const int32_t *column_sum,
	int k, int n, int lead, int count, int gelu, uint8_t *scratch) {
	int strip = STRIP_SUMS / rows / PANEL * PANEL;
	for (int c = 0; c < count; c += strip)
		multiply_strip(dst + c, prepared, scale, rows, weights + c, column_scale + c, bias + c, column_sum + c,
			k, n, lead, count - c < strip ? count - c : strip, gelu, (int32_t *)(void *)scratch, strip + 16);
}

// multiply_block multiplies prepared rows with count columns of the weights,
// panel by panel, and packs each into scratch.
INLINE void multiply_block(float *dst, const uint8_t *prepared, const row_scale *scale, int rows,
	const int8_t *weights, const float *column_scale, const float *bias, const int32_t *column_sum,
	int k, int n, int lead, int count, int gelu, uint8_t *scratch) {
	for (int c = 0; c < count; c += PANEL) {
		int width = count - c < PANEL ? count - c : PANEL;
		panel_columns columns;
		load_columns(&columns, column_scale + c, bias + c, column_sum + c, width);
		pack_panel(scratch, weights + c, k, lead, width);
		multiply_panel(dst + c, prepared, scale, rows, scratch, &columns, weights + c, k, n, lead, width, gelu);
	}
}

// linear writes count of the n columns of an output. It prepares a block of
// rows and goes through all of the weights before the next ones. scratch holds
// what multiplying needs and then the prepared rows.
TARGET static void linear(float *dst, const uint8_t *q, const row_scale *scale, int rows,
	const int8_t *weights, const float *column_scale, const float *bias, const int32_t *column_sum,
	int k, int n, int lead, int count, int gelu, uint8_t *scratch) {
	size_t quads = ((size_t)k + 3) / 4, stride = quads * ROW_QUAD;
	size_t few = (STRIP_SUMS + FEW_ROWS * 16) * sizeof(int32_t), many = quads * PANEL_QUAD;
	uint8_t *prepared = scratch + (few > many ? few : many);
	int block = (int)(ROW_BLOCK_BYTES / stride);
	if (block < ROW_TILE) block = ROW_TILE;
	for (int row = 0; row < rows; row += block) {
		int some = rows - row < block ? rows - row : block;
		float *out = dst + (size_t)row * (size_t)n;
		for (int r = 0; r < some; r++) prepare_row(prepared + (size_t)r * stride, q + (size_t)(row + r) * (size_t)k, k);
		if (some > FEW_ROWS) {
			multiply_block(out, prepared, scale + row, some, weights, column_scale, bias, column_sum, k, n, lead, count, gelu, scratch);
			continue;
		}
		multiply_strips(out, prepared, scale + row, some, weights, column_scale, bias, column_sum, k, n, lead, count, gelu, scratch);
	}
}

TARGET static void dequantize(float *dst, const int32_t *product, const row_scale *scale, int rows,
	const int8_t *weights, const float *column_scale, const float *bias, int n, int gelu) {
	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)n;
		int c = 0, tail = n % 16;
		const int8_t *outliers[MAX_OUTLIERS];
		rows_of_outliers(outliers, &scale[row], weights, n);
		for (; c + 16 <= n; c += 16)
			v_store(dst + at + c, finish(i_load(product + at + c), outliers, c, 16, &scale[row],
				v_load(column_scale + c), v_load(bias + c), gelu));
		if (tail) {
			int32_t last[16] = {0};
			memcpy(last, product + at + c, (size_t)tail * sizeof(int32_t));
			v_store_n(dst + at + c, finish(i_load(last), outliers, c, tail, &scale[row],
				v_load_n(column_scale + c, tail), v_load_n(bias + c, tail), gelu), tail);
		}
	}
}
