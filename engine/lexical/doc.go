// Package lexical ranks chunks of text by the words they share with a query: BM25 over compact
// postings in a key-value store.
//
// # Flow
//
// An Analyzer turns text into terms, the same way for documents and queries. A Builder writes the
// terms of a batch of chunks as one immutable segment; MergeDue merges segments as they pile up,
// MergeAll after a long run of batches. A Collection, made once per state of the store, and a
// Joint of one or several answer queries:
//
//	b := lexical.NewBuilder()
//	b.Add(chunk, analyzer.Document(nil, text, name))
//	_, err := b.Write(postings)
//
//	c, err := lexical.NewCollection(postings, live)
//	j := lexical.NewJoint(lexical.Part{Collection: c, Reader: postings})
//	languages, err := j.Languages(ctx)
//	result, err := j.Search(ctx, analyzer.QueryIn("fix dns", languages), 10, []*lexical.Set{nil})
//
// A chunk is analysed in its own language (detect.go). A query, too short to tell its language, is
// analysed in each language of the index: a word then has several terms, each for chunks of its
// language, and counts once. Words are folded (package fold); short compounds are also one term
// (compound.go); jumbles are cut (jumble.go); a chunk with the query's spelling counts 5% more. A
// word in no chunk is replaced by a term spelt like it, at less weight (guess.go).
//
// # Invariants
//
//   - Scores depend on the live chunks alone, to the last bit, not on how they were added,
//     deleted or merged.
//   - A chunk is in at most one segment. Deleted chunks stay in postings until a merge drops them;
//     their ids must not be reused while Held names them.
//   - Equal scores rank by chunk id.
//
// # Format
//
// A segment is a header and blocks of terms. Chunks are named by their place in the segment.
// Numbers outside of codes are unsigned varints; codes are of a range coder whose chances are
// fixed for each context (model.go, prior.bin) or, of lengths and long lists, adaptive.
//
//	header:   version, terms, postings, bytes of its blocks; the ids as runs, each its size and
//	          the ids skipped before it, ended by 0; the coded length of each chunk
//	block:    bytes carried, terms, bytes of the code; a carried part of the long list before; the
//	          code; the long lists
//	code:     of each term but the first, which is the key: the bytes shared with the previous
//	          term and the characters that follow; of each term: its number of chunks; then place
//	          and count of one, gaps and counts of fewer than 256, or the bytes of its long list
//	long:     the chunks by binary interpolation, then the coded counts
//
// The key of a block is its first term, so a lookup reads one block, and those that its list
// continues in; the key of a block without a term is that term, a zero byte and a number. Two
// blocks fill a page of the store.
//
// # Caveats
//
// Of some sixty characters Detect tells the language in half of all cases, of 150 in 95 to 99 of
// 100 (Polish 86, Finnish 72). Ukrainian and Vietnamese have no stemmer; other Cyrillic counts as
// Russian. Chinese, Japanese, Thai and others are indexed by pairs of characters.
package lexical
