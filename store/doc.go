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
//   - The id of a file is that of one version of it: PutFile gives a new one,
//     and no id is given twice. So what is known of a file id never changes.
//   - The id of a chunk stays as long as its text does: PutFileKeeping stores
//     an edited, moved or renamed file whose unchanged chunks keep theirs, and
//     with them their vectors, codes and postings. The ranges of a file's
//     chunks tile its text.
//   - A chunk id that no file has is a tombstone, because postings or codes may
//     still name it, until FreeChunks finds that nothing does. Then it is free
//     and given again. See # Ids.
//   - Every value ends in a CRC-32C of it and its key, checked at every read.
//   - A process that dies at any moment loses the Update under way, no more.
//   - A damaged file gives ErrCorrupt, never a crash: when a file is opened the
//     tree of pages is walked and the checksum of every record looked at (half a millisecond
//     for the index of 1,900 notes), and a memory fault or a panic inside bbolt becomes
//     an error.
//   - A damaged record fails the transactions that read it, no other. Damage
//     says what kinds of records are damaged, and SoundFiles, SoundBlocks and
//     SoundVectors read the others.
//
// Check verifies all of it, page by page and record by record.
//
// # Ids
//
// The table of postings, of codes and all that is as long as the greatest chunk id
// stays small because ids are given again. A new file takes the first free run
// that is long enough for it, so that nearly every file has its ids in one run.
// Where there is none its ids come behind all others; if more than one in
// eight ids is free, the free ones are taken one after the other, in several
// runs. Equal Updates give equal ids. NextChunk is the bound of all ids; it
// falls when the last ones become free.
//
// An index from which many files were deleted keeps its greatest id until new files
// fill the ids between: chunks are not numbered anew.
//
// # Damage
//
// Repair removes damaged records and names, with the help of the packages whose
// records they are, the files to be indexed again. Damaged links cost the graph alone:
// searches do without, and indexing makes them again. ErrBroken says that no record
// can be trusted: then OpenOrReplace and StartOver put an empty index in place
// that knows the same folders, the latter under a DB that is in use. KeepRoots
// keeps their list beside the index. Until Repaired the index says by Damage that
// something is missing.
//
// # Caveats
//
// One process writes, or several read: a second one gets ErrLocked. Byte
// slices handed to a callback are valid inside it only. A Tx belongs to the
// goroutine that runs the function; on other goroutines a damaged file can
// still end the process. After ErrBroken from View or Update the DB refuses all
// work until StartOver.
//
// An index that was built beside another one takes its name with TakePlace, also while that
// is open; Discard deletes one that is not wanted any more.
//
// Updates leave free pages and blocks that are not full; Wasted tells how
// much, and Vacuum writes the file anew beside the work of others. Free pages
// still hold what stood in them.
//
// An Update that makes the file grow waits for the Views under way, so that a
// View must not wait for anything but the store. ChangesSince tells what the
// last Updates of this process did to files.
//
// # Layout
//
// Pages have 4 KiB, as the blocks of disks do, so that a write that the power
// cut short spoils one page that nothing refers to yet, or one of the two meta
// pages. With 1 KiB the index of 1,874 notes would take 384,000 bytes in place
// of 401,408, that of 20.4 MB of programs 2.94 MB in place of 2.98; but blocks
// would be shared. An index with other pages is written anew by Repage.
// Buckets, all integers in keys big endian so that keys sort by number:
//
//	dowse     the tables, and "header", "counters", "roots", "free" (chunk ids
//	          to be given again, as runs), "meta/"+key
//	vectors   chunk id         -> run of vectors of that chunk and the ids that follow,
//	          float32, little endian
//	segments  segment id       -> header of a postings segment
//	postings  segment id, term -> block of postings whose first term that is;
//	          with 0 and a number behind the term, the block that continues it
//	marks     kind, value, file id -> the files from that one on that have the value in
//	          their facts: a tag, an author, ...
//	texts     file id          -> what was taken out of a file, as the indexer packs it
//
// A table is a number in front of another one; all share a bucket because
// each bucket ends in a page that is half empty:
//
//	folders   folder number    -> 64 folders: the folder above and the name
//	files     file id          -> records of files and of their chunks, from that id on
//	names     hash             -> hashes of paths, from that one on, and file ids
//	facts     file id          -> what its document says of itself
//	entries   file id          -> what its messages, events or dated headings say of themselves, and where each begins
//	codes, codebook, links, upper links, codes to come
//	                           as the vector index numbers its blocks
//
// For 1,900 notes with long names that is 38 bytes a file, half of them the
// packed name, and 4 a chunk; for 25,000 other files 24 and 5. The time of the inode
// takes 1 byte of a file that was written once, some 7 of a copy. Lines and
// headings are read again with the text: they would double a chunk's bytes.
package store
