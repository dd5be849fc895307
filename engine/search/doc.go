// Package search answers queries: a query line becomes ranked passages with
// line numbers and highlights, and an answer that cites them.
//
// # Basics
//
// An Engine is the engine.Searcher that reads the store itself. One search runs
// these stages, each of which emits an event with its counters:
//
//	parse    the query line becomes text and filters (engine.Parse)
//	filter   filters become the set of chunks that may be returned at all
//	lexical  BM25 over that set
//	embed    the text becomes a vector
//	vector   cosine similarity over that set
//	fuse     the two lists become one
//	rerank   a cross-encoder puts the best of it in order, where there is one
//	read     the best chunks are read from their files again
//	answer   the question is answered from the best passages, where asked for
//
// Related ranks by one passage, or one file, in the place of a query: a chunk's vector is
// the stored one, recomputed, or what its code stands for while that will do. Candidates
// come from the codes of all chunks, and those that seem nearest are recomputed. Where
// codes are damaged they come from those that are sound, which the result says, and what
// the passage itself lacks is recomputed.
//
// An index whose vectors are those of another model than Options.Embedder is searched by
// words alone (Options.ByWords), and each result says why. An engine over an index that
// takes the place of another one is its Successor: subscribers stay.
//
// Any query finds something. A passage is relevant if its closeness, the cosine of its
// vector and a fifth of the share of the query's words that it holds, is at least
// Options.RelevantFrom, or if it holds all of the words; a reranker that was calibrated
// decides instead of closeness about what it read to the end, and where it finds nothing
// of that relevant, closeness alone makes nothing else so. Of a result of which nothing is
// relevant no answer is made.
//
// Complete answers a keystroke from lists of the values that filters may have. The list of a
// filter is made when its first value is typed, counted in the ledger, and kept until the
// next commit.
//
// Lines of logs have no vectors, and words alone find them. Ten chunks of theirs at most are ranked with others, beside as many of these
// as if there were no logs; more where the filters leave logs alone (type:log). What is shown of a chunk of a log, and reranked, is
// the line with most of the query's words and what follows it; where nothing is asked for, its last lines.
//
// Passages say what their documents say of themselves, or what the entries do that they show: messages, events,
// dated headings. Filters by who wrote it, and when, ask entries one by one, from a list that is kept until the next
// commit. A chunk may hold several entries: what is shown of it is a run of those that pass, the one with most of the query's
// words, and nothing where these stand in others alone. Ranking goes by the whole chunk until a reranker reads
// what is shown, and a word with a minus leaves the whole chunk out. To cut at each entry would have made a chunk of each line of a chat.
//
// Where no passage holds a word of the query, one that is spelt like it is looked for in its
// place, but not while the person types; the result says so (Respelled). For the weights
// of fusion such a word counts as one that nothing holds.
//
// A query that goes on with a conversation is ranked by the questions before it too, as
// much as it leaves unsaid what it is about (formulation): one that stands alone hardly is.
//
// A passage that says nothing beyond a better one, in nearly the same words, is marked
// (SimilarTo): front ends fold it below that one, and no answer is made from it. Numbers,
// names and denials tell passages apart that look alike (repeats).
//
// A request may go on with a conversation (package conversation): the earlier turns are
// read before, given to who answers, and the turn is kept at the end. What a language model
// had computed of it is loaded while the question is searched for. One question at a
// time is in a conversation. What cannot be read or kept costs a sentence, and never the
// answer.
//
// # Invariants
//
//   - Filters hold inside retrieval: the k best of what the filter leaves are
//     returned, not what the filter leaves of the k best.
//   - A search sees one commit of the store from beginning to end: what it needs
//     is copied, and no transaction is open while files are read, models run or
//     events are handed on.
//   - Engines may be searched with one another (Beside, Join), each with an index and an
//     embedder of its own: BM25 counts over all of them, and one list is fused, so that
//     chunks that lie in two indexes of one embedder rank as if they lay in one, to the bit
//     where vectors are exact. What each recomputes is bounded for each. The ids of passages
//     say in their highest bits which index they are of.
//   - The id of a chunk that is gone is given again to another text. What is kept
//     from one commit to the next goes by the version of the file, whose id is
//     never given again, or by the hash of the text.
//   - Chunks that are gone cost a search nothing, though codes and postings of
//     them stay until they are swept.
//   - The index holds no text. A passage is read from its file and compared by
//     hash with what was indexed; one that changed is marked stale.
//   - Text leaves this machine only as it was indexed: an Answerer that asks a
//     server elsewhere, or in another process, leaves stale passages out and
//     says so; a Reranker that does is not given them, and an Embedder never is.
//     Text of files that hold secrets goes to none of them, nor into an answer or
//     a conversation.
//     While the person types, an embedder on another machine is asked nothing. On the screen, and in an answer that is made here, a stale
//     passage may stand: it is text of the person's own file.
//   - Number n of an answer's citations is the passage of rank n of the same
//     result.
//   - The passages that are not Relevant are the last ones of a result. Estimates
//     have none of these.
//   - Equal queries on an equal index give equal results in equal order, while the
//     machine has time for equally many candidates of the reranker. The score of a passage
//     that the reranker read to the end (Passage.RerankScore) follows from the query, the
//     passage and the index, and from nothing else: not from how many candidates there were, how many
//     results are wanted, or how busy the machine is. Those that were not read to the end rank behind, and their
//     scores are bounds that compare within one result alone. An index that was
//     edited ranks as one built afresh does, but for the order of equal scores.
//   - Equal fused scores rank by the place in the list by meaning, then by words. So the
//     order of indexing, which follows the times of files, seldom shows in a ranking: only
//     where the scores of one list are equal.
//
// # Caveats
//
// Phrases and negated phrases are verified in the text of the files. Those of
// stop words or punctuation alone, such as "to be" or "=>", narrow nothing
// down beforehand: the files that the other filters leave are read, those
// changed last first, up to a bound. Nothing is shown of those beyond it, and
// Stats.Unread counts them.
//
// Text and paths in results come from files and may hold anything; front ends
// make them safe for a terminal.
package search
