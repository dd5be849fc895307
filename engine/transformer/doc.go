// Package transformer runs encoder models of the BERT family. Text goes in; out
// comes a vector of unit length, or the score of a passage for a query.
//
// # Basics
//
// Encoder is the forward pass over token ids to vectors, one worker at a time
// in a Workspace. Embedder puts a tokenizer before it and spreads texts over
// workers.
//
// CrossEncoder reads a query and a passage together and scores them. Its Pass
// brings all candidates of a query through the layers side by side, so that
// package rerank, for which a Pass is the Forward, can give candidates up
// between layers:
//
//	c, err := transformer.OpenCrossEncoder(path, kernels, options)
//	pass, err := c.Begin(ctx, pairs)
//	err = pass.Advance(ctx, layer, active)
//	pass.Scores(layer, active, scores)
//	err = pass.Close()
//
// # How a cross-encoder keeps to its budget
//
// MakePlan decides, from the shape of the model, the budget and the lengths of
// the candidates alone (GRATING 4.2 to 4.4 are the sources):
//
//   - Weights stay mapped if they fit. If not, layers come through a window of
//     two buffers: one is computed while the next is read, past the page cache.
//   - Embedding rows of a streamed model are kept for at most a tenth of the
//     vocabulary, least recently used first out.
//   - Candidates are computed in chunks of as many tokens as the integer
//     products need to run at full speed. Only the working memory of one chunk
//     for each worker exists at a time.
//   - Hidden states of all candidates stay in memory if they fit. If not, they
//     lie in a temporary file, removed from its folder at once, but for three
//     chunks: one is computed, one is written, one is read. Beside them the
//     first token's state of each candidate stays, for the head.
//
// After attention the last layer is computed for the first token of each
// candidate alone, since the head looks at nothing else. That is exact, and
// three quarters of that layer's products.
//
// # Invariants
//
// The vector of a text is the same to the bit alone, in any batch, at any
// place in it, and on any number of threads. So are the scores of a candidate,
// whichever others there are or were given up, and in whatever way the model
// runs. It rests on these rules:
//
//   - Batches are ragged: the tokens of all texts lie one after the other,
//     [sum of lengths, width], with offsets. There is no padding and no mask.
//   - Activations are quantised per row; products of bytes are summed as
//     integers, which has no order; scales and biases are applied once.
//   - Attention runs sequence by sequence, over its own keys in their order.
//   - Everything else works on one row at a time, in an order that depends on
//     the width alone.
//
// What a pass holds is charged to the ledger, in the pools named in plan.go,
// and never exceeds its Plan.Peak.
//
// # Shapes
//
// T tokens of a batch, D width of the model, F width of its feed-forward
// layer. Hidden states are [T,D]; a workspace holds wide [T,max(3D,F)], which
// is queries, keys and values first and the feed-forward layer then, and mixed
// [T,D].
//
// # Caveats
//
// A CrossEncoder computes one pass at a time; the next Begin waits for Close,
// and Close for reads under way. A pack that is cut short or damaged while it
// is streamed is an error of the pass; while it is mapped, as with any mapped
// file, it is a crash. Packs are replaced by renaming, which disturbs neither.
package transformer
