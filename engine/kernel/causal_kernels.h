// The steps of causal attention; the twins of plain_causal.go. A level file
// defines SHARED_QUERIES, the heads that share a pass over the keys of a tile.

// KEY_TILE is keyTile.
#define KEY_TILE 32

// AHEAD is how many tokens before their turn cached vectors are asked for. A
// cache is read once a step, from memory, in strides of which hardware sees
// little.
#define AHEAD (2 * KEY_TILE)

// float_of is the value of a bfloat16.
INLINE float float_of(uint16_t half) {
	int32_t bits = (int32_t)((uint32_t)half << 16);
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

INLINE v16 numbers_of(const uint8_t *p, int bits) { return bits == 4 ? v_from_u4(p) : v_from_u2(p); }

// unpack_head is load_head for packed rows.
INLINE void unpack_head(float *tile, const head_rows *in, int head, int token, int count, int columns, int bits) {
	const packed_rows *p = &in->packed;
	size_t at = (size_t)token * (size_t)in->heads + (size_t)head, step = (size_t)(columns * bits / 8);
	const uint8_t *numbers = p->numbers + at * step;
	step *= (size_t)in->heads; // from a token to the next
	if (p->unit) { // scale and minimum of a column stay what they are from token to token
		v16 scale_unit = v_set(p->unit[2 * head]), low_unit = v_set(p->unit[2 * head + 1]);
		for (int d = 0; d < columns; d += 16) {
			size_t channel = (size_t)(head * columns + d);
			v16 scale = v_mul(v_from_u8(p->channel_scale + channel), scale_unit);
			v16 low = v_mul(v_from_i8(p->channel_min + channel), low_unit);
			for (int j = 0; j < count; j++)
				v_store(tile + j * columns + d, v_add(v_mul(numbers_of(numbers + (size_t)j * step + d * bits / 8, bits), scale), low));
		}
	} else
		for (int j = 0; j < count; j++, at += (size_t)in->heads) {
			v16 scale = v_set(float_of(p->scale[at])), low = v_set(float_of(p->min[at]));
			for (int d = 0; d < columns; d += 16)
				v_store(tile + j * columns + d, v_add(v_mul(numbers_of(numbers + (size_t)j * step + d * bits / 8, bits), scale), low));
		}
	for (int j = 0; j < count; j++)
		for (int d = in->dim; d < columns; d++) tile[j * columns + d] = 0.0f;
}

// load_head expands count vectors of one head, from a token on, to tile
// [count,columns].
INLINE void load_head(float *tile, const head_rows *in, int head, int token, int count, int columns) {
	if (in->packed.bits == 4) {
		unpack_head(tile, in, head, token, count, columns, 4);
		return;
	}
	if (in->packed.bits == 2) {
		unpack_head(tile, in, head, token, count, columns, 2);
		return;
	}
	int dim = in->dim, tail = dim % 16, whole = dim - tail;
	for (int j = 0; j < count; j++, tile += columns) {
		size_t at = (size_t)(token + j) * (size_t)in->heads + (size_t)head;
		for (int d = dim; d < columns; d++) tile[d] = 0.0f;
		if (in->floats) {
			memcpy(tile, in->floats + at * (size_t)dim, (size_t)dim * sizeof(float));
			continue;
		}
		float step = float_of(in->scale[at]);
		v16 scale = v_set(step);
		const int8_t *bytes = in->bytes + at * (size_t)dim;
		for (int d = 0; d < dim; d += 64)
			__builtin_prefetch((const void *)((uintptr_t)bytes + (size_t)(AHEAD * in->heads * dim + d)), 0, 3);
		for (int d = 0; d < whole; d += 16) v_store(tile + d, v_mul(v_from_i8(bytes + d), scale));
		for (int d = whole; d < dim; d++) tile[d] = (float)bytes[d] * step;
	}
}

// key_run are keys of a row that follow each other within a tile.
typedef struct {
	int token, count, at;
} key_run;

// next_run finds the next of the keys that lie in a tile [first,end) of tokens.
// cursor starts at 0.
INLINE int next_run(key_run *run, int *cursor, const row_keys *keys, const int32_t *list, int first, int end) {
	int i = keys->start + *cursor;
	if (!list) {
		if (i < first) i = first;
		int to = keys->end < end ? keys->end : end;
		*run = (key_run){i, to - i, keys->at + i - keys->start};
		*cursor = to - keys->start;
		return i < to;
	}
	while (i < keys->end && list[i] < first) i++;
	if (i >= keys->end || list[i] >= end) return 0;
	int count = 1;
	while (i + count < keys->end && list[i + count] == list[i] + count && list[i] + count < end) count++;
	*run = (key_run){list[i], count, keys->at + i - keys->start};
	*cursor = i + count - keys->start;
	return 1;
}

// group_end is the first of a block's heads, after one of them, that has other
// keys.
INLINE int group_end(const causal_block *b, int from) {
	int end = from + b->group - (b->first + from) % b->group;
	return end < b->heads ? end : b->heads;
}

// token_range is the tokens that any row has among its keys.
INLINE row_keys token_range(const row_keys *spans, const int32_t *list, int rows) {
	row_keys all = {INT32_MAX, 0, 0};
	for (int row = 0; row < rows; row++) {
		int start = spans[row].start, end = spans[row].end;
		if (start >= end) continue;
		if (list) {
			start = list[start];
			end = list[end - 1] + 1;
		}
		if (start < all.start) all.start = start;
		if (end > all.end) all.end = end;
	}
	return all;
}

// score_keys writes the scores of some heads, whose queries follow each other.
INLINE void score_keys(float *scores, int stride, const float *queries, const float *tile, int count, int columns, int heads) {
	int j = 0;
	for (; j + 4 <= count; j += 4) {
		const float *keys = tile + (size_t)j * (size_t)columns;
		v16 sum[4][4];
		UNROLL
		for (int h = 0; h < heads; h++)
			UNROLL
			for (int c = 0; c < 4; c++) sum[h][c] = v_set(0.0f);
		for (int d = 0; d < columns; d += 16)
			UNROLL
			for (int h = 0; h < heads; h++) {
				v16 q = v_load(queries + h * columns + d);
				UNROLL
				for (int c = 0; c < 4; c++) sum[h][c] = v_add(sum[h][c], v_mul(q, v_load(keys + c * columns + d)));
			}
		UNROLL
		for (int h = 0; h < heads; h++) v_sum4(scores + (size_t)h * (size_t)stride + j, sum[h]);
	}
	for (; j < count; j++)
		UNROLL
		for (int h = 0; h < heads; h++) {
			v16 sum = v_set(0.0f);
			for (int d = 0; d < columns; d += 16)
				sum = v_add(sum, v_mul(v_load(queries + h * columns + d), v_load(tile + (size_t)j * (size_t)columns + d)));
			scores[(size_t)h * (size_t)stride + j] = v_sum(sum);
		}
}

// add_columns adds weighted values to some vectors of columns of some heads.
INLINE void add_columns(float *out, const float *weights, int stride, const float *tile, int count, int columns, int heads, int vectors) {
	v16 sum[4][4];
	UNROLL
	for (int h = 0; h < heads; h++)
		UNROLL
		for (int c = 0; c < vectors; c++) sum[h][c] = v_load(out + h * columns + 16 * c);
	for (int j = 0; j < count; j++, tile += columns)
		UNROLL
		for (int h = 0; h < heads; h++) {
			v16 w = v_set(weights[(size_t)h * (size_t)stride + j]);
			UNROLL
			for (int c = 0; c < vectors; c++) sum[h][c] = v_add(sum[h][c], v_mul(w, v_load(tile + 16 * c)));
		}
	UNROLL
	for (int h = 0; h < heads; h++)
		UNROLL
		for (int c = 0; c < vectors; c++) v_store(out + h * columns + 16 * c, sum[h][c]);
}

INLINE void add_values(float *out, const float *weights, int stride, const float *tile, int count, int columns, int heads) {
	int d = 0;
	for (; d + 64 <= columns; d += 64) add_columns(out + d, weights, stride, tile + d, count, columns, heads, 4);
	for (; d < columns; d += 16) add_columns(out + d, weights, stride, tile + d, count, columns, heads, 1);
}

// EACH_HEADS calls what for the heads of a group, SHARED_QUERIES at a time; h is
// the first of them.
#if SHARED_QUERIES == 4
#define EACH_HEADS(group, what) \
	for (int h = 0; h < (group); h += 4) switch ((group) - h) { \
	case 1: what(1); break; \
	case 2: what(2); break; \
	case 3: what(3); break; \
	default: what(4); \
	}
#else
#define EACH_HEADS(group, what) \
	for (int h = 0; h < (group); h++) what(1);
#endif

// A block's heads, first to first+heads-1 of the input's, need not begin or end
// with a group.

TARGET static void causal_scores(const causal_block *b, const head_rows *keys, const row_keys *spans, const int32_t *list) {
	row_keys all = token_range(spans, list, b->rows);
	for (int from = 0, to; from < b->heads; from = to) {
		int head = (b->first + from) / b->group;
		to = group_end(b, from);
		for (int t = all.start; t < all.end; t += KEY_TILE) {
			int end = all.end - t < KEY_TILE ? all.end : t + KEY_TILE;
			load_head(b->tile, keys, head, t, end - t, b->columns);
			for (int row = 0; row < b->rows; row++) {
				size_t at = (size_t)row * (size_t)b->heads + (size_t)from;
				key_run run;
				for (int cursor = 0; next_run(&run, &cursor, &spans[row], list, t, end);) {
					const float *tile = b->tile + (size_t)(run.token - t) * (size_t)b->columns;
#define SCORE(n) score_keys(b->scores + (at + (size_t)h) * (size_t)b->stride + run.at, b->stride, \
	b->queries + (at + (size_t)h) * (size_t)b->columns, tile, run.count, b->columns, n)
					EACH_HEADS(to - from, SCORE)
				}
			}
		}
	}
}

TARGET static void causal_values(const causal_block *b, const head_rows *values, const row_keys *spans, const int32_t *list) {
	row_keys all = token_range(spans, list, b->rows);
	for (int from = 0, to; from < b->heads; from = to) {
		int head = (b->first + from) / b->group;
		to = group_end(b, from);
		for (int t = all.start; t < all.end; t += KEY_TILE) {
			int end = all.end - t < KEY_TILE ? all.end : t + KEY_TILE;
			load_head(b->tile, values, head, t, end - t, b->columns);
			for (int row = 0; row < b->rows; row++) {
				size_t at = (size_t)row * (size_t)b->heads + (size_t)from;
				key_run run;
				for (int cursor = 0; next_run(&run, &cursor, &spans[row], list, t, end);) {
					const float *tile = b->tile + (size_t)(run.token - t) * (size_t)b->columns;
#define ADD(n) add_values(b->out + (at + (size_t)h) * (size_t)b->columns, \
	b->scores + (at + (size_t)h) * (size_t)b->stride + run.at, b->stride, tile, run.count, b->columns, n)
					EACH_HEADS(to - from, ADD)
				}
			}
		}
	}
}

// DENSITY_ONE is DensityOne.
#define DENSITY_ONE (1 << 18)

// add_density adds the first n probabilities of a row, which end with a whole vector.
INLINE void add_density(uint32_t *density, const float *scores, int n) {
	v16 one = v_set(DENSITY_ONE), zero = v_set(0.0f);
	for (int j = 0; j < n; j += 16) {
		i16 counts = i_round(v_max(v_mul(v_load(scores + j), one), zero)); // no NaN is left
		int32_t *to = (int32_t *)density + j;
		if (n - j >= 16) {
			i_store(to, i_add(i_load(to), counts));
			continue;
		}
		int32_t lanes[16];
		i_store(lanes, counts);
		for (int i = 0; i < n - j; i++) density[j + i] += (uint32_t)lanes[i];
	}
}

TARGET static void causal_softmax(const causal_block *b, const int32_t *counts, const int32_t *firsts,
	const int32_t *observed, float scale, uint32_t *density) {
	for (int row = 0; row < b->rows; row++)
		for (int h = 0; h < b->heads; h++) {
			float *scores = b->scores + ((size_t)row * (size_t)b->heads + (size_t)h) * (size_t)b->stride;
			v16 inverse = v_set(1.0f / weigh(scores, (key_range){0, counts[row]}, scale));
			// The scores of a head end with a whole vector.
			for (int j = 0; j < counts[row]; j += 16) v_store(scores + j, v_mul(v_load(scores + j), inverse));
			add_density(density + firsts[row], scores, observed[row]);
		}
}
