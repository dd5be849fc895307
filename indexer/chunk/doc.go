// Package chunk divides a text into the passages that are embedded, indexed and
// shown.
//
// # Basics
//
// Split returns byte ranges that follow each other without a gap, each small
// enough for the embedding model together with the headings above it:
//
//	for _, c := range chunk.Split(doc, chunk.Options{Count: tokenizer.Count}) {
//		vector := embed(chunk.EmbedText(doc, c))
//	}
//
// # How a text is divided
//
// Into atoms first: a line, or a sentence where a line is long, or some words
// where a sentence is, each with the blank lines behind it. Every place between
// two atoms has a penalty for cutting there: none before a heading, little
// between paragraphs, more between the items of a list, much inside of a
// paragraph and more inside of a code block.
//
// Markdown and HTML form a tree of sections by their headings, code a flat list
// of top-level units: a declaration with the comment above it. A section that
// fits stays whole, with everything below it. One that does not is divided into
// what stands before its first sub-heading and its sub-sections, and what still
// does not fit is cut where penalties and sizes are best. Neighbours that are
// too small to stand alone are put together again.
//
// A log is cut where its document says (package logs), into chunks that are larger than a model reads: they are looked for
// by words, and not embedded.
//
// # Invariants
//
//   - The first chunk begins at 0, each begins where the last one ended, and the
//     last ends with the text.
//   - No chunk begins inside of a UTF-8 sequence.
//   - The same text, kind and options give the same chunks.
//   - A chunk and its context have at most MaxTokens tokens, unless it is of a log, or a single run
//     without white space has more by itself.
//   - Time is linear in the text, and so is what Count is called on.
//
// # Locality
//
// Sections are divided one by one, so that an edit in one leaves the chunks of
// others alone. Where no structure helps, places with equal penalties are told
// apart by a hash of what follows them: two versions of a text come to cut at
// the same place again soon after an edit, as in content-defined chunking.
//
// # Caveats
//
// Count is called on pieces of the text and the results are added up, which is
// exact for tokenizers that split at white space first, and an upper bound in
// practice for others.
package chunk

// Version names the algorithm. It changes whenever the same text may be divided
// otherwise, and with it every index has to be built again.
const Version = "chunk-1"
