// Package store keeps the index: one bbolt file, index.db, with all indexed
// files, their chunks, vectors and the postings of the lexical index. It is the
// only package that imports bbolt, which it sees as the buckets of package kv
// (bolt.go); pages, the free list and vacuum concern the file. A pack may lie in
// PostgreSQL instead (serverpack.go), where its records are checked as they are read.
//
// Open gives a DB; View and Update run a function inside a transaction, Tx.
// Give an Update a batch of files, because each one costs two flushes of the
// disk. Views see the last finished Update and never wait for the writer; an
// Update that makes the file grow waits for running Views, so a View must wait
// for nothing but the store.
//
//	db, err := store.Open(path, store.Options{Fingerprint: fingerprint})
//	err = db.Update(func(tx *store.Tx) error { return tx.PutFile(&f, chunks) })
//	err = db.View(func(tx *store.Tx) error { return tx.Files(visit) })
//
// # Invariants
//
//   - A file id is one version of a file; no id is given twice.
//   - A chunk keeps its id, vector, code and postings as long as its text stays
//     (PutFileKeeping). The chunks of a file tile its text.
//   - An id that no chunk has is a tombstone until FreeChunks finds that no
//     posting or code names it; then it is given again (freelist.go). Equal
//     Updates give equal ids.
//   - Every value ends in a CRC-32C of it and its key, checked at every read.
//   - A crash loses the Update under way alone.
//   - A damaged file gives ErrCorrupt, never a crash: Open walks the tree of
//     pages and checks every record (0.5 ms for 1,900 notes), and faults or
//     panics inside bbolt become errors; only on the transaction's goroutine.
//   - A damaged record fails the transactions that read it. Repair removes such
//     records and names the files to index again; after ErrBroken, OpenOrReplace
//     and StartOver put in place an empty index of the same folders.
//   - One process writes, or several read; another gets ErrLocked.
//   - Slices given to a callback are valid inside it.
//
// # Layout
//
// Pages have 4 KiB, as disk blocks do: a write cut short spoils one page that
// nothing refers to yet, or one of two meta pages. Integers in keys are big
// endian, so that keys sort by number. Buckets:
//
//	dowse     the tables below; "header", "counters", "roots", "free", "meta/"+key
//	vectors   chunk id -> vectors of it and the following ids, float32, little endian
//	segments  segment id -> header of a segment of postings
//	postings  segment id, first term -> block; with 0 and a number, its continuation
//	marks     kind, value, file id -> files from that one on with the value in their facts
//	texts     file id -> text of a slow format, packed by the indexer
//
// Tables share a bucket, because each bucket ends in a half empty page. A key
// is the table's number and another one:
//
//	folders   folder number -> 64 folders: parent and name
//	files     file id -> records of files and of their chunks, from that id on
//	names     hash -> hashes of paths, from that one on, and file ids
//	facts     file id -> facts of its document
//	entries   file id -> facts and places of its messages, events, dated headings
//	others    the vector index's codes, codebook, links, upper links, next codes, kept vectors
//
// A file takes 38 bytes among 1,900 notes with long names, half of them the
// name, and a chunk 4; among 25,000 other files 24 and 5.
package store
