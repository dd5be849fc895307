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
package crossencoder
