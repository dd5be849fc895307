// How many products of bytes a core adds up where nothing waits for memory: what the rate of
// a projection is held against. A level file defines
//
//	peak_sum       a register of sums, or of factors
//	peak_dot       adds the products of two registers to the sums
//	PEAK_PRODUCTS  how many those are
//	OPAQUE         makes the compiler forget what is in a register

// PEAK_SUMS sums wait for none of the others; with two factors they fit into 16 registers.
#define PEAK_SUMS 12

// EACH_SUM is written out in halves, since UNROLL stops at 8.
#define EACH_SUM(what) \
	UNROLL \
	for (int i = 0; i < PEAK_SUMS / 2; i++) what; \
	UNROLL \
	for (int i = PEAK_SUMS / 2; i < PEAK_SUMS; i++) what;

// peak returns the number of products.
TARGET static int64_t peak(int rounds) {
	peak_sum sum[PEAK_SUMS], x, w;
	memset(&x, 1, sizeof x);
	memset(&w, 2, sizeof w);
	EACH_SUM(sum[i] = x)
	for (int round = 0; round < rounds; round++) {
		OPAQUE(x);
		EACH_SUM(sum[i] = peak_dot(sum[i], x, w); OPAQUE(w))
	}
	EACH_SUM(OPAQUE(sum[i]))
	return (int64_t)rounds * PEAK_SUMS * PEAK_PRODUCTS;
}
