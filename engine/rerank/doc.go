// Package rerank decides, layer by layer, which candidates a cross-encoder has to go on computing.
// All candidates of a query advance together; those that are certainly among the best K, or
// certainly not, leave early (GRATING: monolithic forwarding with progressive cluster pruning).
// The package holds no model: it drives one through Forward, or replays recorded scores.
//
// # Flow
//
//	opts := rerank.Exact(10)                      // the best 10, nothing pruned
//	opts.Guards = rerank.MeasuredGuards()
//	opts = calibration.Apply(opts)                // a measured threshold
//	result, err := rerank.Run(ctx, f, n, opts)
//	for _, c := range result.Top { ... }          // c.ID, c.Score, c.Fate
//
// After each layer the head gives every active candidate a margin. If their coefficient of
// variation exceeds Options.Tau, exact k-means clusters them. The cluster of the last result needed
// goes on; those below it are dropped; those above it go on in mode Order and are selected in mode
// Set. Guards hold back decisions on thin evidence; Options.Literal is the algorithm as published.
// With Options.Deadline a run ends before a layer that would be late.
//
// A Recorder around a full run keeps its margins as a Trace of a few kilobytes. Candidates are
// independent, so Replay finds from a trace what any threshold would have done. Calibrate replays
// the traces of similar queries (Key) at 61 thresholds and up to eight first layers, and takes the
// cheapest choice that agrees, with confidence, with the full pass. In mode Order it also tries to
// be sure of fewer results than K (Options.Sure): the others leave as soon as they cannot be among
// those. With fewer than MinTraces the threshold is +Inf, since dispersion alone does not tell when
// an order is settled.
//
// # Invariants
//
//   - Every candidate is in Result.Ranking once; the first min(n, K) are the answer. Candidates
//     are dropped only while more are left than have to be certain.
//   - The active candidates only become fewer, and never fewer than the results still needed.
//   - With Tau = +Inf every candidate goes through all layers, except that in mode Set n <= K
//     computes none.
//   - In mode Order every candidate of Top that has to be certain has its final score, unless the
//     run was cut. A Finished candidate's score depends on that candidate alone.
//   - With Sure, candidates are routed as if that many were wanted.
//   - Candidates with equal scores are routed alike; numbering decides only between equal scores.
//   - Replay decides as Run does, for all options but a deadline.
//   - Everything but time is deterministic; the bootstrap has a seed.
//
// # Caveats
//
//   - In mode Set scores come from different layers and do not compare. Blend with other scores in
//     mode Order, and only those of Finished candidates.
//   - The zero Tau prunes most. A threshold is valid only for its Key, mode and guards.
//   - Options.Deadline does not bound the first layer, and assumes candidates of similar length.
//   - Models of six to twelve layers offer few checks.
package rerank
