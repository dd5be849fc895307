// Package crossencoder reranks passages with a cross-encoder of this machine, pruned layer by
// layer (package rerank).
//
// A Reranker adds a passage's prior score to that of each layer, so pruning decides by the final
// sum. A calibrated model also says which passages are on the topic, by its own score alone.
//
// Pruning follows the thresholds that come with the model (models.Pruning), and from fifty traces
// on this person's own queries. Tuning keeps traces and thresholds in a folder, for each
// rerank.Key. An IdleTracer computes some rerankings in full when nobody has searched for three
// seconds, and stops for the next search. Other models are not pruned until there are traces.
//
// Depth, the number of candidates that a search reads, is the greatest of 12, 20 and 40 that fits
// Options.Time, by the median of the last eight passes, kept in a file for each model, instruction
// set and budget. It changes only when another one fits by a quarter, so equal queries keep giving
// equal results.
//
// Candidates far behind the first are not read (Near). Two or three that are left have a threshold of their own, which
// may drop them after the first layer, and so have four to seven, after the third.
//
// Pruning needs scores that tell early. In the bundled model, MiniLM's six layers, two candidates of
// different clusters are in final order 99.8% of the time by the third layer (20
// candidates). To agree on the best 1, 5 or 10 with .999 spares 46, 15 or 6% of the layers. The tenth
// result is seldom the wanted one, so thresholds are chosen by nDCG, sure of the first alone: they
// spare 43%, and nDCG@10 of 410 questions that nothing was trained on stays .801.
package crossencoder
