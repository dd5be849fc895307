// Additions of low rank; the twins of plain_lowrank.go. A level file defines
// LOW_TILE, how many rows are multiplied with how many vectors at a time: as
// many as have registers for their sums.

// EACH_LOW calls what for n of rows or vectors, from 1 to LOW_TILE.
#if LOW_TILE == 4
#define EACH_LOW(n, what) \
	switch (n) { \
	case 1: what(1); break; \
	case 2: what(2); break; \
	case 3: what(3); break; \
	default: what(4); \
	}
#else
#define EACH_LOW(n, what) \
	switch (n) { \
	case 1: what(1); break; \
	default: what(2); \
	}
#endif

INLINE v16 load_low(const float *p, int n) { return n == 16 ? v_load(p) : v_load_n(p, n); }

// low_step adds the products of some inputs, 16 or fewer.
INLINE void low_step(v16 sum[LOW_TILE][LOW_TILE], const float *x, const float *down, int inputs, int n, int rows, int vectors) {
	v16 a[LOW_TILE];
	UNROLL
	for (int r = 0; r < rows; r++) a[r] = load_low(x + (size_t)r * (size_t)inputs, n);
	UNROLL
	for (int v = 0; v < vectors; v++) {
		v16 d = load_low(down + (size_t)v * (size_t)inputs, n);
		UNROLL
		for (int r = 0; r < rows; r++) sum[r][v] = v_add(sum[r][v], v_mul(a[r], d));
	}
}

// low_down writes the scaled products of rows of x with some vectors of down to
// mixed, whose rows are rank apart.
INLINE void low_down(float *mixed, int rank, const float *x, const float *down, int inputs, float scale, int rows, int vectors) {
	v16 sum[LOW_TILE][LOW_TILE];
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int v = 0; v < vectors; v++) sum[r][v] = v_set(0.0f);
	int i = 0;
	for (; i + 16 <= inputs; i += 16) low_step(sum, x + i, down + i, inputs, 16, rows, vectors);
	if (i < inputs) low_step(sum, x + i, down + i, inputs, inputs - i, rows, vectors);
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int v = 0; v < vectors; v++) mixed[r * rank + v] = v_sum(sum[r][v]) * scale;
}

INLINE void low_down_rows(float *mixed, int rank, const float *x, const float *down, int inputs, float scale, int rows) {
	for (int v = 0; v < rank; v += LOW_TILE) {
#define DOWN(n) low_down(mixed + v, rank, x, down + (size_t)v * (size_t)inputs, inputs, scale, rows, n)
		EACH_LOW(rank - v, DOWN)
	}
}

// low_up adds to some columns of rows of dst, which are width apart, the vectors
// of up, each times its number in mixed. n is 16, or the columns there are where
// they are fewer.
INLINE void low_up(float *dst, int width, const float *mixed, const float *up, int rank, int outputs, int n, int rows, int vectors) {
	v16 sum[LOW_TILE][LOW_TILE];
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int v = 0; v < vectors; v++) sum[r][v] = v_set(0.0f);
	for (int i = 0; i < rank; i++, up += outputs) {
		v16 u[LOW_TILE];
		UNROLL
		for (int v = 0; v < vectors; v++) u[v] = load_low(up + 16 * v, n);
		UNROLL
		for (int r = 0; r < rows; r++) {
			v16 m = v_set(mixed[r * rank + i]);
			UNROLL
			for (int v = 0; v < vectors; v++) sum[r][v] = v_add(sum[r][v], v_mul(m, u[v]));
		}
	}
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int v = 0; v < vectors; v++) {
			float *to = dst + (size_t)r * (size_t)width + 16 * v;
			if (n == 16) v_store(to, v_add(v_load(to), sum[r][v]));
			else v_store_n(to, v_add(v_load_n(to, n), sum[r][v]), n);
		}
}

// low_up_columns is low_up for all rows.
INLINE void low_up_columns(float *dst, int width, const float *mixed, const float *up, int rank, int outputs, int n, int rows, int vectors) {
	for (int row = 0; row < rows; row += LOW_TILE) {
		float *to = dst + (size_t)row * (size_t)width;
		const float *m = mixed + row * rank;
#define UP(some) low_up(to, width, m, up, rank, outputs, n, some, vectors)
		EACH_LOW(rows - row, UP)
	}
}

TARGET static void add_low_rank(float *dst, int width, const float *x, int rows, const float *down, const float *up,
	int inputs, int rank, int outputs, float scale, float *mixed) {
	for (int row = 0; row < rows; row += LOW_TILE) {
		const float *from = x + (size_t)row * (size_t)inputs;
#define DOWN_ROWS(n) low_down_rows(mixed + row * rank, rank, from, down, inputs, scale, n)
		EACH_LOW(rows - row, DOWN_ROWS)
	}
	int at = 0;
	for (; at + 16 * LOW_TILE <= outputs; at += 16 * LOW_TILE)
		low_up_columns(dst + at, width, mixed, up + at, rank, outputs, 16, rows, LOW_TILE);
	for (; at + 16 <= outputs; at += 16) low_up_columns(dst + at, width, mixed, up + at, rank, outputs, 16, rows, 1);
	if (at < outputs) low_up_columns(dst + at, width, mixed, up + at, rank, outputs, outputs - at, rows, 1);
}
