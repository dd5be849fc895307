// Row-wise float operations over 16 virtual lanes; the twins of plain_float.go
// and of the quantisation in plain_linear.go. A level file defines TARGET,
// INLINE and LANES, includes its lanes, and then this.
//
// A product and the sum that follows it stay two roundings: the build asks for
// strict C11, in which GCC does not contract them; Clang wants the pragma too.
#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

// A polynomial of one vector is a chain of steps that wait for each other, and few chains at
// a time fit between the steps that a processor looks at. So vectors are taken BESIDE at a
// time, step by step; n is how many, a constant.
#define EACH_OF(n) \
	UNROLL \
	for (int i = 0; i < (n); i++)

// horner_each evaluates a polynomial whose coefficients ascend.
INLINE void horner_each(v16 *p, const v16 *x, const float *c, const int count, const int n) {
	EACH_OF(n) p[i] = v_set(c[count - 1]);
	for (int k = count - 2; k >= 0; k--) EACH_OF(n) p[i] = v_add(v_mul(p[i], x[i]), v_set(c[k]));
}

// exp_each replaces vectors by exp; each lane is in -87..0.
INLINE void exp_each(v16 *x, const int n) {
	static const float c[] = {1, 1, 0.49999994f, 0.1666652f, 0.041668396f, 0.008368793f, 0.0013814416f};
	v16 whole[BESIDE], p[BESIDE];
	EACH_OF(n) whole[i] = v_add(v_mul(x[i], v_set(1.4426950408889634f)), v_set(V_MAGIC));
	EACH_OF(n) {
		v16 times = v_sub(whole[i], v_set(V_MAGIC));
		x[i] = v_sub(x[i], v_mul(times, v_set(0.693359375f)));
		x[i] = v_sub(x[i], v_mul(times, v_set(-2.12194440e-4f)));
	}
	horner_each(p, x, c, 7, n);
	EACH_OF(n) x[i] = v_raise(p[i], whole[i]);
}

INLINE v16 v_exp(v16 x) {
	x = v_max(x, v_set(-87.0f));
	exp_each(&x, 1);
	return x;
}

// gelu_each replaces vectors by gelu. What exp is taken of is in -18..0.
INLINE void gelu_each(v16 *x, const int n) {
	static const float c[] = {1.1283803f, 0.63659775f, 0.102919616f, -0.01958397f,
		0.00053694466f, 0.0010323944f, -0.00030879985f, 3.1439868e-05f};
	v16 a[BESIDE], e[BESIDE];
	EACH_OF(n) a[i] = v_min(v_mul(v_abs(x[i]), v_set(0.70710678118654752f)), v_set(4.0f));
	horner_each(e, a, c, 8, n);
	EACH_OF(n) e[i] = v_sub(v_set(0.0f), v_mul(a[i], e[i]));
	exp_each(e, n);
	EACH_OF(n) {
		v16 erf = v_copysign(v_sub(v_set(1.0f), e[i]), x[i]);
		x[i] = v_mul(v_mul(x[i], v_set(0.5f)), v_add(v_set(1.0f), erf));
	}
}

INLINE v16 v_gelu(v16 x) {
	gelu_each(&x, 1);
	return x;
}

TARGET static void gelu_all(float *x, int count) {
	int at = 0;
	for (; at + 16 * BESIDE <= count; at += 16 * BESIDE) {
		v16 y[BESIDE];
		EACH_OF(BESIDE) y[i] = v_load(x + at + 16 * i);
		gelu_each(y, BESIDE);
		EACH_OF(BESIDE) v_store(x + at + 16 * i, y[i]);
	}
	for (; at + 16 <= count; at += 16) v_store(x + at, v_gelu(v_load(x + at)));
	if (at < count) v_store_n(x + at, v_gelu(v_load_n(x + at, count - at)), count - at);
}

// OUTLIER_ABOVE is outlierAbove, SMALLEST smallestFloat.
#define OUTLIER_ABOVE 6.0f
#define SMALLEST 0x1p-100f

// OUTLIER_BLOCK is how many values are looked at as one for outliers, of which most
// rows have none.
#define OUTLIER_BLOCK 64

// largest_bits is the largest magnitude of a span, as an integer: a NaN is the
// largest of all.
INLINE int32_t largest_bits(const float *x, int width) {
	int i = 0, tail = width % 16;
	i16 top = i_magnitude(v_set(0.0f));
	for (; i + 16 <= width; i += 16) top = i_max(top, i_magnitude(v_load(x + i)));
	if (tail) top = i_max(top, i_magnitude(v_load_n(x + i, tail)));
	return i_largest(top);
}

// measure_row returns the sum of squares of a row and its largest magnitude, as an integer.
INLINE float measure_row(int32_t *largest, const float *x, int width) {
	int i = 0, tail = width % 16;
	v16 total = v_set(0.0f), last = v_set(0.0f);
	i16 top = i_zero();
	for (; i + 16 <= width; i += 16) {
		v16 y = v_load(x + i);
		top = i_max(top, i_magnitude(y));
		total = v_add(total, v_mul(y, y));
	}
	if (tail) {
		last = v_load_n(x + i, tail);
		top = i_max(top, i_magnitude(last));
		total = v_add(total, v_mul(last, last));
	}
	*largest = i_largest(top);
	return v_sum(total);
}

// split_block takes those of some values that are above a magnitude as outliers, while there
// is room for them, and returns the largest magnitude of the others.
INLINE int32_t split_block(row_scale *scale, const float *x, int from, int to, int32_t above, int most) {
	int32_t rest = 0;
	for (int i = from; i < to; i++) {
		int32_t bits;
		memcpy(&bits, x + i, sizeof bits);
		bits &= 0x7fffffff;
		if (bits > above && scale->count < most) scale->outliers[scale->count++] = (row_outlier){x[i], i};
		else if (bits > rest) rest = bits;
	}
	return rest;
}

// split_row is split_block of a row.
INLINE int32_t split_row(row_scale *scale, const float *x, int width, int32_t above, int most) {
	int32_t rest = 0;
	i16 top = i_zero();
	int i = 0;
	for (scale->count = 0; i + OUTLIER_BLOCK <= width; i += OUTLIER_BLOCK) {
		i16 block = i_zero();
		UNROLL
		for (int j = 0; j < OUTLIER_BLOCK; j += 16) block = i_max(block, i_magnitude(v_load(x + i + j)));
		if (scale->count == most || !i_above(block, above)) {
			top = i_max(top, block);
			continue;
		}
		int32_t some = split_block(scale, x, i, i + OUTLIER_BLOCK, above, most);
		if (some > rest) rest = some;
	}
	int32_t last = split_block(scale, x, i, width, above, most), others = i_largest(top);
	if (last > rest) rest = last;
	return others > rest ? others : rest;
}

// take_outliers chooses the outliers of a row and returns the largest magnitude of the rest.
INLINE int32_t take_outliers(row_scale *scale, const float *x, int width, int32_t largest, float squares) {
	float limit = OUTLIER_ABOVE * sqrtf(squares / (float)width);
	int32_t above;
	memcpy(&above, &limit, sizeof above);
	if (squares < SMALLEST || largest <= above) return split_row(scale, x, width, largest - 1, 1);
	return split_row(scale, x, width, above, MAX_OUTLIERS);
}

INLINE void quantize_row(row_scale *scale, uint8_t *q, const float *x, int width) {
	int32_t first;
	float squares = measure_row(&first, x, width);
	if (first >= 0x7f800000) {
		memset(q, 128, (size_t)width);
		*scale = (row_scale){.step = NAN};
		return;
	}
	int32_t rest = take_outliers(scale, x, width, first, squares);
	scale->step = 0.0f;
	if (rest < (127 - 100) << 23) {
		memset(q, 128, (size_t)width);
		return;
	}
	float largest;
	memcpy(&largest, &rest, sizeof largest);
	v16 inverse = v_set(127.0f / largest);
	int i = 0, tail = width % 16;
	for (; i + 16 <= width; i += 16) v_to_bytes(q + i, v_mul(v_load(x + i), inverse));
	if (tail) {
		uint8_t last[16];
		v_to_bytes(last, v_mul(v_load_n(x + i, tail), inverse));
		memcpy(q + i, last, (size_t)tail);
	}
	for (int p = 0; p < scale->count; p++) q[scale->outliers[p].at] = 128;
	scale->step = largest / 127.0f;
}

TARGET static void quantize_rows(uint8_t *q, row_scale *scale, const float *x, int rows, int width) {
	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)width;
		quantize_row(&scale[row], q + at, x + at, width);
	}
}

INLINE v16 norm_lanes(v16 y, v16 inverse, v16 gamma, v16 beta) {
	return v_add(v_mul(v_mul(y, inverse), gamma), beta);
}

INLINE void layer_norm_row(float *y, const float *gamma, const float *beta, float epsilon, int width, v16 total) {
	int i = 0, tail = width % 16, whole = width - tail;
	v16 mean = v_set(v_sum(total) / (float)width), squares = v_set(0.0f);
	for (i = 0; i < whole; i += 16) {
		v16 d = v_sub(v_load(y + i), mean);
		v_store(y + i, d);
		squares = v_add(squares, v_mul(d, d));
	}
	if (tail) {
		v16 d = v_select_n(v_sub(v_load_n(y + i, tail), mean), v_set(0.0f), tail);
		v_store_n(y + i, d, tail);
		squares = v_add(squares, v_mul(d, d));
	}
	float variance = v_sum(squares) / (float)width;
	v16 inverse = v_set(1.0f / sqrtf(variance + epsilon));
	for (i = 0; i < whole; i += 16)
		v_store(y + i, norm_lanes(v_load(y + i), inverse, v_load(gamma + i), v_load(beta + i)));
	if (tail)
		v_store_n(y + i, norm_lanes(v_load_n(y + i, tail), inverse, v_load_n(gamma + i, tail), v_load_n(beta + i, tail)), tail);
}

TARGET static void add_layer_norm(float *dst, const float *x, const float *residual,
	const float *gamma, const float *beta, float epsilon, int rows, int width) {
	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)width;
		int i = 0, tail = width % 16;
		v16 total = v_set(0.0f);
		for (; i + 16 <= width; i += 16) {
			v16 y = v_load(x + at + i);
			if (residual) y = v_add(y, v_load(residual + at + i));
			v_store(dst + at + i, y);
			total = v_add(total, y);
		}
		if (tail) {
			v16 y = v_load_n(x + at + i, tail);
			if (residual) y = v_add(y, v_load_n(residual + at + i, tail));
			v_store_n(dst + at + i, y, tail);
			total = v_add(total, y);
		}
		layer_norm_row(dst + at, gamma, beta, epsilon, width, total);
	}
}

// dot_rows multiplies the query with DOT_ROWS vectors at a time, so that their
// sums wait for each other no longer than for memory.
#define DOT_ROWS 4

INLINE void dot_rows(float *scores, const float *query, const float *vectors, int width, int rows) {
	v16 sum[DOT_ROWS];
	for (int r = 0; r < rows; r++) sum[r] = v_set(0.0f);
	int i = 0, tail = width % 16;
	for (; i + 16 <= width; i += 16) {
		v16 a = v_load(query + i);
		for (int r = 0; r < rows; r++)
			sum[r] = v_add(sum[r], v_mul(a, v_load(vectors + (size_t)r * (size_t)width + i)));
	}
	if (tail) {
		v16 a = v_load_n(query + i, tail);
		for (int r = 0; r < rows; r++)
			sum[r] = v_add(sum[r], v_mul(a, v_load_n(vectors + (size_t)r * (size_t)width + i, tail)));
	}
	for (int r = 0; r < rows; r++) scores[r] = v_sum(sum[r]);
}

TARGET static void dot_many(float *scores, const float *query, const uint8_t *vectors, int rows, int width) {
	// Loads of these machines take any alignment and little-endian floats.
	const float *v = (const float *)(const void *)vectors;
	int row = 0;
	for (; row + DOT_ROWS <= rows; row += DOT_ROWS)
		dot_rows(scores + row, query, v + (size_t)row * (size_t)width, width, DOT_ROWS);
	for (; row < rows; row++) dot_rows(scores + row, query, v + (size_t)row * (size_t)width, width, 1);
}

TARGET static void embed(float *dst, const int32_t *ids, int rows, int width, const int8_t *words,
	const float *word_scale, const float *positions, const float *type) {
	for (int row = 0; row < rows; row++) {
		const int8_t *word = words + (size_t)ids[row] * (size_t)width;
		v16 scale = v_set(word_scale[ids[row]]);
		size_t at = (size_t)row * (size_t)width;
		int i = 0, tail = width % 16;
		for (; i + 16 <= width; i += 16) {
			v16 place = v_add(v_load(positions + at + i), v_load(type + i));
			v_store(dst + at + i, v_add(v_mul(v_from_i8(word + i), scale), place));
		}
		if (tail) {
			int8_t last[16] = {0};
			memcpy(last, word + i, (size_t)tail);
			v16 place = v_add(v_load_n(positions + at + i, tail), v_load_n(type + i, tail));
			v_store_n(dst + at + i, v_add(v_mul(v_from_i8(last), scale), place), tail);
		}
	}
}
