// Package kv keeps the keys and values of texts that a decoder continues.
//
// # Basics
//
// A [Cache] holds the tokens of one text with their keys and values in every layer.
// A decoder reserves room, writes keys and values where Spans says, layer by layer,
// and extends the text once all layers have them:
//
//	c := kv.NewCache(shape, ledger, nil)
//	err := c.Reserve(c.Len() + len(ids))
//	own := c.Spans(layer, c.Len(), c.Len()+len(ids)) // of each layer
//	c.Extend(ids)
//
// Beside the text lies a [Tree] of tokens that may follow it. Its keys and values
// are written where Draft says; Keep moves those of one path to the end of the text
// and drops the others.
//
// # Chunks that are missing
//
// A chunk may be dropped, or the tokens of a text be all that is left of it (Resume).
// Its tokens are known then and its keys and values are not in memory: Missing. A
// decoder brings them back, by reading them to where Place says and by computing them
// again, and appends to nothing before all of them are there.
//
// [PlanRestore] chooses which to read and which to compute meanwhile, from a [Profile]
// of what both take. A [Meter] keeps that, by least squares over the work that is done
// anyway. It is the linear programme of LLMS solved for whole chunks, with two things
// that this leaves out: tokens cost more to compute the further back they look, and
// neither half can begin and end with the other, since layers are read in [Groups].
// [PlanPrefix] says how much of a text to bring back that others have the beginning of.
//
// [Queue] is the order in which chunks leave memory: the least recently used first. LLMS
// has those of the most bits leave first (LCTRU). Then every conversation loses its chunks
// of 8 bits, the one that is called next as well. What they take to come back is no less
// for that: a byte takes as long to read at any level, and behind lowered chunks nothing is
// computed that can be read. Over 16 traces of 40 calls of 8 conversations, with the
// chunks of SmolLM2-135M at a ratio of 0.5 and a disk of 500 MB/s, LCTRU waits this many
// times as long as LRU (counted, not timed, at commit 22b457e by dowse bench
// contexts --evict):
//
//	memory, of the working set   random   markov   gaussian
//	12%                            1.01     1.55       1.07
//	25%                            1.02     1.60       1.06
//	50%                             .98      .92       1.81
//
// With 50% all orders bring back next to nothing, .1 to .3 ms a switch, and with 75%
// nothing. The order by the fewest expected seconds a byte, where the chance of a call is
// learnt from how recently those before were called, waits .83 to 1.16 times as long as LRU,
// 1.00 to 1.03 where there is anything to wait for; at 12 conversations up to 1.10. Who
// knew which conversation is called last would wait half as long.
//
// # Levels
//
// The numbers of a sealed chunk take 8 bits, 4 or 2. Lower brings a chunk to fewer, from
// what it has; more it gets only by being computed again. Attention reads all of them as
// they lie. [LowerPlan] chooses levels, for a given mean of the bytes that chunks really
// take: what a level costs in accuracy ([Errors]) counts by how much attention a chunk
// receives, its Density, which is kept account of once TrackDensity asks for it. The
// last [Residual] chunks stay at 8 bits.
//
// Of five articles of SQuAD, 256 tokens each were predicted behind 3,743 others by
// SmolLM2-135M. Their perplexity was 0.7% above that of 8 bits where the past had half the
// bytes (from 1.3% below to 3.0% above), 0.3% below it at 0.58 of them, 0.2% below with 4
// bits for all, which takes as many, and 19% above with 2 bits for all (go test
// ./engine/transformer -run LoweredPasts).
//
// Of answers perplexity says little, so SmolLM2-135M was asked 160 questions of SQuAD in 20
// conversations of 2,500 tokens, 120 of them about passages of earlier turns. The words of
// right answers were in what it wrote with an F1 of .101 behind 8 bits, .099 behind half the
// bytes, .097 and .102 behind those of 4 bits, mixed and for all, and .077 behind 2 bits for
// all; of questions about earlier turns .091, .091, .090, .095 and .062. The model is small,
// and the 95% intervals of the differences reach some .02 to either side, those of 2 bits
// from -.055 to +.006: half the bytes are not told from 8 bits, nor from 4 bits for all. To
// 2 bits by way of 4 it was .081 instead of .077, with half the bytes .108 instead of .099,
// which is not told apart either (go test ./engine/answer/local -run BehindLoweredTurns).
//
// LLMS maximises something else, which is kept as [Paper]: it ends at an extreme of its
// one free variable, and rewards dense chunks of few bits. With half the bytes it gave
// nearly the same levels, and 0.2%; five texts do not tell them apart.
//
// # Memory
//
// Keys and values lie in chunks of Shape.ChunkTokens tokens each, all layers of a
// chunk in one buffer. The length of a chunk has nothing to do with how many rows a
// kernel computes at a time: Spans cuts any stretch of tokens at the ends of chunks.
// Truncate gives back the chunks that no token needs any more. All of it is charged
// to [Pool].
//
// # Invariants
//
//   - Keys and values are bytes with a scale for each token and head (see [Rows]), and
//     are that before anybody attends to them, the token itself too. Whole chunks may
//     be lowered later; then those who come later attend to what is left.
//   - Spans of a stretch follow each other in the order of its tokens, so that
//     attention gives the same bits whatever the length of a chunk.
//   - The tokens of a Cache are those that Extend and Keep added, less those that
//     Truncate cut; whatever changes them drops the tree.
//   - Densities are sums of integers, the same however tokens are spread over calls and
//     workers.
//
// # Caveats
//
// A Cache is for one goroutine at a time. Spans and Draft are views of memory that
// Truncate, Keep and Free may give back.
package kv
