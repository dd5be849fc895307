package kernel

import (
	"fmt"
	"testing"
)

// smol is the shape of a small decoder: 576 wide, 9 heads that share 3 KV heads.
var smol = causalShape{9, 3, 64}

// BenchmarkCausalAttention is one layer's attention over a cache of bytes: one
// token, a draft, and a piece of a prompt.
func BenchmarkCausalAttention(b *testing.B) {
	for _, keys := range []int{128, 1024} {
		s := newSequence(b, newRandom(), smol, keys)
		for _, rows := range []int{1, 8, 64} {
			for _, isa := range ISAs() {
				b.Run(fmt.Sprintf("keys=%d/rows=%d/%s", keys, rows, isa), func(b *testing.B) {
					k, scratch := newKernel(b, isa), newScratch(b)
					in := s.rows(keys-rows, keys, s.bytes)
					dst := make([]float32, rows*s.heads*s.headDim)
					reportStream(b, 2*keys*s.kvHeads*s.headDim, func(int) error { return k.CausalAttention(dst, in, scratch) })
				})
			}
		}
	}
}

// BenchmarkLogits goes through a vocabulary of 49,152 words of width 576; the
// matrix, 28 MB, may stay in the last-level cache.
func BenchmarkLogits(b *testing.B) {
	const width, vocabulary = 576, 49_152
	h := randomHead(width, vocabulary)
	for _, rows := range []int{1, 2, 4, 8, 16} {
		for _, isa := range ISAs()[1:] {
			b.Run(fmt.Sprintf("rows=%d/%s", rows, isa), func(b *testing.B) {
				k, s := newKernel(b, isa), newScratch(b)
				x, dst := randomFloats(newRandom(), rows*width, 1), make([]float32, rows*vocabulary)
				reportStream(b, width*vocabulary, func(int) error { return k.Logits(dst, x, rows, h, s) })
			})
		}
	}
}

// BenchmarkDecoderRows are the operations on 16 rows, each with every instruction set.
func BenchmarkDecoderRows(b *testing.B) {
	const rows, width, inner = 16, 576, 1536
	r := newRandom()
	x, gamma, gate, up := randomFloats(r, rows*width, 1), randomFloats(r, width, 1), randomFloats(r, rows*inner, 1), randomFloats(r, rows*inner, 1)
	dst, sum, gated := make([]float32, rows*width), make([]float32, rows*width), make([]float32, rows*inner)
	rotary, err := NewRotary(RotaryOptions{HeadDim: 64, Base: 10000, Positions: 2048})
	if err != nil {
		b.Fatal(err)
	}
	positions := make([]int32, rows)
	for i := range positions {
		positions[i] = int32(1000 + i)
	}
	q, scale := make([]int8, rows*width), make([]BFloat16, rows*9)
	for _, isa := range ISAs() {
		k := newKernel(b, isa)
		for name, run := range map[string]func() error{
			"rmsnorm":  func() error { k.AddRMSNorm(dst, sum, x, x, gamma, 1e-5, rows, width); return nil },
			"swiglu":   func() error { k.SwiGLU(gated, gate, up); return nil },
			"rotate":   func() error { return k.Rotate(x, positions, 9, width, rotary) },
			"quantize": func() error { k.QuantizeHeads(q, scale, x, rows, 9, 64, width); return nil },
		} {
			b.Run(name+"/"+string(isa), func(b *testing.B) {
				reportStream(b, 4*rows*width, func(int) error { return run() })
			})
		}
	}
}
