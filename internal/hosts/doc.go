// Package hosts asks dowse on other machines, each through a command such as ssh that runs dowse serve --stdio there.
//
//	pool := hosts.NewPool(settings)
//	result, err := pool.Search(ctx, request, here, tell)
//
// A machine says first who it is: what it can do, and what its index is built with (engine.Peer). Those whose indexes are
// built as the one here are handed to here.Search, which counts words over all and makes one ranking (engine/search). Each of
// the others, of which some may be older, ranks by itself; these rankings are merged by their ranks, and that is said. Paths get
// the name of the machine in front, larch:/home/ann/a.md, which is no path here.
//
// A connection stays for the next call and is closed after two minutes without one. One that turns out to be dead is made
// anew once. A call that nobody waits for any more goes on until its reply has come.
//
// # Invariants
//
//   - Machines that fit rank as one index does, to the bit where all vectors are exact. Where not all are, each machine chooses by
//     its own words which to compute.
//   - A machine that fails is left out of the whole search, counts of words included, unless it fails when texts are read: then its
//     passages are gone.
//   - A machine that has not answered after 300 ms is named; one that says nothing for some seconds, ends, or sends
//     what dowse does not, is named and left out. Others wait for it no longer than that.
//   - What a machine sends is bounded in length and number, has no control characters, and places in it are
//     places of the text or the list that they are of. Counts are not negative, and scores are finite and descend.
//   - No text is sent but the query, the questions before it and words of them; none comes but that of the passages that are reranked or
//     shown.
//   - A chunk that changed between two calls is gone: what is read must be what was ranked.
package hosts
