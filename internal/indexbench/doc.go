// Package indexbench compares vector indexes over real text, all in memory and
// in one run, so that every ratio is measured under the same conditions.
//
// # Basics
//
// Run reads a Corpus, embeds its passages (once: Cache keeps the vectors by
// the hash of their text), takes Queries from it, finds their three nearest
// passages by exact scan, and measures how others find them again:
//
//   - vectors stored: the flat scan, and HNSW;
//   - vectors recomputed: the lists of an InvertedFile (Edge-RAG), the best of
//     all product-quantized codes, as dowse does it, and LEANN's walks over a
//     pruned graph: best-first (Algorithm 1), two-level (Algorithm 2), with
//     batches, and with the vectors of hubs kept;
//   - nothing recomputed: a ranking by codes alone.
//
// A Setting is a choice of a method's parameters, an Outcome what it came to
// over all queries. A sweep walks a grid of settings and keeps the cheapest
// that reaches a recall, the one that asks for the fewest vectors; nothing is
// interpolated. Two more tables compare ways to halve the links of a graph,
// and say how the work grows from a part of the passages to all.
//
// # Invariants
//
//   - The same folders, model and options give the same passages, queries,
//     graphs, recalls and counts. Times differ.
//   - Every vector that a search asks for is counted, by the Exact that it is
//     given, not by the search itself.
//   - Passages with the same text are one.
//
// # Caveats
//
// No passage is embedded during a search. Its cost is estimated: each call for
// n vectors that are not kept takes what the model took, in this run, for as
// many at a time (MeasureCost). Times of a method without embedding are
// measured one query at a time; they depend on what else the machine does.
//
// Bytes are those of the index alone; what tells where a passage lies in its
// file is the same for every method and not counted.
//
// The choice of queries favours no method, but most are sentences of indexed
// passages, which are easier to find than questions.
package indexbench
