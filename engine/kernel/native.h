// The native operations of one level, and the table of all levels. Shapes are
// those of the Go functions of the same names; nothing here allocates.
#ifndef DOWSE_NATIVE_H
#define DOWSE_NATIVE_H

#include <stdint.h>

// Levels, in the order of nativeLevelIndex in native.go.
enum { LEVEL_AVX2, LEVEL_AVXVNNI, LEVEL_AVX512, LEVEL_NEON, LEVEL_NEONDOT };

// PANEL is the number of output columns that are multiplied at a time.
#define PANEL 64

// row_scale is RowScale.
typedef struct {
	float step, peak;
	int32_t peak_at;
} row_scale;

typedef struct {
	void (*quantize_rows)(uint8_t *q, row_scale *scale, const float *x, int rows, int width);
	void (*linear)(float *dst, const uint8_t *q, const row_scale *scale, int rows,
		const int8_t *weights, const float *column_scale, const float *bias, const int32_t *column_sum,
		int k, int n, int gelu, uint8_t *scratch);
	void (*dequantize)(float *dst, const int32_t *product, const row_scale *scale, int rows,
		const int8_t *weights, const float *column_scale, const float *bias, int n, int gelu);
	void (*add_layer_norm)(float *dst, const float *x, const float *residual,
		const float *gamma, const float *beta, float epsilon, int rows, int width);
	void (*gelu)(float *x, int count);
	void (*attention)(float *dst, const float *q, const float *k, const float *v,
		int stride, int tokens, int heads, int dim, float *scratch);
	void (*dot_many)(float *scores, const float *query, const uint8_t *vectors, int rows, int width);
	void (*embed)(float *dst, const int32_t *ids, int rows, int width, const int8_t *words,
		const float *word_scale, const float *positions, const float *type);
} kernel_table;

#if defined(__x86_64__)
extern const kernel_table kernel_avx2, kernel_avxvnni, kernel_avx512;
#elif defined(__aarch64__)
extern const kernel_table kernel_neon, kernel_neondot;
#endif

#endif
