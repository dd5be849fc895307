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
package app
