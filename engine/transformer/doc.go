// Package transformer runs encoders (BERT, XLM-RoBERTa, MPNet, ModernBERT, Gemma 3,
// static models) and decoders (Llama, Qwen2, Qwen3, Gemma 3, Mixtral and Qwen3 with experts). Text
// goes in; a unit vector, a score of a passage for a query, spans, or logits come out.
//
// A model is opened once, resident or streamed, and used through one of four heads:
//
//	e, err := OpenEmbedder(ctx, path, kernels, options)     // e.EmbedDocuments(ctx, texts)
//	r, err := OpenSpanReader(ctx, path, kernels, options)   // r.Read(ctx, question, passages)
//	c, err := OpenCrossEncoder(ctx, path, kernels, options) // c.Begin(ctx, pairs): a Pass, layer by layer
//	d, err := OpenDecoder(ctx, path, kernels, options)      // d.Append, d.Verify, s.Keep, d.Restore
//
// All of them bring their tokens through the layers with run (run.go), which borrows each
// layer from a weights.Source. A Pass brings all candidates of a query side by side, so
// that package rerank can give some up between layers. A Sequence keeps keys and values
// (package kv); Verify computes a tree of drafts, of which Keep keeps a path; Restore gets
// missing chunks back, some read, some computed again (restore.go, recompute.go).
//
// # Where to read
//
// A family is a network with one block: bert.go, modern.go with modernblock.go, llama.go
// with llamablock.go and llamaattention.go; static.go has no layers. body.go is what
// Embedder and CrossEncoder need of a family, family.go what a reranker needs besides,
// head.go its scores. mixture.go routes tokens through experts. swapped.go is all that
// decoders know of row packs (package swap). T is the tokens of a batch, R the rows needed
// after a layer, D the width of the model, F that of its feed-forward part, H and G its
// heads of queries and of keys and values, d the numbers of a head.
//
// # Invariants
//
// The vector of a text is the same to the bit alone, in any batch, at any place in it, on
// any number of threads; so are the scores of a candidate, whichever others there are or
// were given up; and logits, however a text is cut into calls, whichever branches are
// computed beside it, and whether weights are resident, streamed or swapped. For this:
//
//   - Batches are ragged: the tokens of all texts lie one after the other,
//     [sum of lengths, width], with offsets. There is no padding and no mask.
//   - Activations are quantised per row; sums of products of bytes are integers; scales
//     and biases are applied once.
//   - Attention runs sequence by sequence, over its own keys in their order. Keys and
//     values of a decoder are quantised before any token attends to them.
//   - Everything else works on one row at a time, in an order given by the width alone.
//     What experts make of a row is added in the order of their numbers.
//
// All memory is charged to the ledger and never exceeds Plan.Peak; a Decoder with its
// Sequences never exceeds its budget, which may change between layers (SetBudget).
//
// # Caveats
//
// Restore computes keys and values as a prompt does; behind tokens that were decoded with
// inputs left out, what follows may differ. A CrossEncoder computes one pass at a time, a
// Decoder one call. A damaged pack is an error of the call that reads it while streaming.
package transformer
