// Package kernel does the arithmetic of encoders and decoders: quantised projections,
// attention over a sequence or a cache, norms, activations, rotary embeddings, logits,
// pooling, inner products.
//
// New returns a Kernel with the fastest instruction set of the machine: AVX-512 with VNNI,
// AVX2 with VNNI, AVX2, NEON with and without dot products, or plain Go. DOWSE_CPU or
// Options.ISA forces another. Methods take flat slices with their shapes beside them, write
// into slices of the caller, and take working memory from a Scratch of the calling
// goroutine. A layer of a decoder, for a prompt, one token or a draft alike:
//
//	k.AddRMSNorm(x, h, h, last, gamma, epsilon, rows, width)
//	err = k.Linear(qkv, x, rows, &layer.QKV, kernel.None, s) // a pack.Linear
//	err = k.Rotate(qkv, positions, heads, stride, rotary)
//	k.QuantizeHeads(keys.Bytes, keys.Scale, key, rows, kvHeads, headDim, stride)
//	err = k.CausalAttention(x, kernel.CausalInput{...}, s)
//	k.SwiGLU(gate, gate, up)
//	err = k.Logits(logits, x, rows, &head, s)
//
// LinearColumns, LogitsColumns and CausalInput.Part let several goroutines share few rows,
// which cost what reading weights and cache takes. AddLowRank adds an adapter's share.
//
// sparse.go and linear4.go hold what row packs need (see engine/swap): Mask finds the
// active input channels of a row, LinearRows and LinearRows4 multiply their weights alone.
//
// Peak measures what products of bytes alone would do, against which lab bench holds a rate.
//
// blocks.go multiplies weights that keep the blocks of a GGUF file (pack.Blocks) with inputs
// quantised in groups.
//
// # Invariants
//
//   - The plain Go functions (plain_*.go) are the specification. Every instruction set
//     gives their bits on every input, NaNs aside.
//   - A row of a result depends on that row of the input alone: not on the other rows,
//     their number, or the thread.
//   - Sums of floats run over 16 virtual lanes, element i in lane i mod 16, and the lanes
//     are added in a fixed tree. A product and the sum after it are two roundings; nothing
//     is fused but where that gives the same bits (times_factor). exp and erf are fixed polynomials.
//   - Sums of products of bytes are integers, which have no order, so own kernels and ONNX
//     Runtime may take turns. CausalInput.Density is counted in integers too.
//   - Outliers of a row are multiplied as floats (QuantizeRows).
//   - Attention over a cache takes all scores of a row before their softmax: a row depends
//     on its own keys and their order, however a prompt is cut into calls, a cache into
//     spans, or a draft into branches.
//   - Bytes and packed numbers of 4 and 2 bits in a cache give the bits of the floats that
//     they stand for.
//   - Attention with a window reads no key and no value outside it, and weights keep the
//     lanes that they would have without one.
//
// # Caveats
//
// Slices given to a projection that may reach ONNX Runtime (see Describe), and rows of
// weights given by address, must not lie on the Go heap; Scratch, memory.Buffer and mapped
// files do not. Wrong lengths panic: native code would not notice.
package kernel
