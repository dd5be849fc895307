// Attention over one sequence; the twin of plain_attention.go. A level file
// defines QUERY_TILE, the queries that share a pass over the keys, and
// TILE_VECTORS, the vectors of keys or columns that they are held against.

// transpose_keys writes one head's keys as [dim,keys], columns past the last
// token zero.
INLINE void transpose_keys(float *out, const float *k, int stride, int tokens, int keys, int dim) {
	for (int j = 0; j < tokens; j++)
		for (int d = 0; d < dim; d++) out[(size_t)d * (size_t)keys + j] = k[(size_t)j * (size_t)stride + d];
	for (int d = 0; d < dim; d++)
		for (int j = tokens; j < keys; j++) out[(size_t)d * (size_t)keys + j] = 0.0f;
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

// score_tile multiplies QUERY_TILE queries, laid out [dim,QUERY_TILE], with the
// keys of some vectors. Each score is summed in the order of the columns.
INLINE void score_tile(float *scores, const float *queries, const float *keys_t, int keys, int dim, int vectors) {
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
			v16 q = v_set(queries[r]);
			UNROLL
			for (int c = 0; c < vectors; c++) sum[r][c] = v_add(sum[r][c], v_mul(q, key[c]));
		}
		keys_t += keys;
		queries += QUERY_TILE;
	}
	UNROLL
	for (int r = 0; r < QUERY_TILE; r++)
		UNROLL
		for (int c = 0; c < vectors; c++) v_store(scores + (size_t)r * (size_t)keys + 16 * c, sum[r][c]);
}

// weigh turns the scores of one query into exp((score-max)*scale) and returns
// their sum.
INLINE float weigh(float *scores, int tokens, float scale) {
	int j = 0, tail = tokens % 16;
	v16 top = v_set(-INFINITY), none = v_set(-INFINITY);
	for (; j + 16 <= tokens; j += 16) top = v_max(v_load(scores + j), top);
	if (tail) top = v_max(v_select_n(v_load(scores + j), none, tail), top);
	v16 largest = v_set(v_largest(top)), factor = v_set(scale), sum = v_set(0.0f);
	for (j = 0; j + 16 <= tokens; j += 16) {
		v16 w = v_exp(v_mul(v_sub(v_load(scores + j), largest), factor));
		v_store(scores + j, w);
		sum = v_add(sum, w);
	}
	if (tail) {
		v16 w = v_exp(v_mul(v_sub(v_load(scores + j), largest), factor));
		v_store(scores + j, w);
		sum = v_add(sum, v_select_n(w, v_set(0.0f), tail));
	}
	return v_sum(sum);
}

// value_tile adds up the weighted values of some vectors of columns, key by
// key, and writes them, divided by the sums of weights, to out [QUERY_TILE,columns].
INLINE void value_tile(float *out, const float *weights, const float *inverse, const float *values,
	int tokens, int keys, int columns, int vectors) {
	v16 sum[QUERY_TILE][TILE_VECTORS];
	UNROLL
	for (int r = 0; r < QUERY_TILE; r++)
		UNROLL
		for (int c = 0; c < vectors; c++) sum[r][c] = v_set(0.0f);
	for (int j = 0; j < tokens; j++) {
		v16 value[TILE_VECTORS];
		UNROLL
		for (int c = 0; c < vectors; c++) value[c] = v_load(values + 16 * c);
		UNROLL
		for (int r = 0; r < QUERY_TILE; r++) {
			v16 w = v_set(weights[(size_t)r * (size_t)keys + j]);
			UNROLL
			for (int c = 0; c < vectors; c++) sum[r][c] = v_add(sum[r][c], v_mul(w, value[c]));
		}
		values += columns;
	}
	UNROLL
	for (int r = 0; r < QUERY_TILE; r++)
		UNROLL
		for (int c = 0; c < vectors; c++)
			v_store(out + (size_t)r * (size_t)columns + 16 * c, v_mul(sum[r][c], v_set(inverse[r])));
}

// attend answers up to QUERY_TILE queries of one head. Rows past the last one
// repeat it; their results are thrown away.
INLINE void attend(float *dst, int width, const float *q, int stride, int rows,
	const float *keys_t, const float *values, float *tile, int tokens, int keys, int dim, int columns) {
	float *scores = tile, *queries = tile + (size_t)QUERY_TILE * (size_t)keys;
	float inverse[QUERY_TILE], scale = 1.0f / sqrtf((float)dim);
	UNROLL
	for (int r = 0; r < QUERY_TILE; r++) {
		const float *row = q + (size_t)(r < rows ? r : rows - 1) * (size_t)stride;
		for (int d = 0; d < dim; d++) queries[(size_t)d * QUERY_TILE + r] = row[d];
	}
	int j = 0;
	for (; j + 16 * TILE_VECTORS <= keys; j += 16 * TILE_VECTORS)
		score_tile(scores + j, queries, keys_t + j, keys, dim, TILE_VECTORS);
	for (; j < keys; j += 16) score_tile(scores + j, queries, keys_t + j, keys, dim, 1);
	UNROLL
	for (int r = 0; r < QUERY_TILE; r++) inverse[r] = 1.0f / weigh(scores + (size_t)r * (size_t)keys, tokens, scale);
	float *out = queries; // no longer needed
	int d = 0;
	for (; d + 16 * TILE_VECTORS <= columns; d += 16 * TILE_VECTORS)
		value_tile(out + d, scores, inverse, values + d, tokens, keys, columns, TILE_VECTORS);
	for (; d < columns; d += 16) value_tile(out + d, scores, inverse, values + d, tokens, keys, columns, 1);
	UNROLL
	for (int r = 0; r < rows; r++)
		memcpy(dst + (size_t)r * (size_t)width, out + (size_t)r * (size_t)columns, (size_t)dim * sizeof(float));
}

TARGET static void attention(float *dst, const float *q, const float *k, const float *v,
	int stride, int tokens, int heads, int dim, float *scratch) {
	int keys = (tokens + 15) / 16 * 16, columns = (dim + 15) / 16 * 16, width = heads * dim;
	float *keys_t = scratch, *values = keys_t + (size_t)keys * (size_t)columns;
	float *tile = values + (size_t)tokens * (size_t)columns;
	for (int h = 0; h < heads; h++) {
		int at = h * dim;
		transpose_keys(keys_t, k + at, stride, tokens, keys, dim);
		copy_values(values, v + at, stride, tokens, dim, columns);
		for (int i = 0; i < tokens; i += QUERY_TILE) {
			int rows = tokens - i < QUERY_TILE ? tokens - i : QUERY_TILE;
			attend(dst + (size_t)i * (size_t)width + at, width, q + (size_t)i * (size_t)stride + at, stride, rows,
				keys_t, values, tile, tokens, keys, dim, columns);
		}
	}
}
