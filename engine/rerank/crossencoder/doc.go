// Package crossencoder reranks passages with a cross-encoder of this machine,
// pruned layer by layer (package rerank).
//
// A Reranker adds to the score of each layer what a passage's score before was
// worth, so that who is dropped is decided by the sum that ranks in the end. A
// model that was calibrated says too which passages are on the topic: by its own
// score, without the prior.
//
// Reranking prunes as the thresholds say that come with the model (models.Pruning),
// and from fifty traces on as this person's own queries allow. Tuning keeps traces
// and thresholds in a folder, for each rerank.Key. An IdleTracer computes some
// rerankings in full when nobody has searched for three seconds, and gives them up
// as soon as somebody does.
//
// How many candidates a search reads follows from how long they take (Depth): the
// median of the last eight passes, kept in a file for each model, instruction set and
// budget, says what a candidate takes through all layers, and of 12, 20 and 40 the
// most are read that Options.Time is enough for. It takes a quarter more or less than
// that to change the number, so that equal queries go on giving equal results.
//
// # What was measured
//
// The model that comes along is MiniLM's six layers as a cross-encoder. It learned most
// from two larger bi-encoders, whose similarities it was taught: answers alone gave +.002
// nDCG@10 in the mean of seven judged collections after 85 minutes, with teachers +.009
// after 59 more. Lists of questions about notes then took MRR over files of held-out
// notes from .866 to .909 (hybrid .861), and gave back a half to two thirds of what
// manuals and source code had gained. Thirty layers, an adapter of 8 MB on SmolLM2-135M,
// give +.015 for ten times the time.
//
// Pruning needs scores that tell early. By the third of six layers two candidates in
// different clusters stand in their final order 99.8% of the time (lab bench rerank, 20
// candidates, the weights before they learned from notes). At an agreement of .999 with
// the full pass a search that wants the best 1, 5 or 10 is spared 46, 15 and 6% of the
// layers. But the tenth result is seldom what was looked for, so thresholds are chosen by
// nDCG: sure of the first result alone, they spare 43% whether one, five or ten are
// wanted, and the nDCG of the best ten of 410 questions that nothing was trained on stays
// .801. Of other cross-encoders nothing is pruned until there are traces.
package crossencoder
