//go:build cgo && (amd64 || arm64)

package kernel

/*
#include "native.h"

static void call_rms_norm(const kernel_table *t, float *dst, float *sum, const float *x, const float *residual,
	const float *gamma, float epsilon, int rows, int width) {
	t->rms_norm(dst, sum, x, residual, gamma, epsilon, rows, width);
}

static void call_swiglu(const kernel_table *t, float *dst, const float *gate, const float *up, int count) {
	t->swiglu(dst, gate, up, count);
}

static void call_geglu(const kernel_table *t, float *dst, const float *gate, const float *up, int count, int tanh) {
	t->geglu(dst, gate, up, count, tanh);
}

static void call_rotate(const kernel_table *t, float *x, const int32_t *positions, int rows, int heads, int dim, int stride,
	const float *cosine, const float *sine) {
	t->rotate(x, positions, rows, heads, dim, stride, cosine, sine);
}

static void call_quantize_heads(const kernel_table *t, int8_t *q, uint16_t *scale, const float *x,
	int rows, int heads, int dim, int stride) {
	t->quantize_heads(q, scale, x, rows, heads, dim, stride);
}

// span_rows is spanRows.
typedef struct {
	head_rows rows;
	int32_t tokens;
} span_rows;

// place is causalBlock.place.
static int place(row_keys *keys, const int32_t *firsts, const int32_t *ends, int rows, int32_t start, int32_t tokens) {
	int some = 0;
	for (int row = 0; row < rows; row++) {
		int32_t first = firsts[row], low = first > start ? first - start : 0;
		int32_t high = ends[row] - start < tokens ? ends[row] - start : tokens;
		keys[row] = (row_keys){low, low < high ? high : low, start + low - first};
		some |= low < high;
	}
	return some;
}

static void call_causal_scores(const kernel_table *t, int rows, int heads, int first, int group, int columns, int stride,
	const float *queries, float *scores, float *tile, const span_rows *spans, int count,
	const int32_t *firsts, const int32_t *ends, row_keys *keys, const int32_t *list) {
	causal_block b = {rows, heads, first, group, columns, stride, queries, 0, scores, tile};
	int32_t start = 0;
	for (int i = 0; i < count; start += spans[i++].tokens)
		if (list || place(keys, firsts, ends, rows, start, spans[i].tokens)) t->causal_scores(&b, &spans[i].rows, keys, list);
}

static void call_causal_softmax(const kernel_table *t, int rows, int heads, int stride, float *scores,
	const int32_t *counts, const int32_t *firsts, const int32_t *observed, float scale, uint32_t *density) {
	causal_block b = {rows, heads, 0, 0, 0, stride, 0, 0, scores, 0};
	t->causal_softmax(&b, counts, firsts, observed, scale, density);
}

static void call_causal_values(const kernel_table *t, int rows, int heads, int first, int group, int columns, int stride,
	float *out, float *scores, float *tile, const span_rows *spans, int count,
	const int32_t *firsts, const int32_t *ends, row_keys *keys, const int32_t *list) {
	causal_block b = {rows, heads, first, group, columns, stride, 0, out, scores, tile};
	int32_t start = 0;
	for (int i = 0; i < count; start += spans[i++].tokens)
		if (list || place(keys, firsts, ends, rows, start, spans[i].tokens)) t->causal_values(&b, &spans[i].rows, keys, list);
}

static void call_logits(const kernel_table *t, float *dst, const uint8_t *q, const row_scale *scale, int rows,
	const int8_t *words, const float *word_scale, int width, int vocabulary, int count, uint8_t *scratch) {
	t->logits(dst, q, scale, rows, words, word_scale, width, vocabulary, count, scratch);
}
*/
import "C"

import (
	"runtime"
	"unsafe"
)

func halves(x []BFloat16) *C.uint16_t { return (*C.uint16_t)(unsafe.Pointer(unsafe.SliceData(x))) }

func counts(x []uint32) *C.uint32_t { return (*C.uint32_t)(unsafe.Pointer(unsafe.SliceData(x))) }

func keysOfRows(x []rowKeys) *C.row_keys {
	return (*C.row_keys)(unsafe.Pointer(unsafe.SliceData(x)))
}

func spansOf(b *causalBlock) *C.span_rows {
	return (*C.span_rows)(unsafe.Pointer(unsafe.SliceData(b.spans)))
}

func (n native) rmsNorm(dst, sum, x, residual, gamma []float32, epsilon float32, rows, width int) {
	C.call_rms_norm(n.table, floats(dst), floats(sum), floats(x), floats(residual), floats(gamma),
		C.float(epsilon), C.int(rows), C.int(width))
}

func (n native) swiGLU(dst, gate, up []float32) {
	C.call_swiglu(n.table, floats(dst), floats(gate), floats(up), C.int(len(gate)))
}

func (n native) geGLU(dst, gate, up []float32, form GeluForm) {
	C.call_geglu(n.table, floats(dst), floats(gate), floats(up), C.int(len(gate)), C.int(form))
}

func (n native) rotate(x []float32, positions []int32, heads, stride int, r *Rotary) {
	C.call_rotate(n.table, floats(x), integers(positions), C.int(len(positions)), C.int(heads), C.int(r.headDim),
		C.int(stride), floats(r.cosine), floats(r.sine))
}

func (n native) quantizeHeads(q []int8, scale []BFloat16, x []float32, rows, heads, headDim, stride int) {
	C.call_quantize_heads(n.table, signed(q), halves(scale), floats(x), C.int(rows), C.int(heads), C.int(headDim), C.int(stride))
}

// A spanRows is a span_rows.
var _ [C.sizeof_span_rows]byte = [spanRowsSize]byte{}

// address is where the elements of a slice begin, 0 for none.
func address[T any](x []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(x))) }

// set makes a spanRows the rows of some tokens, of the block's shape.
func (r *spanRows) set(x *HeadRows, tokens int, b *causalBlock) {
	p := &x.Packed
	*r = spanRows{
		floats: address(x.Floats), bytes: address(x.Bytes), scale: address(x.Scale), bits: int32(p.Bits), numbers: address(p.Numbers),
		channelScale: address(p.ChannelScale), channelMin: address(p.ChannelMin), unit: address(p.Unit),
		packedScale: address(p.Scale), packedMin: address(p.Min),
		heads: int32(b.kvHeads), dim: int32(b.headDim), tokens: int32(tokens),
	}
}

// causalScores hands over all spans in one call.
func (n native) causalScores(b *causalBlock, spans []KeyValues, list []int32) {
	for i := range spans {
		b.spans[i].set(&spans[i].K, spans[i].Tokens, b)
	}
	C.call_causal_scores(n.table, C.int(b.rows), C.int(b.heads), C.int(b.first), C.int(b.group), C.int(b.columns), C.int(b.stride),
		floats(b.queries), floats(b.scores), floats(b.tile), spansOf(b), C.int(len(spans)),
		integers(b.firsts), integers(b.ends), keysOfRows(b.keys), integers(list))
	runtime.KeepAlive(spans)
}

func (n native) causalSoftmax(b *causalBlock, density []uint32) {
	C.call_causal_softmax(n.table, C.int(b.rows), C.int(b.heads), C.int(b.stride), floats(b.scores), integers(b.counts),
		integers(b.firsts), integers(b.observed), C.float(attentionScale(b.headDim)), counts(density))
}

// causalValues hands over all spans in one call.
func (n native) causalValues(b *causalBlock, spans []KeyValues, list []int32) {
	for i := range spans {
		b.spans[i].set(&spans[i].V, spans[i].Tokens, b)
	}
	C.call_causal_values(n.table, C.int(b.rows), C.int(b.heads), C.int(b.first), C.int(b.group), C.int(b.columns), C.int(b.stride),
		floats(b.out), floats(b.scores), floats(b.tile), spansOf(b), C.int(len(spans)),
		integers(b.firsts), integers(b.ends), keysOfRows(b.keys), integers(list))
	runtime.KeepAlive(spans)
}

func (n native) logits(dst []float32, q []uint8, scale []RowScale, rows int, h *Head, c Columns, scratch []byte) {
	C.call_logits(n.table, floats(dst[c.From:]), unsigned(q), rowScales(scale), C.int(rows), signed(h.Words[c.From*h.Width:]),
		floats(h.WordScale[c.From:]), C.int(h.Width), C.int(len(h.WordScale)), C.int(c.To-c.From), unsigned(scratch))
}

// nativeLogitsScratch covers every instruction set: prepared rows of up to 2 bytes an
// input, padded to 64 inputs, and one of zero points.
func nativeLogitsScratch(rows, width int) int {
	return 2 * (rows + 1) * ((width + 63) / 64 * 64)
}
