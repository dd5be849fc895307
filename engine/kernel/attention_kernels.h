// Attention over one sequence; the twin of plain_attention.go. A level file
// defines QUERY_TILE, the queries that share a pass over the keys, and
// TILE_VECTORS, the vectors of keys or columns that they are held against.

// transpose_keys writes one head's keys as [dim,keys], columns past the last
// token zero. It takes 16 at a time, which are as many as a line of the cache holds.
INLINE void transpose_keys(float *out, const float *k, int stride, int tokens, int keys, int dim) {
	for (int j = 0; j < keys; j += 16, out += 16, k += 16 * (size_t)stride) {
		int some = tokens - j < 16 ? tokens - j : 16;
		for (int d = 0; d < dim; d++) {
			float *to = out + (size_t)d * (size_t)keys;
			if (some == 16)
				UNROLL
				for (int i = 0; i < 16; i++) to[i] = k[(size_t)i * (size_t)stride + (size_t)d];
			else
				for (int i = 0; i < 16; i++) to[i] = i < some ? k[(size_t)i * (size_t)stride + (size_t)d] : 0.0f;
		}
	}
}

// copy_values writes one head's values as [tokens,columns], columns past dim
// zero.
INLINE void copy_values(float *out, const float *v, int stride, int tokens, int dim, int columns) {
	for (int j = 0; j < tokens; j++) {
		float *row = out + (size_t)j * (size_t)columns;
		memcpy(row, v + (size_t)j * (size_t)stride, (size_t)dim * sizeof(float));
		for (int d = dim; d < columns; d++) row[d] = 0.0f;
	}
}

// score_tile multiplies QUERY_TILE queries with the keys of some vectors. Each score is
// summed in the order of the columns.
INLINE void score_tile(float *scores, const float *const *queries, const float *keys_t, int keys, int dim, int vectors) {
	v16 sum[QUERY_TILE][TILE_VECTORS];
	UNROLL
	for (int r = 0; r < QUERY_TILE; r++)
		UNROLL
		for (int c = 0; c < vectors; c++) sum[r][c] = v_set(0.0f);
	for (int d = 0; d < dim; d++) {
		v16 key[TILE_VECTORS];
		UNROLL
		for (int c = 0; c < vectors; c++) key[c] = v_load(keys_t + 16 * c);
		UNROLL
		for (int r = 0; r < QUERY_TILE; r++) {
			v16 q = v_set(queries[r][d]);
			UNROLL
			for (int c = 0; c < vectors; c++) sum[r][c] = v_add(sum[r][c], v_mul(q, key[c]));
		}
		keys_t += keys;
	}
	UNROLL
	for (int r = 0; r < QUERY_TILE; r++)
		UNROLL
		for (int c = 0; c < vectors; c++) v_store(scores + (size_t)r * (size_t)keys + 16 * c, sum[r][c]);
}

// key_range is the keys of a query: from, ... to-1.
typedef struct {
	int from, to;
} key_range;

// own_lanes keeps the lanes of the keys j, ..., j+15 that are in a range, and has those of
// other in the place of the others.
INLINE v16 own_lanes(v16 x, v16 other, int j, key_range own) {
	if (j + 16 > own.to) x = v_select_n(x, other, own.to - j);
	if (j < own.from) x = v_select_n(other, x, own.from - j);
	return x;
}

// weigh turns the scores of one query into exp((score-max)*scale) and returns their sum.
// Scores of keys that are not its own are changed too, and count for nothing.
INLINE float weigh(float *scores, key_range own, float scale) {
	int first = own.from / 16 * 16, inner = (own.from + 15) / 16 * 16, j = first;
	v16 top = v_set(-INFINITY), none = v_set(-INFINITY);
	for (; j < own.to; j += 16) {
		v16 score = v_load(scores + j);
		top = v_max(j < inner || j + 16 > own.to ? own_lanes(score, none, j, own) : score, top);
	}
	v16 largest = v_set(v_largest(top)), factor = v_set(scale), lowest = v_set(-87.0f), sum = v_set(0.0f);
	for (j = first; j < own.to; j += 16) {
		if (j >= inner)
			for (; j + 16 * BESIDE <= own.to; j += 16 * BESIDE) {
				v16 w[BESIDE];
				EACH_OF(BESIDE) w[i] = v_max(v_mul(v_sub(v_load(scores + j + 16 * i), largest), factor), lowest);
				exp_each(w, BESIDE);
				EACH_OF(BESIDE) v_store(scores + j + 16 * i, w[i]);
				EACH_OF(BESIDE) sum = v_add(sum, w[i]);
			}
		if (j >= own.to) break;
		v16 w = v_exp(v_mul(v_sub(v_load(scores + j), largest), factor));
		v_store(scores + j, w);
		sum = v_add(sum, own_lanes(w, v_set(0.0f), j, own));
	}
	return v_sum(sum);
}

// add_bias turns the scores of one query into score*scale+bias. bias is that of key 0.
INLINE void add_bias(float *scores, const float *bias, key_range own, float scale) {
	v16 factor = v_set(scale);
	for (int j = own.from / 16 * 16; j < own.to; j += 16)
		v_store(scores + j, v_add(v_mul(v_load(scores + j), factor), v_load(bias + j)));
}

// value_tile adds up the weighted values of some vectors of columns, key by
// key, and writes them, divided by the sums of weights, to out [QUERY_TILE,columns]. own
// are the keys of each query; those of all are a whole, which needs no looking.
INLINE void value_tile(float *out, const float *weights, const float *inverse, const float *values,
	const key_range *own, key_range any, key_range all, int keys, int columns, int vectors) {
	v16 sum[QUERY_TILE][TILE_VECTORS];
	UNROLL
	for (int r = 0; r < QUERY_TILE; r++)
		UNROLL
		for (int c = 0; c < vectors; c++) sum[r][c] = v_set(0.0f);
	for (int j = any.from; j < any.to; j++) {
		const float *row = values + (size_t)j * (size_t)columns;
		v16 value[TILE_VECTORS];
		UNROLL
		for (int c = 0; c < vectors; c++) value[c] = v_load(row + 16 * c);
		if (j >= all.from && j < all.to) {
			UNROLL
			for (int r = 0; r < QUERY_TILE; r++) {
				v16 w = v_set(weights[(size_t)r * (size_t)keys + j]);
				UNROLL
				for (int c = 0; c < vectors; c++) sum[r][c] = v_add(sum[r][c], v_mul(w, value[c]));
			}
			continue;
		}
		UNROLL
		for (int r = 0; r < QUERY_TILE; r++) {
			if (j < own[r].from || j >= own[r].to) continue;
			v16 w = v_set(weights[(size_t)r * (size_t)keys + j]);
			UNROLL
			for (int c = 0; c < vectors; c++) sum[r][c] = v_add(sum[r][c], v_mul(w, value[c]));
		}
	}
	UNROLL
	for (int r = 0; r < QUERY_TILE; r++)
		UNROLL
		for (int c = 0; c < vectors; c++)
			v_store(out + (size_t)r * (size_t)columns + 16 * c, v_mul(sum[r][c], v_set(inverse[r])));
}

// keys_of is AttentionInput.keysOf.
INLINE key_range keys_of(int i, int tokens, int window) {
	key_range own = {0, tokens};
	if (window == 0) return own;
	if (i > window) own.from = i - window;
	if (i + window + 1 < tokens) own.to = i + window + 1;
	return own;
}

// attend answers up to QUERY_TILE queries of one head, of which the first is number first
// and q its row. Rows past the last one repeat it; their results are thrown away.
INLINE void attend(float *dst, int width, const float *q, int stride, int first, int rows, const float *keys_t,
	const float *values, const float *bias, float *tile, int tokens, int window, int keys, int dim, int columns) {
	float *scores = tile, *out = tile + (size_t)QUERY_TILE * (size_t)keys;
	const float *queries[QUERY_TILE];
	float inverse[QUERY_TILE], scale = 1.0f / sqrtf((float)dim);
	key_range own[QUERY_TILE];
	UNROLL
	for (int r = 0; r < QUERY_TILE; r++) {
		int i = r < rows ? r : rows - 1;
		queries[r] = q + (size_t)i * (size_t)stride;
		own[r] = keys_of(first + i, tokens, window);
	}
	// Ranges ascend: any holds the keys of every query, all those that every query has.
	key_range any = {own[0].from, own[QUERY_TILE - 1].to}, all = {own[QUERY_TILE - 1].from, own[0].to};
	int j = any.from / 16 * 16, end = (any.to + 15) / 16 * 16;
	for (; j + 16 * TILE_VECTORS <= end; j += 16 * TILE_VECTORS)
		score_tile(scores + j, queries, keys_t + j, keys, dim, TILE_VECTORS);
	for (; j < end; j += 16) score_tile(scores + j, queries, keys_t + j, keys, dim, 1);
	if (bias) {
		for (int r = 0; r < rows; r++) add_bias(scores + (size_t)r * (size_t)keys, bias - (first + r), own[r], scale);
		scale = 1.0f;
	}
	UNROLL
	for (int r = 0; r < QUERY_TILE; r++) inverse[r] = 1.0f / weigh(scores + (size_t)r * (size_t)keys, own[r], scale);
	int d = 0;
	for (; d + 16 * TILE_VECTORS <= columns; d += 16 * TILE_VECTORS)
		value_tile(out + d, scores, inverse, values + d, own, any, all, keys, columns, TILE_VECTORS);
	for (; d < columns; d += 16) value_tile(out + d, scores, inverse, values + d, own, any, all, keys, columns, 1);
	UNROLL
	for (int r = 0; r < rows; r++)
		memcpy(dst + (size_t)r * (size_t)width, out + (size_t)r * (size_t)columns, (size_t)dim * sizeof(float));
}

TARGET static void attention(float *dst, const float *q, const float *k, const float *v,
	int stride, int tokens, int heads, int group, int dim, int window, const float *bias, int bias_row, float *scratch) {
	int keys = (tokens + 15) / 16 * 16, columns = (dim + 15) / 16 * 16, width = heads * dim;
	float *keys_t = scratch, *values = keys_t + (size_t)keys * (size_t)columns;
	float *tile = values + (size_t)tokens * (size_t)columns;
	for (int h = 0; h < heads; h++) {
		int at = h * dim, shared = h / group * dim;
		if (h % group == 0) {
			transpose_keys(keys_t, k + shared, stride, tokens, keys, dim);
			copy_values(values, v + shared, stride, tokens, dim, columns);
		}
		for (int i = 0; i < tokens; i += QUERY_TILE) {
			int rows = tokens - i < QUERY_TILE ? tokens - i : QUERY_TILE;
			attend(dst + (size_t)i * (size_t)width + at, width, q + (size_t)i * (size_t)stride + at, stride, i, rows,
				keys_t, values, bias ? bias + (size_t)h * (size_t)bias_row : bias, tile, tokens, window, keys, dim, columns);
		}
	}
}
