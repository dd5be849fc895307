// Package search ranks passages: a query line becomes passages with line numbers and highlights,
// and, where asked for, an answer that cites them.
//
// # One query
//
// An Engine reads the store itself. A retrieval (plan.go) walks once through these steps, each in
// the file of its name, and each emits an event with its counters:
//
//	parse    the query line becomes text and filters, in the mode that the indexes can answer
//	filter   filters become the set of chunks that may be returned at all (package snapshot)
//	words    BM25 over that set
//	meaning  the text becomes a vector; the chunks whose codes are nearest to it
//	fuse     the two lists become one, with exact scores where they decide
//	rerank   a cross-encoder puts the best of it in order, where there is one
//	read     the best chunks are read from their files again (package passage)
//	answer   the question is answered from the best passages
//
// Around it: conversation.go adds earlier turns (followup.go says how a query goes on with them),
// elsewhere.go has other machines rank as parts of the plan, and part.go is what such a part does;
// damage.go searches what a damage leaves, bywords.go goes by words alone where texts cannot be
// embedded, joined.go asks several indexes as one. Related (related.go, origin.go) ranks by a
// passage in the place of a query. Package complete suggests values of filters.
//
// # Invariants
//
//   - Filters hold inside retrieval: the k best of what the filter leaves are returned, not what
//     the filter leaves of the k best.
//   - A search sees one commit of each index from beginning to end. What it needs is copied; no
//     transaction is open while files are read, models run or events are handed on.
//   - Equal queries on an equal index give equal results in equal order, while the machine has
//     time for equally many candidates of the reranker. The score of a passage that the reranker
//     read to the end follows from the query, the passage and the index alone; candidates not read
//     to the end rank behind, with scores that are bounds within one result. An edited index
//     ranks as one built afresh does, but for the order of equal scores.
//   - Equal fused scores rank by the place by meaning, then by words.
//   - Joined indexes of one embedder rank as one index, to the bit where vectors are exact. The
//     highest bits of a chunk's id say which index it is of. So do indexes of several machines.
//   - Chunks that are gone cost a search nothing, though their codes and postings stay until swept.
//   - An index holds no text. A passage is read from its file and compared by hash with what was
//     indexed; one that changed is stale.
//   - Text leaves this machine only as it was indexed: servers and other processes get no stale
//     passages, and an embedder never does. Secrets go to none of them, nor into an answer or a
//     conversation. While the person types, an embedder on another machine is asked nothing.
//   - Citation n of an answer is the passage of rank n. Passages that are not Relevant are the
//     last ones of a result.
package search
