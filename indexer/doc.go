// Package indexer keeps the index in step with folders of files.
//
//	files -> walk/ignore -> read, hash -> extract -> chunk -> embed -> one transaction
//
// # Basics
//
// Indexer.Run compares folders with the index and indexes what differs.
// Indexer.Watch does that once and then follows file system events. Both end
// in sync, which looks at a set of paths: a changed file, a new folder and a
// whole root are the same to it.
//
// Where Watch runs, an index that has outgrown its codes gets new ones while nobody
// searches (Options.Quiet): texts are read and embedded again without holding the turn of
// a sync, and what is not finished goes on in the next process. Searches see the old codes
// until all new ones are there. An index that is to have another embedder is not recoded:
// a second one is built beside it (package app).
//
// # Logs
//
// A log (package extract/logs) is looked for by words, so that its chunks are long and have no vectors: 14 MB of one are found a
// second or two after they are met, and embedding them would take minutes. A filter of when lines were written asks each hour.
//
// Where lines were appended, the last chunk and they alone are read, and all other chunks stay as they are (grown.go). With
// the log is kept what that takes: a hash that goes on where it ended, and hashes of the first and the last 4 KiB. What is
// trusted is that who changes a byte between these does not append to the file as well; a hash of all finds it out
// whenever the log has grown over a multiple of 2 MiB, and so does any look at a log that is as long as it was, or shorter.
// A log that was renamed, or copied and cut, is another file, or a shorter one: it is read as a whole.
//
// A log of 13.6 MB, 150,000 lines of a server, is indexed in 1.6 s of CPU. While a hundred more were written each second for ten
// minutes, 5.4 MB, a process that watched took 1.7% of one core (utime and stime in /proc/PID/stat, searches aside). They
// were found 5 to 9 s after they were written, and the index grew by 4% of them, to 7% of the text.
//
// # Invariants
//
//   - A batch of files is one transaction: files, chunks, vectors and postings
//     appear together or not at all. What was committed survives a kill.
//   - A file that takes minutes appears as a whole, too. Its vectors are kept
//     in slices while it is embedded, and the run after a kill goes on where
//     that one was: a slice is embedded again, at most.
//   - A file whose size and times (of its modification, and of its inode; see package
//     stamp) are unchanged is not read, unless an event or a search names it, or it was
//     read too soon after its last change; one whose hash is
//     unchanged is not extracted; a chunk whose text is unchanged is not embedded
//     again, nor is a file that was renamed or is a copy of another one.
//   - A chunk whose text is unchanged keeps its id, and with it its postings and
//     its code or vector, when its file is edited or moved, or cut anew. The name
//     of a file is posted with each of its chunks: if its words change, the
//     chunks get new ids, and take over the codes or vectors.
//   - Ids of chunks that are gone are given again once no posting and no code
//     names them: after merges, and after the codes of dead chunks were dropped.
//   - While files are watched, one that changes all the time is looked at every five seconds, and no other waits for it.
//   - While files are watched, one that is gone is removed a second later, so
//     that a rename of which the system tells in two parts is one.
//   - A folder that cannot be read, or a root that is not there (a disk that
//     is not mounted), loses nothing: its files stay in the index.
//   - Only what stands below a root is read: a link that takes the place of a
//     file or a folder, at any moment, is not followed. A root that became a
//     link is kept as it was indexed, like one that is not there.
//   - So is a folder with a file of rules, such as .gitignore, that cannot be
//     read: it may name what the person does not want indexed. Both are told of.
//   - A comparison for which there is no room on the disk fails, and loses nothing. Where
//     Watch runs it is tried again, less and less often, until there is room.
//   - A run begins with a look at every record and repairs damage, or starts the
//     index over; what it repaired passes Check before it says that it is done.
//   - Every file that is not indexed is counted under a reason.
//   - Traces of text that was deleted or replaced (codes, postings, vectors in
//     free pages) leave the disk: EraseAfter later where Watch runs, with the
//     next run of all roots otherwise. Names of folders stay.
//   - The text of files that are slow to read (document.Document.Slow) is kept with
//     their chunks. Texts takes it from there while the file is as it was indexed.
//   - Programs of the person's, such as one that describes pictures, are asked about a file once, until it changes or
//     they do; what they said stays with the file when it is moved, and searches never wait for them. A run asks last about
//     such files. Where Watch runs, they are asked without the turn of a sync, so that no note waits for a film.
//   - Memory is bounded: what files hold that are read and not committed yet
//     stays below Options.Prepared bytes. A file that may need more goes alone. Where a
//     format gives more text than was expected of it, that is counted, and nothing
//     is read before it is paid.
//   - Files are embedded in their order, and read ahead of that as far as there is
//     room, so that the embedder does not wait for one that takes long to read.
package indexer
