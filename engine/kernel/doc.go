// Package kernel does the arithmetic of encoders and decoders: quantised
// projections, attention over a sequence or a cache, norms, activations, rotary
// embeddings, logits, pooling, inner products.
//
// # Basics
//
// New returns a Kernel with the fastest instruction set that the machine has: AVX-512 with
// VNNI, AVX2 with VNNI, AVX2, NEON with and without dot products, or plain Go.
// The environment variable DOWSE_CPU, or Options.ISA, forces another.
// Methods take flat slices with their shapes beside them, write into slices of
// the caller, and take working memory from a Scratch of the calling goroutine.
//
//	k, err := kernel.New(kernel.Options{Library: path})
//	s := kernel.NewScratch(ledger)
//	err = k.Linear(dst, x, rows, &weights, kernel.Gelu, s)
//
// # Invariants
//
//   - The plain Go functions (plain_*.go) are the specification. Every instruction set
//     gives the same bits as they do, on every input, NaNs aside.
//
//   - A row of a result depends on that row of the input alone: not on the
//     other rows, their number, or the thread.
//
//   - Sums of floats run over 16 virtual lanes, element i in lane i mod 16,
//     and the lanes are added in a fixed tree. A product and the sum after it
//     are two roundings; nothing is fused. exp and erf are fixed polynomials.
//
//   - Sums of products of bytes are integers, which have no order. That is why
//     own kernels and ONNX Runtime may take turns.
//
//   - What channels that are not active would have been multiplied with does not show:
//     no weight of theirs is read (LinearRows, LinearRows4).
//
//   - The outliers of a row are not quantised but multiplied as floats (see
//     QuantizeRows). Of all-MiniLM-L6-v2 the largest value alone lifts the mean
//     cosine with float32 from 0.9971 to 0.9991, the smallest from 0.978 to
//     0.995, over 540 texts; the others bring the perplexity of SmolLM2-135M
//     from 1.25% above that of float32 to 0.56%.
//
//   - Attention over a cache takes all scores of a row before their softmax, so
//     that there is no tiling to depend on: a row depends on its own keys and
//     their order, however a prompt is cut into calls, a cache into spans, or a
//     draft into branches.
//
//   - Keys and values are what a cache stores: bytes, and numbers of 4 and 2 bits
//     (PackedRows), give the bits of the floats that they stand for.
//
//   - Attention with a window (AttentionInput.Window) reads no key and no value of a token
//     outside of it, whatever tile its queries share; a weight keeps the lane that it would
//     have without a window.
//
//   - What rows give to a position (CausalInput.Density) is counted in integers too,
//     whichever heads and rows are computed together.
//
// # Decoders
//
// A layer of a decoder, for the rows of a prompt, one token or a draft alike:
//
//	k.AddRMSNorm(x, h, h, last, gamma, epsilon, rows, width)
//	k.QuantizeRows(q, scale, x, rows, width)          // once for q, k and v
//	err = k.LinearQuantized(query, q, scale, rows, &w.Query, kernel.None, s)
//	err = k.Rotate(query, positions, heads, width, rotary)
//	k.QuantizeHeads(keys.Bytes, keys.Scale, key, rows, kvHeads, headDim, kvWidth)
//	err = k.CausalAttention(x, kernel.CausalInput{...}, s)
//	k.SwiGLU(gate, gate, up)
//	err = k.Logits(logits, x, rows, &head, s)
//
// AddLowRank adds an adapter's share to a projection. Of a pass of SmolLM2-135M
// over 20 pairs of 180 tokens, an adapter of rank 16 on all projections of 24
// layers takes an eighth; row by row it took a quarter.
//
// Few rows cost what it takes to read the weights, and the cache. LinearColumns,
// LogitsColumns and CausalInput.Part let several goroutines read them together.
// Cached vectors are asked for 64 tokens ahead: a token of SmolLM2-135M behind
// 1,536 others took one thread 12.1 ms before that, and 8.5 since.
//
// # Sparse rows
//
// Weights that are read as they are needed lie anywhere in memory, a row of N bytes for
// each input channel. Mask says which channels of a row of inputs are active
// (ActiveFlow 4.2), and LinearRows multiplies those alone:
//
//	channels = k.Mask(x, w.In, threshold, channels)
//	k.QuantizeRows(q, scale, x, 1, w.K)
//	err = k.LinearRows(y, q, &scale[0], channels, rows, w, columns, s)
//
// The bits are those of LinearQuantized on the same masked row, since a channel that
// is not active has the byte that stands for zero. So a token that is computed alone from
// some of the rows, and one among others from all of them (Stride, for rows that lie
// among those of other layers), are the same token. Linear.In has the scales of the
// inputs; Linear applies them, and otherwise Mask or ScaleInputs does, before
// QuantizeRows.
//
// Rows are multiplied 16 at a time, and the next 16 are asked for meanwhile. Their
// inputs are signed there: where processors multiply unsigned bytes with signed ones,
// the weights are made unsigned, so that what has to be subtracted is a sum of inputs.
// Sums of columns are known of all the rows alone.
//
// Weights of 4 bits (Row4Bytes) have a scale for each 128 outputs of a channel, and a row
// of inputs is quantised once for each of these blocks, by those scales: Linear4 and
// LinearRows4, which are the same operation with all the channels and with some. All
// instruction sets expand 16 rows of a block to bytes in the first-level cache, and
// multiply those as above, for up to 16 rows of inputs together. Many rows of a prompt
// so take longer than with bytes.
//
// # Who multiplies
//
// Up to 32 rows, own kernels read weights as they lie, 16 or 32 rows of the
// matrix at a time, and keep sums in the cache: on a processor whose memory gives
// one core 40 GB/s, weights pass at 22 to 29 GB/s for 1 to 8 rows (go test -bench
// FewRows). For more they pack a panel of 64 columns into the first-level cache
// and reuse it for a block of rows. On a processor with AVX-512 VNNI and no matrix unit
// they measured 1.1 to 1.5 times as fast as ONNX Runtime at 512 rows, and 2 to
// 8 times at one row (go test -bench Linear), so that its library is not even
// loaded. Where there is one (AMX), projections of 64 rows and more go to ONNX
// Runtime, through a graph of one MatMulInteger whose weights are an input;
// fewer rows stay here, because a query must not wait for the library to load.
// Options.Backend forces either.
//
// # Caveats
//
// Slices given to a projection that may reach ONNX Runtime must not lie on the
// Go heap, since C keeps their addresses during the call; Scratch and Buffer of
// package memory do not, nor do mapped files. Wrong lengths panic: they are
// errors of the caller's arithmetic, which native code would not notice.
package kernel
