// Package engine is the vocabulary of a search: requests, passages, answers,
// events and statistics, and the interfaces between those who search and those
// who are asked. It does no input or output, and imports nothing of dowse.
//
// Front ends and the socket between processes know this package alone. Package
// engine/search does the work.
//
// A query line is read by Parse, and by TypingAt while it is typed; a RelatedRequest names a passage instead. Searcher is the face that every front end sees;
// Service adds what changes the index. Embedder, Texts, Reranker and Answerer are
// what a search is made of.
//
// Text and paths in results come from files and may hold anything; front ends
// make them safe for a terminal.
package engine
