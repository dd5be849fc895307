// Package scores lets a server put passages in order: one with the rerank call of Jina
// and Cohere, as llama.cpp and vLLM have it, or that of text-embeddings-inference.
//
// A Reranker is an engine.Reranker. Scores of a server are blended with those that the
// passages come with as those of a local model that nobody calibrated: they tell the order,
// and neither which passages are on the topic nor how sure an answer is. Probabilities are
// taken for what they are made of, logits. Where the server fails, or takes longer than
// Options.Time, the local reranker takes over, and the result says so; for a while the server
// is then not asked.
package scores
