// The native operations of one level, and the table of all levels. Shapes are
// those of the Go functions of the same names; nothing here allocates.
#ifndef DOWSE_NATIVE_H
#define DOWSE_NATIVE_H

#include <stdint.h>

// Levels, in the order of nativeLevelIndex in native.go.
enum { LEVEL_AVX2, LEVEL_AVXVNNI, LEVEL_AVX512, LEVEL_NEON, LEVEL_NEONDOT };

// PANEL is the number of output columns that are multiplied at a time.
#define PANEL 64

// UNROLL asks that a loop of a few constant rounds be written out before arrays
// are given registers: otherwise GCC keeps sums in memory too.
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

// Forms of weights in blocks, the letters of pack.Form.
enum { FORM_Q4K = '4', FORM_Q5K = '5', FORM_Q6K = '6', FORM_Q4 = 'd', FORM_Q5 = 'e', FORM_Q8 = 'h', FORM_LEVELS = 'n' };

// BLOCK_LEVELS are gguf.Levels, 128 more.
#define BLOCK_LEVELS {1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241}

// MAX_OUTLIERS is MaxOutliers.
#define MAX_OUTLIERS 8

typedef struct {
	float value;
	int32_t at;
} row_outlier;

// row_scale is RowScale.
typedef struct {
	float step;
	int32_t count;
	row_outlier outliers[MAX_OUTLIERS];
} row_scale;

// packed_rows is PackedRows; unit is null for values.
typedef struct {
	int bits;
	const uint8_t *numbers, *channel_scale;
	const int8_t *channel_min;
	const float *unit;
	const uint16_t *scale, *min;
} packed_rows;

// head_rows is HeadRows with its shape.
typedef struct {
	const float *floats;
	const int8_t *bytes;
	const uint16_t *scale;
	packed_rows packed;
	int heads, dim;
} head_rows;

// row_keys is rowKeys.
typedef struct {
	int32_t start, end, at;
} row_keys;

// causal_block is causalBlock, as far as native code uses it.
typedef struct {
	int rows, heads, first, group, columns, stride;
	const float *queries;
	float *out, *scores, *tile;
} causal_block;

typedef struct {
	void (*quantize_rows)(uint8_t *q, row_scale *scale, const float *x, int rows, int width);
	void (*linear)(float *dst, const uint8_t *q, const row_scale *scale, int rows,
		const int8_t *weights, const float *column_scale, const float *bias, const int32_t *column_sum,
		int k, int n, int lead, int count, int gelu, uint8_t *scratch);
	void (*dequantize)(float *dst, const int32_t *product, const row_scale *scale, int rows,
		const int8_t *weights, const float *column_scale, const float *bias, int n, int gelu);
	void (*add_layer_norm)(float *dst, const float *x, const float *residual,
		const float *gamma, const float *beta, float epsilon, int rows, int width);
	void (*gelu)(float *x, int count);
	void (*attention)(float *dst, const float *q, const float *k, const float *v,
		int stride, int tokens, int heads, int group, int dim, int window, const float *bias, int bias_row, float *scratch);
	void (*dot_many)(float *scores, const float *query, const uint8_t *vectors, int rows, int width);
	void (*add_low_rank)(float *dst, int width, const float *x, int rows, const float *down, const float *up,
		int inputs, int rank, int outputs, float scale, float *mixed);
	void (*embed)(float *dst, const int32_t *ids, int rows, int width, const int8_t *words,
		const float *word_scale, const float *positions, const float *type);
	void (*rms_norm)(float *dst, float *sum, const float *x, const float *residual,
		const float *gamma, float epsilon, int rows, int width);
	void (*swiglu)(float *dst, const float *gate, const float *up, int count);
	void (*geglu)(float *dst, const float *gate, const float *up, int count, int tanh);
	void (*rotate)(float *x, const int32_t *positions, int rows, int heads, int dim, int stride,
		const float *cosine, const float *sine);
	void (*quantize_heads)(int8_t *q, uint16_t *scale, const float *x, int rows, int heads, int dim, int stride);
	void (*causal_scores)(const causal_block *b, const head_rows *keys, const row_keys *spans, const int32_t *list);
	void (*causal_softmax)(const causal_block *b, const int32_t *counts, const int32_t *firsts,
		const int32_t *observed, float scale, uint32_t *density);
	void (*causal_values)(const causal_block *b, const head_rows *values, const row_keys *spans, const int32_t *list);
	void (*logits)(float *dst, const uint8_t *q, const row_scale *scale, int rows,
		const int8_t *words, const float *word_scale, int width, int vocabulary, int count, uint8_t *scratch);
	void (*linear_rows)(float *dst, const uint8_t *q, const row_scale *scale, const int8_t *const *outliers,
		const int32_t *channels, const int8_t *const *rows, int active,
		const float *column_scale, const float *bias, int from, int count, uint8_t *scratch);
	void (*linear4)(float *dst, const float *x, const row_scale *scale, const int8_t *const *outliers, int rows, int k,
		const int32_t *channels, const int8_t *const *weights, int active,
		const float *column_scale, const float *bias, int n, int from, int to, uint8_t *scratch);
	void (*prepare_blocks)(int8_t *q, float *step, int32_t *begin, const float *x, int rows, int k, int form);
	void (*linear_blocks)(float *dst, int stride, const int8_t *q, const float *step, const int32_t *begin, int rows,
		int form, const uint8_t *data, int k, const float *bias, int from, int to);
	void (*scale_inputs)(float *dst, const float *x, const float *in, int rows, int width);
	int (*mask)(float *x, const float *in, float threshold, int width, int32_t *channels);
	int64_t (*peak)(int rounds);
} kernel_table;

#if defined(__x86_64__)
extern const kernel_table kernel_avx2, kernel_avxvnni, kernel_avx512;
#elif defined(__aarch64__)
extern const kernel_table kernel_neon, kernel_neondot;
#endif

#endif
