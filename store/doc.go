// Package store keeps the index: one bbolt file, index.db, that holds what
// is known of every indexed file, its chunks, their vectors and the postings
// of the lexical index. It is the only package that imports bbolt.
//
// # Basics
//
// Open gives a DB; View and Update run a function inside a transaction, Tx.
// An Update is one transaction: give it a batch of files, because each one
// costs two flushes of the disk. Readers see the state of the last finished
// Update and never wait for the writer.
//
//	db, err := store.Open(path, store.Options{Fingerprint: fingerprint})
//	err = db.Update(func(tx *store.Tx) error { return tx.PutFile(&f, chunks) })
//	err = db.View(func(tx *store.Tx) error { return tx.Files(visit) })
//
// # Invariants
//
//   - File ids and chunk ids only grow and are never given twice. The chunks
//     of a file are numbered without gaps and their ranges tile its text.
//   - A chunk id that no file covers is a tombstone: postings may still name
//     it until the segments that hold it are merged.
//   - Every value ends in a CRC-32C of its bytes, checked at every read.
//   - A process that dies at any moment loses the Update under way, no more.
//   - A damaged file gives ErrCorrupt, never a crash: the tree of pages is
//     walked when a file is opened, and a memory fault or a panic inside
//     bbolt becomes an error.
//
// Check verifies all of it, page by page and record by record.
//
// # Caveats
//
// One process writes, or several read: a second one gets ErrLocked. Byte
// slices handed to a callback are valid inside it only. A Tx belongs to the
// goroutine that runs the function; on other goroutines a damaged file can
// still end the process. After ErrCorrupt from View or Update the DB refuses
// all work: close it, MoveAside the file and build the index again.
//
// # Layout
//
// Buckets, all integers big endian so that keys sort by number:
//
//	dowse     "header", "counters", "roots", "meta/"+key
//	files     path             -> file record
//	ids       file id          -> path
//	chunks    first chunk id   -> file id and the chunks of one file
//	vectors   first chunk id   -> chunks x dimension float32, little endian
//	segments  segment id       -> header of a postings segment
//	postings  segment id, term -> block of postings whose first term that is
package store
