// Package rerank decides, layer by layer, which candidates a cross-encoder has
// to go on computing. All candidates of a query advance together; those that
// are certain to be among the best K, or certain not to be, leave early
// (GRATING: monolithic forwarding with progressive cluster pruning).
//
// The package holds no model. It drives one through Forward, and works as well
// on recorded scores.
//
// # Basics
//
// Run reranks. What it may do stands in Options:
//
//	opts := rerank.Exact(10)                      // the best 10, nothing pruned
//	opts.Guards = rerank.EncoderGuards(f.Layers())
//	opts = calibration.Apply(opts)                // a threshold that was measured
//	result, err := rerank.Run(ctx, f, n, opts)
//	for _, c := range result.Top { ... }          // c.ID, c.Score, c.Fate
//
// After each layer the head gives every active candidate a margin. If their
// coefficient of variation exceeds Options.Tau, exact k-means parts them into
// clusters. The cluster with the last result that is needed goes on; in mode
// Order those above it do too, in mode Set they are selected and leave; those below are dropped. Guards hold decisions back that rest on
// thin evidence; Options.Literal is the algorithm as published.
//
// Result.Layers, or Options.Observe as it happens, tells what each layer did:
// a map of layers and candidates to draw. With Options.Deadline a run ends
// before a layer that would be late, with the best ranking known.
//
// # Calibration
//
// The threshold is measured, not guessed. A Recorder around a full run keeps
// its margins as a Trace, a few kilobytes that can be stored. Candidates do
// not act on each other, so that Replay finds from a trace alone what any
// threshold would have done. Calibrate replays the traces of queries that are
// alike (see Key) at 61 thresholds and up to eight layers to begin at, and
// takes the cheapest choice that agrees, with confidence, with the full pass on
// the best K. In mode Order it also tries to be sure of fewer of them than K,
// down to the first (Options.Sure): the others then leave as soon as they cannot
// be that one, and are ranked by what was known. Agreement weighs a place by how
// often what is there was looked for, so that this costs little. Measure tells
// what other options would do to the same traces. Dispersion alone does not
// tell when an order is settled: a model may be sure of nothing and yet
// settled, or sure of one candidate and undecided on the rest. Until there are
// MinTraces the threshold is +Inf: not calibrated means exact.
//
// # Invariants
//
//   - Every candidate is in Result.Ranking once; the first min(n, K) are the
//     answer. Candidates are dropped only while more of them are left than have
//     to be certain: Sure, or all K.
//   - The active candidates only become fewer, and are never fewer than the
//     results still needed.
//   - With Tau = +Inf every candidate goes through all layers. In mode Set,
//     n <= K computes no layer, at any threshold.
//   - In mode Order every candidate of Top that has to be certain has its final
//     score, unless the run was cut. That of a Finished candidate depends on the
//     candidate alone: not on how many others there are, how many are wanted, or
//     when others left.
//   - To be sure of some results routes candidates as if these alone were wanted.
//   - Candidates with equal scores are routed alike, and how candidates are
//     numbered matters only between equal scores: the lower number first.
//   - Replay takes the decisions of Run, for all options but a deadline.
//   - Everything but time is deterministic; the bootstrap has a seed.
//
// # Caveats
//
//   - In mode Set scores come from different layers and do not compare. To
//     blend them with scores of another kind use mode Order, and of its
//     result only who Finished: losers have the scores of the layer they left at.
//   - The zero Tau is the most aggressive threshold. A threshold is worth
//     something only for the Key that it was calibrated for, and for the mode
//     and the guards.
//   - Options.Deadline bounds no single layer: the first begins with nothing
//     measured, and the estimate takes candidates to be of like length.
//   - Models of six to twelve layers offer few checks; expect little.
//   - Memory is proportional to candidates times layers, for the reports.
package rerank
