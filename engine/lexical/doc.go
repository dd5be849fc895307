// Package lexical ranks chunks of text by the words they share with a query:
// BM25 over compact postings that live in a key-value store.
//
// # Basics
//
// An Analyzer turns text into terms, the same way for documents and queries.
// A Builder collects the terms of a batch of chunks and writes them as one
// immutable segment. A Collection, made once per state of the store, answers
// queries over all segments; Maintain merges segments as they pile up.
//
//	b := lexical.NewBuilder()
//	b.Add(chunk, analyzer.Append(nil, text))
//	_, err := b.Write(postings)
//
//	c, err := lexical.NewCollection(postings, live)
//	result, err := c.Search(ctx, postings, analyzer.Query("fix dns"), 10, nil)
//
// # Invariants
//
//   - The ranking depends on the live chunks alone, never on how they came
//     in: counts and lengths are of live chunks, so deleting, merging and
//     rebuilding give the same scores to the last bit.
//   - A chunk is in at most one segment. Deleted chunks stay in postings,
//     skipped by the set of live ones, until a merge leaves them out.
//   - Equal scores rank by chunk id.
//
// # Format
//
// A segment is a header and blocks of terms. Numbers are unsigned varints.
//
//	header:  version, terms, postings, bytes of its blocks, chunks,
//	         then of each chunk: id minus the id before minus 1, length
//	block:   terms, bytes of the dictionary, dictionary, postings
//	entry:   of each term: a byte of two lengths, the bytes shared with the
//	         term before and those that follow (15 means 15 and as many more
//	         as the next number says), those bytes; of the first term none of
//	         this, it is the key. Then the chunks that hold it and, of
//	         several, the bytes of its postings, of one, chunk << 1 | 1 when
//	         it occurs once, else chunk << 1 and the occurrences minus 2
//	posting: in bits: the Rice code of the gap to the chunk before, the
//	         Elias gamma code of the occurrences; 5 bits before the first
//	         give the Rice parameter
//
// Ids in the postings are relative to the first chunk of the segment. The
// key of a block is its first term, so a lookup reads one block.
//
// # Caveats
//
// Words are stemmed as English. Text without spaces between words (Chinese,
// Japanese, Thai and others) is indexed by pairs of characters, so a single
// such character finds only texts where it stands alone.
package lexical
