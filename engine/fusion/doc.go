// Package fusion merges what two retrievals found for one query, a list by
// words (BM25) and a list by meaning (cosine similarity of vectors), into one
// ranking.
//
// # Basics
//
// Adaptive is the default. It adds the scores of a document in the two lists,
// each on a scale of its own, with weights chosen for this query:
//
//	fused, weights := fusion.Adaptive(lexical, vector, fusion.Features{Terms: 4, Unknown: 1})
//
// RRF adds reciprocal ranks. It knows nothing of scores and serves as the
// reference that Adaptive is measured against.
//
// # Invariants
//
//   - The result holds each document of either list once, best first; equal
//     scores rank by id.
//   - The order of the input does not matter: Adaptive and RRF rank each list
//     themselves, by score, then id.
//   - With one list empty, the result is the other list in its order.
//   - A document that is at least as good as another in both lists never has
//     the lower fused score.
//
// # Caveats
//
//   - Scores must be finite and BM25 scores not negative. Of an id that occurs
//     more than once in a list the best score counts.
//   - Weights were fitted on lists of Depth documents with the cosines of
//     all-MiniLM-L6-v2. An embedding model whose cosines lie in a narrower
//     band gives its list less say than it deserves.
//   - Fused scores compare within one result only.
package fusion
