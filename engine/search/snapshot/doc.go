// Package snapshot says what an index is at one commit: its files, the ids of their chunks,
// which of them live, the postings' headers, and what filters leave of them.
//
// An Index makes a Snapshot of each commit that somebody searches, from the one before by what
// was changed since, and keeps what does not change from commit to commit: where chunks stand in
// their files (Records), what entries say (Entries), the graph of vectors. A Filter is compiled
// once for a query and applied to a snapshot in a transaction of its commit (Index.Filter).
//
// Several indexes may be searched as one. JointID makes the id of a chunk among all of them, and
// Masks say which index shows which folders while files move from one to another.
//
// # Invariants
//
//   - A snapshot never changes once it is made, but for caches that its parts guard themselves.
//   - The id of a chunk that is gone is given again to another text. What is kept from one
//     commit to the next goes by the version of the file, whose id is never given again.
//   - Damaged records are passed over only where the transaction tells of the damage.
//   - What is kept is counted in the ledger: pools search.snapshot, search.entries, vectors.graph.
package snapshot
