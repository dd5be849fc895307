//go:build cgo && (amd64 || arm64)

package kernel

/*
#include "native.h"

// Addresses of rows come as integers: cgo would look at each of thousands of them for
// pointers into the Go heap, in every call.
static void call_linear_rows(const kernel_table *t, float *dst, const uint8_t *q, const row_scale *scale, const uintptr_t *outliers,
	const int32_t *channels, const uintptr_t *rows, int active,
	const float *column_scale, const float *bias, int from, int count, uint8_t *scratch) {
	t->linear_rows(dst, q, scale, (const int8_t *const *)outliers, channels, (const int8_t *const *)rows, active,
		column_scale, bias, from, count, scratch);
}

static void call_linear4(const kernel_table *t, float *dst, const float *x, const row_scale *scale, const uintptr_t *outliers, int rows, int k,
	const int32_t *channels, const uintptr_t *weights, int active,
	const float *column_scale, const float *bias, int n, int from, int to, uint8_t *scratch) {
	t->linear4(dst, x, scale, (const int8_t *const *)outliers, rows, k, channels, (const int8_t *const *)weights, active,
		column_scale, bias, n, from, to, scratch);
}

static void call_scale_inputs(const kernel_table *t, float *dst, const float *x, const float *in, int rows, int width) {
	t->scale_inputs(dst, x, in, rows, width);
}

static int call_mask(const kernel_table *t, float *x, const float *in, float threshold, int width, int32_t *channels) {
	return t->mask(x, in, threshold, width, channels);
}
*/
import "C"

import (
	"unsafe"

	"dowse/models/pack"
)

func addresses(x []*int8) *C.uintptr_t { return (*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(x))) }

// nativeLinearRowsScratch covers every instruction set: the sums of a strip, and
// inputs of up to 2 bytes (sparse_kernels.h).
func nativeLinearRowsScratch(active int) int {
	const stripSums = 16384
	return 4*stripSums + 2*(active+3)
}

func (n native) linearRows(dst []float32, q []uint8, scale *RowScale, outliers []*int8, channels []int32, rows []*int8, w *pack.Linear, c Columns, scratch []byte) {
	C.call_linear_rows(n.table, floats(dst[c.From:]), unsigned(q), (*C.row_scale)(unsafe.Pointer(scale)), addresses(outliers),
		integers(channels), addresses(rows), C.int(len(channels)), floats(w.Scale[c.From:]), floats(w.Bias[c.From:]),
		C.int(c.From), C.int(c.To-c.From), unsigned(scratch))
}

// nativeLinear4Scratch covers every instruction set: sums and inputs of a strip of
// blocks, of up to 2 bytes (linear4_kernels.h).
func nativeLinear4Scratch(rows, active int) int {
	const strip, pitch = 16, 16*pack.Block4 + 16
	return 4*rows*pitch + 4*active + 2*strip*rows*(active+3)
}

func (n native) linear4(dst, x []float32, scale []RowScale, outliers []*int8, channels []int32, weights []*int8, w *pack.Linear, c Columns, scratch []byte) {
	if c.From == c.To {
		return
	}
	C.call_linear4(n.table, floats(dst), floats(x), rowScales(scale), addresses(outliers), C.int(len(scale)), C.int(w.K),
		integers(channels), addresses(weights), C.int(len(channels)), floats(w.Scale), floats(w.Bias), C.int(w.N),
		C.int(c.From), C.int(c.To), unsigned(scratch))
}

func (n native) scaleInputs(dst, x, in []float32, rows int) {
	C.call_scale_inputs(n.table, floats(dst), floats(x), floats(in), C.int(rows), C.int(len(in)))
}

func (n native) mask(x, in []float32, threshold float32, channels []int32) int {
	return int(C.call_mask(n.table, floats(x), floats(in), C.float(threshold), C.int(len(x)), integers(channels)))
}
