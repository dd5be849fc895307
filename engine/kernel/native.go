//go:build cgo && (amd64 || arm64)

package kernel

/*
#cgo CFLAGS: -std=c11 -O3 -Wall
#cgo linux LDFLAGS: -lm
#include "native.h"

static const kernel_table *table(int isa) {
	switch (isa) {
#if defined(__x86_64__)
	case LEVEL_AVX2: return &kernel_avx2;
	case LEVEL_AVXVNNI: return &kernel_avxvnni;
	case LEVEL_AVX512: return &kernel_avx512;
#elif defined(__aarch64__)
	case LEVEL_NEON: return &kernel_neon;
	case LEVEL_NEONDOT: return &kernel_neondot;
#endif
	}
	return 0;
}

static void call_quantize_rows(const kernel_table *t, uint8_t *q, row_scale *scale, const float *x, int rows, int width) {
	t->quantize_rows(q, scale, x, rows, width);
}

static void call_linear(const kernel_table *t, float *dst, const uint8_t *q, const row_scale *scale, int rows,
	const int8_t *weights, const float *column_scale, const float *bias, const int32_t *column_sum,
	int k, int n, int lead, int count, int gelu, uint8_t *scratch) {
	t->linear(dst, q, scale, rows, weights, column_scale, bias, column_sum, k, n, lead, count, gelu, scratch);
}

static void call_dequantize(const kernel_table *t, float *dst, const int32_t *product, const row_scale *scale, int rows,
	const int8_t *weights, const float *column_scale, const float *bias, int n, int gelu) {
	t->dequantize(dst, product, scale, rows, weights, column_scale, bias, n, gelu);
}

static void call_add_layer_norm(const kernel_table *t, float *dst, const float *x, const float *residual,
	const float *gamma, const float *beta, float epsilon, int rows, int width) {
	t->add_layer_norm(dst, x, residual, gamma, beta, epsilon, rows, width);
}

static void call_gelu(const kernel_table *t, float *x, int count) { t->gelu(x, count); }

static void call_attention(const kernel_table *t, float *dst, const float *q, const float *k, const float *v,
	int stride, int tokens, int heads, int group, int dim, int window, const float *bias, int bias_row, float *scratch) {
	t->attention(dst, q, k, v, stride, tokens, heads, group, dim, window, bias, bias_row, scratch);
}

static void call_dot_many(const kernel_table *t, float *scores, const float *query, const uint8_t *vectors, int rows, int width) {
	t->dot_many(scores, query, vectors, rows, width);
}

static void call_add_low_rank(const kernel_table *t, float *dst, int width, const float *x, int rows,
	const float *down, const float *up, int inputs, int rank, int outputs, float scale, float *mixed) {
	t->add_low_rank(dst, width, x, rows, down, up, inputs, rank, outputs, scale, mixed);
}

static float call_dot(const kernel_table *t, const float *a, const float *b, int width) {
	float score;
	t->dot_many(&score, a, (const uint8_t *)b, 1, width);
	return score;
}

static int64_t call_peak(const kernel_table *t, int rounds) { return t->peak(rounds); }

static void call_embed(const kernel_table *t, float *dst, const int32_t *ids, int rows, int width, const int8_t *words,
	const float *word_scale, const float *positions, const float *type) {
	t->embed(dst, ids, rows, width, words, word_scale, positions, type);
}
*/
import "C"

import (
	"unsafe"

	"dowse/models/pack"
)

// nativeISAIndex numbers the instruction sets as native.h does.
var nativeISAIndex = map[ISA]C.int{
	AVX2: C.LEVEL_AVX2, AVXVNNI: C.LEVEL_AVXVNNI, AVX512: C.LEVEL_AVX512,
	NEON: C.LEVEL_NEON, NEONDot: C.LEVEL_NEONDOT,
}

// native calls the C functions of one instruction set. Each call handles many rows, so
// that entering C, about 30 ns, does not count.
type native struct{ table *C.kernel_table }

func nativeOperations(isa ISA) operations {
	n := native{C.table(nativeISAIndex[isa])}
	return operations{
		quantizeRows:  n.quantizeRows,
		linear:        n.linear,
		dequantize:    n.dequantize,
		linearRows:    n.linearRows,
		linear4:       n.linear4,
		prepareBlocks: n.prepareBlocks,
		linearBlocks:  n.linearBlocks,
		scaleInputs:   n.scaleInputs,
		mask:          n.mask,
		addLayerNorm:  n.addLayerNorm,
		gelu:          n.gelu,
		attention:     n.attention,
		dot:           n.dot,
		dotMany:       n.dotMany,
		addLowRank:    n.addLowRank,
		embed:         n.embed,
		peak:          n.peak,
		rmsNorm:       n.rmsNorm,
		swiGLU:        n.swiGLU,
		geGLU:         n.geGLU,
		rotate:        n.rotate,
		quantizeHeads: n.quantizeHeads,
		causalScores:  n.causalScores,
		causalSoftmax: n.causalSoftmax,
		causalValues:  n.causalValues,
		logits:        n.logits,
		logitsScratch: nativeLogitsScratch,
		linearScratch: nativeLinearScratch,

		linearRowsScratch: nativeLinearRowsScratch,
		linear4Scratch:    nativeLinear4Scratch,
	}
}

// nativeLinearScratch covers every instruction set: a packed panel of up to 512 bytes for
// 4 inputs, or the sums of a strip for few rows, and a block of prepared rows
// (linear_kernels.h).
func nativeLinearScratch(k int) int {
	const panelQuad, rowQuad, rowTile, rowBlock = 512, 8, 6, 384 * 1024
	const stripSums, fewRows, stripGap = 16384, 32, 16
	quads := (k + 3) / 4
	return max(quads*panelQuad, 4*(stripSums+fewRows*stripGap)) + max(rowBlock, rowTile*quads*rowQuad)
}

// floats, signed, unsigned and integers are the first elements, for C.
func floats(x []float32) *C.float      { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }
func signed(x []int8) *C.int8_t        { return (*C.int8_t)(unsafe.Pointer(unsafe.SliceData(x))) }
func unsigned(x []uint8) *C.uint8_t    { return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(x))) }
func integers(x []int32) *C.int32_t    { return (*C.int32_t)(unsafe.Pointer(unsafe.SliceData(x))) }
func flag(activation Activation) C.int { return C.int(activation) }

func rowScales(x []RowScale) *C.row_scale {
	return (*C.row_scale)(unsafe.Pointer(unsafe.SliceData(x)))
}

func (n native) quantizeRows(q []uint8, scale []RowScale, x []float32, rows, width int) {
	C.call_quantize_rows(n.table, unsigned(q), rowScales(scale), floats(x), C.int(rows), C.int(width))
}

func (n native) linear(dst []float32, q []uint8, scale []RowScale, rows int, w *pack.Linear, c Columns, activation Activation, scratch []byte) {
	C.call_linear(n.table, floats(dst[c.From:]), unsigned(q), rowScales(scale), C.int(rows),
		signed(w.Weights[c.From:]), floats(w.Scale[c.From:]), floats(w.Bias[c.From:]), integers(w.ColSum[c.From:]),
		C.int(w.K), C.int(w.N), C.int(w.RowStride()), C.int(c.To-c.From), flag(activation), unsigned(scratch))
}

func (n native) dequantize(dst []float32, product []int32, scale []RowScale, rows int, w *pack.Linear, activation Activation) {
	C.call_dequantize(n.table, floats(dst), integers(product), rowScales(scale), C.int(rows),
		signed(w.Weights), floats(w.Scale), floats(w.Bias), C.int(w.N), flag(activation))
}

func (n native) addLayerNorm(dst, x, residual, gamma, beta []float32, epsilon float32, rows, width int) {
	C.call_add_layer_norm(n.table, floats(dst), floats(x), floats(residual),
		floats(gamma), floats(beta), C.float(epsilon), C.int(rows), C.int(width))
}

func (n native) gelu(x []float32) { C.call_gelu(n.table, floats(x), C.int(len(x))) }

func (n native) attention(dst []float32, in AttentionInput, scratch []float32) {
	var bias []float32 // from that of a query's own key on
	row := 0
	if in.Bias != nil {
		bias, row = in.Bias.values[in.Bias.reach:], in.Bias.row()
	}
	C.call_attention(n.table, floats(dst), floats(in.Q), floats(in.K), floats(in.V),
		C.int(in.Stride), C.int(in.Tokens), C.int(in.Heads), C.int(in.Heads/in.kvHeads()), C.int(in.HeadDim), C.int(in.Window),
		floats(bias), C.int(row), floats(scratch))
}

func (n native) dot(a, b []float32) float32 {
	return float32(C.call_dot(n.table, floats(a), floats(b), C.int(len(a))))
}

func (n native) dotMany(scores, query []float32, vectors []byte) {
	C.call_dot_many(n.table, floats(scores), floats(query), unsigned(vectors), C.int(len(scores)), C.int(len(query)))
}

func (n native) addLowRank(dst []float32, width int, x []float32, rows int, l *LowRank, mixed []float32) {
	C.call_add_low_rank(n.table, floats(dst[l.From:]), C.int(width), floats(x), C.int(rows), floats(l.Down), floats(l.Up),
		C.int(l.Inputs), C.int(l.Rank), C.int(l.Outputs), C.float(l.Scale), floats(mixed))
}

func (n native) embed(dst []float32, ids []int32, positions []float32, e *Embedding) {
	C.call_embed(n.table, floats(dst), integers(ids), C.int(len(ids)), C.int(e.Width), signed(e.Words),
		floats(e.WordScale), floats(positions), floats(e.Type))
}

func (n native) peak(rounds int) int64 { return int64(C.call_peak(n.table, C.int(rounds))) }
