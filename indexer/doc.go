// Package indexer keeps the index in step with folders of files.
//
//	folders -> walk, ignore -> read, hash -> extract -> chunk -> words: one transaction a batch -> vectors: one a step
//
// Indexer.Run compares folders with the index and indexes what differs. Indexer.Watch does that once and then follows file
// system events. Both end in sync, which looks at a set of paths: a changed file, a new folder and a whole root are the same
// to it. Logs are found by words alone, and read on from their end (grown.go). While nobody searches, Watch gives an index that has
// outgrown its codes new ones (recode.go), erases traces of deleted text, and asks the person's programs about pictures and
// sounds (later.go).
//
// # Invariants of commits
//
//   - A batch of files is one transaction: files, chunks and postings appear together or not at all. A committed batch
//     survives a kill.
//   - Vectors come behind words (meaning.go), the newest files' first, in transactions of their own. Which chunks lack one
//     follows from what is stored: a kill costs one step, and a repair drops codes that the next step brings back. While
//     folders are watched they are computed beside syncs (catchup.go), so that what is saved is found by words at once, and
//     meaning alone waits for the machine or for a server.
//   - A chunk whose text is unchanged keeps its id, its postings and its code or vector when its file is edited, moved or cut
//     anew. The words of a file's name are posted with each of its chunks: when they change, the chunks get new ids and take over
//     codes or vectors.
//   - Ids of chunks that are gone are given again once no posting and no code names them.
//   - A run begins with a look at every record and repairs damage, or starts the index over; the repaired index passes Check.
//   - A comparison for which the disk has no room fails and loses nothing. Watch tries it again, less and less often.
//
// # Invariants of reading
//
//   - A file of unchanged size and times (of modification and of inode; see package stamp) is not read, unless an event or a
//     search names it, or it was read too soon after its last change. One of unchanged hash is not extracted, a chunk of
//     unchanged text is not embedded again, nor is a renamed or copied file.
//   - Only files below a root are read: a link that takes the place of a file, a folder or a root, at any moment, is not followed.
//   - A folder that cannot be read, or whose rules cannot, and a root that is not there lose nothing: their files stay. The first
//     two are told of.
//   - Every file that is not indexed is counted under a reason.
//   - While files are watched, one that changes all the time is read every five seconds at most, and no other waits for it. One
//     that is gone is removed a second later, so that a rename of which the system tells in two parts is one.
//   - Programs of the person's are asked about a file once, until it or they change; their words stay with a file that is moved, and
//     searches never wait for them.
//   - The text of files that are slow to read (document.Document.Slow) is kept with their chunks, and Texts takes it from there.
//   - Traces of deleted text (codes, postings, vectors in free pages) leave the disk: EraseAfter later where Watch runs, with the
//     next run of all roots otherwise. Names of folders stay.
//
// # Invariants of memory
//
//   - Files that are read and not committed hold less than Options.Prepared bytes. A file that may need more goes alone. Where a
//     format gives more text than was expected, that is counted, and nothing is read before it is paid.
//   - Files are committed in their order, and read ahead of that as far as there is room.
package indexer
