// Package leann is a vector index that stores no vectors, after LEANN (Wang et al., 2025): a
// search recomputes the few that it needs from the text.
//
// # Flow
//
// Blocks and vectors lie in a store (Reader, Writer). The vectors of new chunks are stored and
// compared exactly. Quantize replaces them by product-quantized codes of some 20 bytes; a large
// index rotates vectors first (rotation.go). A search scores all codes, recomputes the most
// promising vectors through an Exact, and stops once the Wanted best are found (stop.go):
//
//	done, err := index.Quantize(ctx, writer, leann.QuantizeOptions{CodeBytes: 20, Queries: probes})
//	found, err := index.Search(ctx, reader, exact, leann.Query{
//		Vector: v, Depth: 100, Batch: leann.RecomputeBatch,
//		Recompute: leann.MaxRecompute, Wanted: leann.Wanted, Errors: done.Errors,
//	})
//
// Scan and Recompute are the halves of Search; only Scan reads the index. Prepare, Encode and
// Put are the steps of Quantize; only Put writes.
//
//	l, err := index.NewLinker(ctx, reader, leann.LinkOptions{Live: live})
//	for l.Due() { err = l.Step(ctx, reader); err = l.Write(writer) }
//
// A Linker keeps a graph of MinChunks chunks or more while the index is idle: HNSW (Malkov and
// Yashunin) with levels that thin out by 32, in which a node owns few links and hubs keep those
// that others chose, as in LEANN's Algorithm 3. A search with a Walk orders its candidates by
// links to good ones; beyond usualScan chunks it also finds them by links (walk.go).
//
//	c, err := index.NewRecoder(ctx, reader, live, codeBytes)
//	for c.Due() { err = c.Read(ctx, reader, live); err = c.Compute(ctx, exact); err = c.Write(ctx, writer) }
//
// A Recoder gives an index that has outgrown its codebooks new codes (recoder.go). Adopt
// copies codes to chunks of the same text, Vacuum drops dead codes, Held tells which ids are
// in use, Check and Repair handle damage. Flat, the exact scan over stored vectors, is the
// slow obvious twin.
//
// # Invariants
//
//   - A score in Found.Hits is exact, to the bit that of the stored vector. With Recompute at
//     the number of allowed chunks and Wanted 0 a search equals Flat.
//   - A live chunk has a code or a stored vector, never both.
//   - Lists of links are ascending and without their owner; links lead to nodes, at most one
//     joins two nodes, and every node is reachable from the entry on each of its levels.
//   - A chunk whose text has changed is never in Hits.
//   - An id that Held names must not be given to another chunk.
//   - The same vectors in the same order give the same bytes. Equal scores rank by chunk id.
//   - Vectors have unit length, so the inner product is the cosine.
//
// # Format
//
//	Books       number -> version, chunks trained for, dimension, parts, of each part a step and
//	            its centroids as signed bytes; a rotation or none
//	CodeRuns    id/4096 -> version, codebook, bitmap of the ids with a code, codes by id
//	NextRuns    id/4096 -> a stamp of the block of CodeRuns that it replaces, a block like it
//	Links       id/4096 -> version, bitmap of nodes, the links that each owns, as range-coded gaps
//	UpperLinks  level, id/2^17 -> the same for the ids of the level;
//	            0 -> version, hash, numbers of nodes, links and hubs, the chunk that chooses next
package leann
