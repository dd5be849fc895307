package kernel

import (
	"fmt"
	"testing"

	"dowse/engine/memory"
	"dowse/internal/testcache"
)

// BenchmarkLinear reports the operations a second, a multiplication and an
// addition each, of every instruction set and of ONNX Runtime where it is installed.
func BenchmarkLinear(b *testing.B) {
	for _, shape := range []struct{ k, n int }{{384, 384}, {384, 1152}, {384, 1536}, {1536, 384}} {
		for _, rows := range []int{1, 8, 64, 512} {
			for _, isa := range ISAs()[1:] {
				name := fmt.Sprintf("%dx%d/rows=%d/%s", shape.k, shape.n, rows, isa)
				b.Run(name, func(b *testing.B) { benchLinear(b, newKernel(b, isa), shape.k, shape.n, rows) })
			}
			b.Run(fmt.Sprintf("%dx%d/rows=%d/onnxruntime", shape.k, shape.n, rows), func(b *testing.B) {
				benchLinear(b, openKernel(b, Options{Library: testcache.Library(b), Backend: Runtime}), shape.k, shape.n, rows)
			})
		}
	}
}

func benchLinear(b *testing.B, k *Kernel, inputs, outputs, rows int) {
	r := newRandom()
	w := randomLinear(r, inputs, outputs)
	weights, err := memory.NewBuffer(nil, "", len(w.Weights))
	if err != nil {
		b.Fatal(err)
	}
	copy(weights.Int8(), w.Weights)
	w.Weights = weights.Int8()
	x, dst, s := randomFloats(r, rows*inputs, 1), make([]float32, rows*outputs), newScratch(b)
	for b.Loop() {
		if err := k.Linear(dst, x, rows, w, None, s); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(2*float64(rows*inputs*outputs)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gop/s")
	if err := weights.Free(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkAttention is one sequence of 185 tokens, as an indexed passage has.
func BenchmarkAttention(b *testing.B) {
	const tokens, heads, dim = 185, 12, 32
	for _, isa := range ISAs() {
		b.Run(string(isa), func(b *testing.B) {
			k, s := newKernel(b, isa), newScratch(b)
			qkv := randomFloats(newRandom(), tokens*3*heads*dim, 1)
			dst := make([]float32, tokens*heads*dim)
			in := AttentionInput{Q: qkv, K: qkv[heads*dim:], V: qkv[2*heads*dim:],
				Stride: 3 * heads * dim, Tokens: tokens, Heads: heads, HeadDim: dim}
			for b.Loop() {
				if err := k.Attention(dst, in, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDotMany scans 10,000 stored vectors of 384 numbers.
func BenchmarkDotMany(b *testing.B) {
	const rows, width = 10_000, 384
	query := randomFloats(newRandom(), width, 1)
	stored := Float32Bytes(nil, randomFloats(newRandom(), rows*width, 1))
	scores := make([]float32, rows)
	for _, isa := range ISAs() {
		b.Run(string(isa), func(b *testing.B) {
			k := newKernel(b, isa)
			b.SetBytes(int64(len(stored)))
			for b.Loop() {
				k.DotMany(scores, query, stored)
			}
		})
	}
}
