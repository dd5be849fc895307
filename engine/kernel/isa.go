package kernel

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"dowse/models/pack"
)

// ISA is an instruction set that the operations are written in. All of them
// give the same bits; they differ in speed.
type ISA string

// The instruction sets.
const (
	Auto    ISA = ""        // the fastest that the machine has
	Plain   ISA = "plain"   // Go, without cgo: the specification
	AVX2    ISA = "avx2"    // x86-64 since 2013
	AVXVNNI ISA = "avxvnni" // AVX2 and byte dot products (Alder Lake, Zen 5)
	AVX512  ISA = "avx512"  // AVX-512 F, BW, DQ, VL and VNNI (Ice Lake, Zen 4)
	NEON    ISA = "neon"    // every 64-bit ARM
	NEONDot ISA = "neondot" // NEON and byte dot products (ARMv8.2 with dotprod)
)

// ISAVariable names the environment variable that forces an instruction set where
// Options leaves it at Auto.
const ISAVariable = "DOWSE_CPU"

// ISAs returns what this build on this machine can run, slowest first.
func ISAs() []ISA { return append([]ISA{Plain}, nativeISAs()...) }

// chooseISA returns the instruction set to run at, given the one asked for.
func chooseISA(asked ISA) (ISA, error) {
	from := "the kernel option"
	if asked == Auto {
		asked, from = ISA(strings.ToLower(os.Getenv(ISAVariable))), ISAVariable
	}
	have := ISAs()
	if asked == Auto {
		return have[len(have)-1], nil
	}
	if !slices.Contains(have, asked) {
		return "", fmt.Errorf("%s asks for processor level %q, but this machine and this build have %q; choose one of those or none", from, asked, have)
	}
	return asked, nil
}

// operations are the implementations of one instruction set. Callers have checked shapes,
// and no input is empty.
type operations struct {
	quantizeRows func(q []uint8, scale []RowScale, x []float32, rows, width int)
	linear       func(dst []float32, q []uint8, scale []RowScale, rows int, w *pack.Linear, c Columns, activation Activation, scratch []byte)
	// linearRows gets the weights of the outliers beside the scale.
	linearRows func(dst []float32, q []uint8, scale *RowScale, outliers []*int8, channels []int32, rows []*int8, w *pack.Linear, c Columns, scratch []byte)
	// linear4 multiplies up to linear4Rows rows with the weights of some channels. outliers
	// has MaxOutliers addresses of weights for each row.
	linear4 func(dst, x []float32, scale []RowScale, outliers []*int8, channels []int32, weights []*int8, w *pack.Linear, c Columns, scratch []byte)
	// prepareBlocks quantises rows; linearBlocks writes columns of rows that are stride apart.
	prepareBlocks func(in *blockRows, x []float32, rows, k int)
	linearBlocks  func(dst []float32, stride int, in *blockRows, rows int, b *pack.Blocks, bias []float32, c Columns)
	scaleInputs   func(dst, x, in []float32, rows int)
	peak          func(rounds int) (products int64)
	mask          func(x, in []float32, threshold float32, channels []int32) int
	dequantize    func(dst []float32, product []int32, scale []RowScale, rows int, w *pack.Linear, activation Activation)
	addLayerNorm  func(dst, x, residual, gamma, beta []float32, epsilon float32, rows, width int)
	gelu          func(x []float32)
	attention     func(dst []float32, in AttentionInput, scratch []float32)
	dot           func(a, b []float32) float32
	dotMany       func(scores, query []float32, vectors []byte)
	addLowRank    func(dst []float32, width int, x []float32, rows int, l *LowRank, mixed []float32)
	embed         func(dst []float32, ids []int32, positions []float32, e *Embedding)
	rmsNorm       func(dst, sum, x, residual, gamma []float32, epsilon float32, rows, width int)
	swiGLU        func(dst, gate, up []float32)
	geGLU         func(dst, gate, up []float32, form GeluForm)
	rotate        func(x []float32, positions []int32, heads, stride int, r *Rotary)
	// quantizeHeads is that of keys and values.
	quantizeHeads func(q []int8, scale []BFloat16, x []float32, rows, heads, headDim, stride int)
	// The steps of causal attention, over the rows of a block. spans is Cache or, with a
	// list of ancestors, Draft alone, whose keys the block has placed.
	causalScores  func(b *causalBlock, spans []KeyValues, list []int32)
	causalSoftmax func(b *causalBlock, density []uint32)
	causalValues  func(b *causalBlock, spans []KeyValues, list []int32)
	logits        func(dst []float32, q []uint8, scale []RowScale, rows int, h *Head, c Columns, scratch []byte)
	logitsScratch func(rows, width int) int
	// linearScratch is the bytes that linear needs for projections of k inputs.
	linearScratch func(k int) int
	// linearRowsScratch is the bytes that linearRows needs for some active channels.
	linearRowsScratch func(active int) int
	linear4Scratch    func(rows, active int) int
}

func plainOperations() operations {
	return operations{
		quantizeRows:  plainQuantizeRows,
		linear:        plainLinear,
		dequantize:    plainDequantize,
		linearRows:    plainLinearRows,
		linear4:       plainLinear4,
		prepareBlocks: plainPrepareBlocks,
		linearBlocks:  plainLinearBlocks,
		scaleInputs:   plainScaleInputs,
		peak:          func(int) int64 { return 0 },
		mask:          plainMask,
		addLayerNorm:  plainAddLayerNorm,
		gelu:          plainGelu,
		attention:     plainAttention,
		dot:           plainDot,
		dotMany:       plainDotMany,
		addLowRank:    plainAddLowRank,
		embed:         plainEmbed,
		rmsNorm:       plainRMSNorm,
		swiGLU:        plainSwiGLU,
		geGLU:         plainGeGLU,
		rotate:        plainRotate,
		quantizeHeads: plainQuantizeHeads,
		causalScores:  plainCausalScores,
		causalSoftmax: plainCausalSoftmax,
		causalValues:  plainCausalValues,
		logits:        plainLogits,
		logitsScratch: func(int, int) int { return 0 },
		linearScratch: func(int) int { return 0 },

		linearRowsScratch: func(int) int { return 0 },
		linear4Scratch:    func(int, int) int { return 0 },
	}
}
