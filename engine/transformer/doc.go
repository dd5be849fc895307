// Package transformer runs encoder models of the BERT family: text goes in, a
// vector of unit length comes out.
//
// # Basics
//
// Encoder is the forward pass over token ids, one worker at a time in a
// Workspace. Embedder puts a tokenizer before it and spreads texts over
// workers.
//
// # Invariants
//
// The vector of a text is the same to the bit alone, in any batch, at any
// place in it, and on any number of threads. It rests on these rules:
//
//   - Batches are ragged: the tokens of all texts lie one after the other,
//     [sum of lengths, width], with offsets. There is no padding and no mask.
//   - Activations are quantised per row; products of bytes are summed as
//     integers, which has no order; scales and biases are applied once.
//   - Attention runs sequence by sequence, over its own keys in their order.
//   - Everything else works on one row at a time, in an order that depends on
//     the width alone.
//
// # Shapes
//
// T tokens of a batch, D width of the model, F width of its feed-forward
// layer. A workspace holds hidden [T,D], qkv [T,3D], mixed [T,D], inner [T,F].
package transformer
