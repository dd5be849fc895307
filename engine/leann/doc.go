// Package leann is a vector index that stores no vectors, after LEANN (Wang
// et al., 2025): a search recomputes the few it needs from the text.
//
// # Basics
//
// An Index works on blocks and vectors that a store keeps (Reader, Writer).
// New chunks are fresh: their vectors are stored and compared exactly. Quantize
// gives them codes of some 20 bytes instead, and from then on a search
// estimates the score of every chunk by its code and recomputes the vectors of the most
// promising ones through an Exact, until the Wanted best are found or Recompute are:
//
//	done, err := index.Quantize(ctx, writer, leann.QuantizeOptions{CodeBytes: 20, Queries: probes})
//	found, err := index.Search(ctx, reader, exact, leann.Query{
//		Vector: v, Depth: 100, Batch: leann.RecomputeBatch,
//		Recompute: leann.MaxRecompute, Wanted: leann.Wanted, Errors: done.Errors,
//	})
//
// Prepare, Encode and Put are Quantize in steps, of which only the last one writes: an
// index is trained and coded while no transaction writes, and a run that was
// ended goes on where it was.
//
// Scan and Recompute are the halves of Search: the first one reads the stored
// index, the second one does not need it any more.
//
// Adopt lets a chunk of an edited file keep the code of the same text, Vacuum
// drops the codes of chunks that are gone, Check verifies. A Memo keeps what
// was recomputed last. Flat is the exact scan over stored vectors: the slow
// obvious twin.
//
// The codes are product-quantized (codebook): cut into parts, 16 centroids a
// part, chosen so that errors lie across the vector rather than along it. A
// large index rotates vectors first (trainRotated).
//
// # When a search ends
//
// Exact scores lie about a line over estimates, and their errors are nearly normal. An
// ErrorModel holds that line and the deviation from it, measured on the index while its
// vectors are there. The errors of one query have a mean and a deviation of their own, so
// each recomputed vector moves both, from the model's (a posterior mean with the weight of
// priorScores). A search recomputes the most promising chunk first, and ends when the last
// of the wanted is ahead of what is expected of the next by Margin deviations: then the
// next one is among the wanted with a probability of 2% at a margin of 2, and each one
// after it with less. RaBitQ (Gao and Long, 2024) passes over vectors by such a bound; here
// it ends the search. Margin is the least with which searches for probes find enough.
// Query.Bonus has it judge a fused ranking: the wanted are those that rank first there.
//
// dowse bench index over 10,000 passages, with codes of 20 bytes and 300 queries, found a
// recall@3 of .917 by 80 vectors for each by inner products with decoded vectors, .913 by
// 68 since these are divided by their squared length, and .914 by 54 with the rule and
// Wanted at 3; .959 by 160, .957 by 115 and .953 by 87. Over 18,000 it was .904 by 95, .907
// by 80 and .919 by 74. As it is set, with Wanted at 5, it was .924 by 68, and .901 by 73.
//
// # The graph
//
// LEANN's own index is a graph: HNSW with the diversity heuristic, pruned so that hubs
// keep their links (Algorithm 3), searched best first with recomputed vectors
// (Algorithm 1) or by two queues, of estimates and of exact scores (Algorithm 2). A
// scan of codes is a walk whose first queue holds everything. Up to a million chunks
// it costs less than recomputing three vectors, and the bytes of links find more when
// they lengthen codes: so Index keeps no graph. The graph and both its searches stand
// in the tests (hnsw_*_test.go), where TestRivals compares them with Index.
//
// Within 5% of the text a chunk of 526 bytes has 26 bytes, of which its place in the file
// takes 5. On 60,000 real passages 24 bytes of code alone need 41 recomputed vectors for a
// recall@3 of .90; 16 bytes of code and 5 links (8 bytes) need more than 120. On 100,000,
// IVF recomputes 10,707 vectors, best-first search of the hub-pruned graph 738, two-level
// search 214, and an Index 68 with 22 bytes a chunk in all; two-level search that begins
// with a scan of codes needs 63, with 21 bytes more for its 27 links. In that run the Index
// alone had a rotated codebook. Hubs are no cache either: the 10% of most links hold 18% of
// what a search asks for.
//
// # Invariants
//
//   - A score in Found.Hits is exact, to the bit that of the stored vector.
//     With Recompute at the number of allowed chunks a search equals Flat.
//   - A live chunk has a code or a stored vector, never both.
//   - A chunk whose text is not the indexed one is never in Hits.
//   - The same vectors in the same order give the same bytes. Equal scores
//     rank by chunk id.
//
// # Format
//
//	Books     number -> version, dimension, parts, of each part the size of a
//	          step and its centroids as signed bytes; a rotation or none
//	CodeRuns  id/4096 -> version, codebook, bitmap of the ids that have a
//	          code, the codes by ascending id
//
// # Caveats
//
// Vectors have unit length, so the inner product is the cosine. Codebooks are
// compared through their estimates, and each errs in its own way: one for all
// kinds of text finds more than one for each. That is why Quantize waits for
// many fresh chunks where an index is new.
package leann
