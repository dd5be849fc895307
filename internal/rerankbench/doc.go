// Package rerankbench measures reranking: what it takes in time and memory in
// every way that a cross-encoder can run, and what pruning saves at which
// agreement with the full pass. All ways run on the same kernels, over the same
// candidates, in one run.
//
// # Basics
//
// Run fills a Report:
//
//   - Execution: resident; every layer read when it is wanted (synchronous
//     offload); streamed with one layer read ahead; hidden states in a file as
//     well; and the streamed model pruned.
//   - Ablation: from candidates in batches through a resident model, one thing
//     after the other is added: pruning, for which all candidates advance
//     together; chunks; the window of two layers; the cache of embedding rows;
//     and, of a decoder, the prefix that candidates share, computed once.
//   - Pruning: for each number of candidates and of results, what the
//     calibrated threshold saves in layers and in time.
//   - Sweep and Layers: the curve of thresholds, and how far the scores after
//     each layer tell the final order.
//
// Candidates are the first by BM25 of the documents of judged collections. The
// full pass of each query is recorded once, with the most candidates; what
// fewer candidates, other thresholds and other numbers of results would do is
// replayed (see package rerank), because candidates do not act on each other.
// Queries at even places calibrate, those at odd ones are measured.
//
// The queries that are timed can be written to a file, for another program to be
// timed on the same tokens.
//
// A Shape is a model that nobody trained: WriteShape makes its weights up. It
// tells speed and memory of a model of that size. How its scores develop means
// nothing, so that nothing is pruned with it.
//
// # Invariants
//
//   - The same model, collections and options give the same candidates,
//     thresholds, agreements, layers and bytes. Times and stalls differ.
//   - Ways that are compared take turns, query by query: what else the machine
//     does hits all of them.
//   - Nothing is measured on a query that chose the threshold.
//
// # Caveats
//
// A decoder whose input is longer than 1024 tokens is given its start, unless
// Options.Tokens says otherwise. Of made-up candidates the shared prefix is as
// long as a prompt and a short query; a longer one saves more.
//
// A peak is the sum of the peaks of the ledger's pools, which need not fall
// together: it is never too low. What ONNX Runtime allocates for itself is in
// no pool. Of a resident model the ledger counts the whole mapped pack.
//
// A float32 model is not run: its peak is that of the resident run with four
// bytes for each weight instead.
//
// Layers are counted alike. The last one is computed for the first token alone
// after attention, so that a candidate that leaves before it saves less time
// than the count says.
//
// Of the two buffers of the window synchronous offload uses one at a time; the
// ledger counts both.
//
// Times are of a pass from token ids to the ranking; tokenizing is left out.
package rerankbench
