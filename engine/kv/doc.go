// Package kv keeps the keys and values of texts that a decoder continues, in chunks of 8, 4 or
// 2 bits a number.
//
// # Flow
//
// A [Cache] holds the tokens of one text with their keys and values in every layer. A decoder
// reserves room, writes where Spans says, layer by layer, and then extends the text:
//
//	c := kv.NewCache(shape, ledger, nil)
//	err := c.Reserve(c.Len() + len(ids))
//	own := c.Spans(layer, c.Len(), c.Len()+len(ids)) // of each layer
//	c.Extend(ids)
//
// Behind the text lies a [Tree] of tokens that may follow it, written where Draft says; Keep
// appends one path of it and drops the rest.
//
// A chunk may be dropped, and a text may be resumed from its tokens alone: such chunks are
// Missing until they are read to where Place says or computed again. [PlanRestore] splits them
// between both by a [Profile], which a [Meter] learns from the work that is done anyway. That is
// the linear programme of LLMS solved for whole chunks; unlike it, later tokens cost more to
// compute, and reading and computing overlap in [Groups] of layers. [PlanPrefix] says how much
// of another text's beginning to restore. [Queue] is the order of eviction.
//
// A sealed chunk can be lowered from 8 bits to 4 or 2, and gets more again only by being
// computed anew. LowerPlan chooses levels of the least distortion for a given mean of bytes,
// weighed by the attention that a chunk receives, its Density; the last [Residual] chunks stay
// at 8 bits.
//
// # Memory
//
// All layers of a chunk of Shape.ChunkTokens lie in one buffer, charged to [Pool]. Kernels
// compute any number of rows at a time: Spans cuts stretches of tokens at the ends of chunks.
//
// # Invariants
//
//   - Keys and values are bytes with a scale for each token and head before any token attends
//     to them, its own included. Later tokens may see lowered chunks.
//   - Spans of a stretch are in the order of its tokens, so attention gives the same bits
//     whatever the length of a chunk.
//   - The tokens of a Cache are those of Extend and Keep, less those of Truncate; changing them
//     drops the tree.
//   - Densities are sums of integers, independent of how tokens are spread over calls and
//     workers.
//
// # Caveats
//
// A Cache is for one goroutine at a time. Spans and Draft are views of memory that Truncate,
// Keep and Free may free.
package kv
