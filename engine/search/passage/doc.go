// Package passage reads the text of chunks again, from their files: an index holds none.
//
// A Commit is what a search knows of one commit, copied in a transaction that has ended, so that
// none is open while files are read. Its Reader gives the text of a chunk (Text), compared by hash
// with what was indexed: one that changed is stale. A chunk with several entries is narrowed to
// those that pass the filters, a chunk of a log to a few lines (narrow.go, lines.go). A Highlighter
// finds what was asked for in it; Describe has a passage tell what its document or its entries say
// of themselves; a Folding fills a page and folds what repeats a better passage (package repeats).
//
// Text and paths come from files and may hold anything; front ends make them safe for a terminal.
package passage
