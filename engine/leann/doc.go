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
// Adopt gives a chunk the code of another one of the same text, as a copied file
// has them; a chunk that keeps its id keeps its code. Vacuum drops the codes of
// chunks that are gone, Held tells which ids codes and graph name, Check verifies. A Memo keeps
// what was recomputed last, by the text that it is of. Flat is the
// exact scan over stored vectors: the slow obvious twin.
//
// The codes are product-quantized (codebook): cut into parts, 16 centroids a
// part, chosen so that errors lie across the vector rather than along it. A
// large index rotates vectors first (trainRotated).
//
// # How codes follow an index that grows
//
// A codebook says for how many chunks it was trained. An index has outgrown one when it has
// more than 4 times as many, or when it has 65,536 and the codebook has no rotation. Then a
// Recoder makes codes anew, from vectors that it recomputes: of 8,192 chunks, evenly, to
// train a codebook, unless there is one that is not outgrown; then of one block of 4,096
// after the other. New codes lie beside the old ones (NextRuns) with a stamp of the block
// that they were made of, and are of use as long as that block stays as it was. When all
// blocks have some, estimates are measured, and all are put in the place of the old ones at
// once: with half of the codes replaced, a search found less than with the old ones alone
// (.66 instead of .78 of the five nearest, and .96 when all were).
//
//	c, err := index.NewRecoder(ctx, reader, live, codeBytes)
//	for c.Due() { err = c.Read(ctx, reader, live); err = c.Compute(ctx, exact); err = c.Write(ctx, writer) }
//
// Where more than an eighth of a block's text cannot be read, the old codes stay until it
// can. Of 6,100 synthetic vectors in clusters, whose codebook was trained on 1,500 much
// alike, with codes of 6 bytes, a search found .84 of the five nearest by 92 recomputed
// vectors before, and .97 by 63 afterwards.
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
// it ends the search. Margin is the least with which searches for probes find enough: one
// for scans and, where there is a graph, one for walks (Measured.Margin), which find the
// best sooner and so have to go on less.
// Query.Bonus has it judge a fused ranking: the wanted are those that rank first there.
//
// lab bench index, codes of 20 bytes without rotation, 300 queries; recall@3 / vectors
// recomputed, of the cheapest setting that reaches .90 and .95. Without the division of
// estimates by their squared length a fixed number had to be 80 and 160, 95 and 225:
//
//	                              10,000 passages           18,000
//	a fixed number                .913 /  68  .957 / 115    .907 / 80  .952 / 160
//	the rule, Wanted 3            .901 /  48  .953 /  87    .908 / 65  .954 / 122
//	the rule and links            .904 /  38  .953 /  64    .912 / 48  .956 /  72
//	as it is set, Wanted 5                    .949 /  70               .946 /  78
//
// # The graph
//
// From MinChunks on an index has a graph as well, after HNSW (Malkov and Yashunin) and
// LEANN: each chunk owns links to the few that HNSW's heuristic finds nearest and most
// diverse. A link leads both ways and is stored once, with its owner. So a new chunk
// changes no block but its own, and one that many choose keeps all these links, however
// few it owns: the hubs that LEANN's Algorithm 3 keeps. What a chunk owns follows from
// the bytes wanted, DefaultLinkBytes. Levels above thin out by 32; which chunk reaches
// how high follows from its number.
//
// A Linker builds it while the index is idle, a step at a time; what the next step does
// follows from what is stored, so that a build that was killed goes on to the same bytes.
// It links chunks by their vectors, before Quantize drops these: a link says what no code
// does. To chunks that have codes only it links by what the codes stand for; nothing is
// recomputed. In a first build all choose a second time, among all. Dead chunks lead on
// as tombstones; from a fifth of a block on they are removed and their neighbours choose
// others, and whatever cannot be reached then gets a link.
//
//	l, err := index.NewLinker(ctx, reader, leann.LinkOptions{Live: live})
//	for l.Due() { err = l.Step(ctx, reader); err = l.Write(writer) }
//
// A search that is given a Walk recomputes in another order. A scan of codes is a walk
// whose first queue holds everything; up to UsualScan it takes no longer than
// recomputing a vector does, beyond that links lead from the upper levels to the best estimates. The
// second queue is of exact scores (Algorithm 2): a chunk that is linked to one that
// turned out well moves up, by a share of the difference, Walk.Pull. Quantize measures
// that share, and whether it pays, on the person's own text.
//
// Vectors recomputed for a recall@3 of .90 / .95, each with its best pull, over 18,432
// real passages of notes, documentation, code and articles in a random order, for 375
// questions that people asked (most about other passages, so that the best are far),
// codebooks without rotation:
//
//	bytes of code  scan       links of 5  of 10     of 20
//	20             137 / 254  113 / 248   78 / 189  77 / 162
//	25              61 / 157   46 / 104   45 / 106  39 / 83
//	30              39 / 75    34 / 61
//	40              18 / 32    18 / 29
//
// Over 10,000 of them the rows begin with 140 / 265, 119 / 215; 64 / 131, 53 / 116; 33 / 66,
// 29 / 60. So links of 5 bytes spare a sixth to a quarter of the vectors, and 5 bytes more
// of code a half or more; beside codes of 40 bytes they spare nothing. Codes come first.
// 5 bytes are 2.5 links that a node owns, 10 are 5.7: each is left in both directions.
//
// As an index grows: passages of Debian's documentation, of Python's library and of Go's
// source, 572 bytes in the mean, rotated codes of 20 bytes at 100,000 and plain ones of 21 at
// 10,000, links of 5, 300 queries; vectors recomputed for a recall@3 of .90 / .95, and bytes
// a passage, measured once beside LEANN's own searches (commit 22b457e,
// dowse bench index DIR... --rivals --chunks N):
//
//	                              bytes      10,000           100,000
//	a fixed number of codes       22         57 /    95          80 /    135
//	the rule                      22         36 /    67          54 /    103
//	the rule and links            25         32 /    49          46 /     69
//	as it is set, Wanted 5        25    .966 by  73      .940 by 68
//	codes of 25 bytes, fixed      27         30 /    51          35 /     60
//	codes of 40 bytes, fixed      42         10 /    17          12 /     19
//	LEANN's two levels            36         50 /    93         141 /    371
//	best first, a = 1             14        412 /   629       1,153 /  2,287
//	inverted file                 16, 6   1,580 / 3,025      11,208 / 19,923
//
// So rule and links together need .58 and .51 of what a fixed number needs, and LEANN's
// own search 3 and 5 times as much with more bytes. Hubs are no cache: the 10% of most
// links hold 18% of what a search asks for, so that no vectors of theirs are kept.
//
// # Invariants
//
//   - A score in Found.Hits is exact, to the bit that of the stored vector.
//     With Recompute at the number of allowed chunks a search equals Flat.
//   - A live chunk has a code or a stored vector, never both.
//   - Lists of links are ascending, without their owner; links lead to nodes, no two join
//     the same ones, and from the entry they lead to every node on each of its levels.
//     Nodes are chunks that were given, live or gone.
//   - A chunk whose text is not the indexed one is never in Hits.
//   - An id that Held names must not be given to another chunk.
//   - The same vectors in the same order give the same bytes. Equal scores
//     rank by chunk id.
//
// # Format
//
//	Books     number -> version, chunks that it was trained for, dimension, parts, of each part the size of a
//	          step and its centroids as signed bytes; a rotation or none
//	NextRuns  id/4096 -> a stamp of the block of CodeRuns that it is to take the place of,
//	          and a block as CodeRuns has them
//	CodeRuns  id/4096 -> version, codebook, bitmap of the ids that have a
//	          code, the codes by ascending id
//	Links     id/4096 -> version, bitmap of the ids that are nodes, of each the
//	          links that it owns as gaps on both sides, range coded
//	UpperLinks  level, id/2^17 -> the same for the ids that reach the level;
//	          0 -> the head: version, a hash of what was built, numbers of nodes,
//	          links and hubs, the chunk that chooses next
//
// # Caveats
//
// Vectors have unit length, so the inner product is the cosine. Codebooks are
// compared through their estimates, and each errs in its own way: one for all
// kinds of text finds more than one for each. That is why Quantize waits for
// many fresh chunks where an index is new.
package leann
