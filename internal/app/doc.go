// Package app puts the parts together: it finds the folders and settings,
// opens the model, the store, the engine and the indexer, and decides whether
// this process owns the store or asks the one that does.
//
// Open is the door. With Read it answers from the owner if there is one, and
// otherwise from the store, opened for reading. With Own it becomes the owner,
// which also serves others over a unix socket, unless there is one already.
// Everything behind the door is an engine.Service, so that no command knows
// which of the two it talks to.
//
// What answers and indexes is a Stack: a search.Engine with its models, the store
// and the indexer. Package measure opens one for measurements.
//
// # Changing the embedder
//
// An index is built with one embedder, and says which (layout.Builder). Where the settings
// name another one, an Owner that watches, or is asked to index, builds a second index
// beside it, index.db.next, from the files. It is cut as the new tokenizer counts, and has
// codes, links, margins and a scale of its own, so that no vector is ever compared with one
// of another model. The first index is searched by its own model meanwhile and follows the
// files. Files that change meanwhile are embedded by both models: few do, and each index is
// in step without the other.
//
// Then nobody writes any more, the second index catches up once more, takes the name of the
// first (one rename) and the place of its Stack. Searches under way end on the old one,
// which is closed when the last has; those that begin go to the new one. A process that is
// killed leaves two files of which each is sound, and the next owner goes on as indexing
// does after a kill. Where the old model is chosen again the second file is removed.
//
// Why not new codes beside the old in one file, as for an index that has outgrown its
// codebook (indexer.recode): cuts depend on the tokenizer and on how much the model reads
// (chunk.MaxTokens), and with them ids, hashes and postings; vectors of two dimensions
// would have to lie side by side; and each reader of the index would have to know which
// half it may compare. Two files cost reading, cutting and posting everything again, a few
// percent of embedding it, and the disk for both while it lasts.
//
// The second embedder takes a third of the memory at most, like the first, from the same
// budget, and both are open while the change lasts. It embeds slices of 16 passages, and
// waits before each while somebody searches, a second at most.
//
// An index whose embedder is not installed any more is searched by words, if the chunker
// and the analyser are those of this program, and is built anew with what is chosen. Its
// own files are left as they are until then. The context of a passage depends on the
// tokenizer a little, so that a passage may be called stale there that is not.
//
// Roots that are not there, such as disks that are not mounted, cannot be embedded: what
// the first index has of them is not in the second, and they are indexed when they return.
//
// # A model of a folder's own
//
// Folders of the settings may have an embedder of their own, all of them the same one: a
// multilingual one for letters, the default for the rest. Their files lie in a second index,
// index.folders.db, with an engine, an indexer and an embedder beside those of the Stack,
// which share its ledger, its budget and its subscribers. Both embedders are open as long as
// there is such a folder, each in a third of the memory at most, and what each index keeps
// and prepares is reserved twice. The process that watches follows both.
//
// A search asks both indexes and makes one ranking (search.Engine.Beside). Passages like
// another one come from its own index. Conversations, the reranker and answers know nothing
// of it.
//
// Which index shows a folder is noted in the second one alone (layout.Shown), and what the
// other holds of it is passed over. So a folder moves like this: it is indexed where it is to
// go, from its files, while it is searched where it is; then nobody writes any more, what
// changed meanwhile is caught up on, one transaction notes who shows it, and the first index
// drops its files. To another model of its own it moves by way of the index of the rest.
// What is left to do follows from the settings and what the indexes hold, so that the next
// owner goes on after a kill. Where no folder is left the second index is deleted.
//
// A folder whose embedder is not installed any more is searched by words, and that is said.
// A second index that is damaged as a file, or was built by another dowse, is dropped by the
// next owner: then the index of the rest takes its folders in, and they move again.
package app
