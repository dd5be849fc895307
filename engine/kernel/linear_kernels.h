// Integer projections; the twin of plainLinear in plain_linear.go. A level file
// defines
//
//	ROW_TILE           rows that are multiplied at a time
//	PANEL_QUAD         bytes of 4 inputs by PANEL columns, packed
//	ROW_QUAD           bytes of 4 inputs of one row, prepared
//	ZERO_POINT         what prepared rows still contain of it, 128 or 0
//	pack_quad          4 rows of PANEL weights -> PANEL_QUAD bytes
//	prepare_row        a row of inputs -> ROW_QUAD bytes for each quad, 0 past its end
//	multiply_tile      prepared rows x packed panel -> sums [ROW_TILE,PANEL]

// ROW_BLOCK_BYTES bounds the inputs that are multiplied with all the weights
// before the next ones are: they stay in the second-level cache meanwhile.
#define ROW_BLOCK_BYTES (384 * 1024)

// columns are the factors of one panel, padded with zeros.
typedef struct {
	int32_t zero[PANEL]; // ZERO_POINT times the sum of the weights
	float scale[PANEL], bias[PANEL];
} panel_columns;

INLINE void load_columns(panel_columns *p, const float *scale, const float *bias, const int32_t *sum, int count) {
	memset(p, 0, sizeof *p);
	memcpy(p->scale, scale, (size_t)count * sizeof(float));
	memcpy(p->bias, bias, (size_t)count * sizeof(float));
	for (int i = 0; i < count; i++) p->zero[i] = ZERO_POINT * sum[i];
}

// pack_panel packs count columns of weights [k,n]; what is past the edges of
// the matrix is zero.
INLINE void pack_panel(uint8_t *panel, const int8_t *weights, int k, int n, int count) {
	int whole = count == PANEL ? k / 4 * 4 : 0;
	int i = 0;
	for (; i < whole; i += 4) {
		const int8_t *w = weights + (size_t)i * (size_t)n;
		pack_quad(panel, w, w + n, w + 2 * (size_t)n, w + 3 * (size_t)n);
		panel += PANEL_QUAD;
	}
	for (; i < k; i += 4) {
		int8_t edge[4][PANEL] = {{0}};
		for (int r = 0; r < 4 && i + r < k; r++)
			memcpy(edge[r], weights + (size_t)(i + r) * (size_t)n, (size_t)count);
		pack_quad(panel, edge[0], edge[1], edge[2], edge[3]);
		panel += PANEL_QUAD;
	}
}

// finish turns 16 sums into outputs. peak are the weights of the row's peak.
INLINE v16 finish(i16 sum, v16 peak, const row_scale *row, v16 scale, v16 bias, int gelu) {
	v16 y = v_mul(v_from_i32(sum), v_mul(v_set(row->step), scale));
	y = v_add(y, v_mul(peak, v_mul(v_set(row->peak), scale)));
	y = v_add(y, bias);
	return gelu ? v_gelu(y) : y;
}

// weights_n reads up to 16 weights; what follows them may not be readable.
INLINE v16 weights_n(const int8_t *w, int count) {
	if (count >= 16) return v_from_i8(w);
	int8_t last[16] = {0};
	memcpy(last, w, (size_t)count);
	return v_from_i8(last);
}

// finish_row finishes one row of a panel; weights are those of its peak.
INLINE void finish_row(float *dst, const int32_t *sums, const panel_columns *p, const row_scale *row,
	const int8_t *weights, int count, int gelu) {
	for (int c = 0; c < count; c += 16) {
		i16 sum = i_sub(i_load(sums + c), i_load(p->zero + c));
		v16 y = finish(sum, weights_n(weights + c, count - c), row, v_load(p->scale + c), v_load(p->bias + c), gelu);
		if (count - c >= 16) v_store(dst + c, y);
		else v_store_n(dst + c, y, count - c);
	}
}

// multiply_panel multiplies prepared rows with one packed panel, whose first
// weight is at weights.
INLINE void multiply_panel(float *dst, const uint8_t *prepared, const row_scale *scale, int rows,
	const uint8_t *panel, const panel_columns *columns, const int8_t *weights, int quads, int n, int count, int gelu) {
	int32_t sums[ROW_TILE * PANEL] __attribute__((aligned(64)));
	size_t stride = (size_t)quads * ROW_QUAD;
	for (int row = 0; row < rows; row += ROW_TILE) {
		int tile = rows - row < ROW_TILE ? rows - row : ROW_TILE;
		multiply_tile(sums, prepared + (size_t)row * stride, stride, panel, quads, tile);
		for (int r = 0; r < tile; r++)
			finish_row(dst + (size_t)(row + r) * (size_t)n, sums + r * PANEL, columns, &scale[row + r],
				weights + (size_t)scale[row + r].peak_at * (size_t)n, count, gelu);
	}
}

// linear packs each panel of weights into scratch once for a block of rows.
// scratch holds the panel and then the block of prepared rows.
TARGET static void linear(float *dst, const uint8_t *q, const row_scale *scale, int rows,
	const int8_t *weights, const float *column_scale, const float *bias, const int32_t *column_sum,
	int k, int n, int gelu, uint8_t *scratch) {
	int quads = (k + 3) / 4;
	size_t stride = (size_t)quads * ROW_QUAD;
	uint8_t *panel = scratch, *prepared = scratch + (size_t)quads * PANEL_QUAD;
	int block = (int)(ROW_BLOCK_BYTES / stride);
	if (block < ROW_TILE) block = ROW_TILE;
	for (int row = 0; row < rows; row += block) {
		int count = rows - row < block ? rows - row : block;
		for (int r = 0; r < count; r++) prepare_row(prepared + (size_t)r * stride, q + (size_t)(row + r) * (size_t)k, k);
		for (int c = 0; c < n; c += PANEL) {
			int width = n - c < PANEL ? n - c : PANEL;
			panel_columns columns;
			load_columns(&columns, column_scale + c, bias + c, column_sum + c, width);
			pack_panel(panel, weights + c, k, n, width);
			multiply_panel(dst + (size_t)row * (size_t)n + c, prepared, scale + row, count,
				panel, &columns, weights + c, quads, n, width, gelu);
		}
	}
}

TARGET static void dequantize(float *dst, const int32_t *product, const row_scale *scale, int rows,
	const int8_t *weights, const float *column_scale, const float *bias, int n, int gelu) {
	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)n;
		const int8_t *peak = weights + (size_t)scale[row].peak_at * (size_t)n;
		int c = 0, tail = n % 16;
		for (; c + 16 <= n; c += 16)
			v_store(dst + at + c, finish(i_load(product + at + c), v_from_i8(peak + c), &scale[row],
				v_load(column_scale + c), v_load(bias + c), gelu));
		if (tail) {
			int32_t last[16] = {0};
			memcpy(last, product + at + c, (size_t)tail * sizeof(int32_t));
			v_store_n(dst + at + c, finish(i_load(last), weights_n(peak + c, tail), &scale[row],
				v_load_n(column_scale + c, tail), v_load_n(bias + c, tail), gelu), tail);
		}
	}
}

// KERNEL_TABLE are the operations of the level that included this.
#define KERNEL_TABLE \
	{quantize_rows, linear, dequantize, add_layer_norm, gelu_all, attention, dot_many, embed}
