//go:build cgo && (amd64 || arm64)

package kernel

/*
#include "native.h"

static void call_prepare_blocks(const kernel_table *t, int8_t *q, float *step, int32_t *begin, const float *x, int rows, int k, int form) {
	t->prepare_blocks(q, step, begin, x, rows, k, form);
}

static void call_linear_blocks(const kernel_table *t, float *dst, int stride, const int8_t *q, const float *step,
	const int32_t *begin, int rows, int form, const uint8_t *data, int k, const float *bias, int from, int to) {
	t->linear_blocks(dst, stride, q, step, begin, rows, form, data, k, bias, from, to);
}
*/
import "C"

import "dowse/models/pack"

func (n native) prepareBlocks(in *blockRows, x []float32, rows, k int) {
	C.call_prepare_blocks(n.table, signed(in.q), floats(in.step), integers(in.begin), floats(x), C.int(rows), C.int(k),
		C.int(in.form.Letter))
}

func (n native) linearBlocks(dst []float32, stride int, in *blockRows, rows int, b *pack.Blocks, bias []float32, c Columns) {
	C.call_linear_blocks(n.table, floats(dst), C.int(stride), signed(in.q), floats(in.step), integers(in.begin), C.int(rows),
		C.int(b.Letter), unsigned(b.Data), C.int(b.K), floats(bias), C.int(c.From), C.int(c.To))
}
