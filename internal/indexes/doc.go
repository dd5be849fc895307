// Package indexes decides which index of a folder is served by which process, and replaces one
// index by another.
//
// Opener.Open is the door. With Read it answers from the owner if there is one, and otherwise
// from the store, opened for reading. With Own this process becomes the Owner, which also
// serves others over a unix socket, unless there is one already. A client survives the owner
// that it asks (failover).
//
// What answers and indexes is a Stack: a search.Engine with its models, the store and the
// indexer. A gate counts the calls on it, so that models and files close after the last one.
//
// # Migration to another embedder
//
// An index is built with one embedder, and says which (layout.Builder). Where the settings name
// another one, an Owner that watches, or is asked to index, builds a second index beside it,
// index.db.next, from the files: with cuts, codes, links, margins and a scale of its own, so
// that no vector is ever compared with one of another model. The first index follows the files
// meanwhile and is searched by its own model; files that change are embedded by both.
//
// Replacement: writers are held, the second index catches up once more, takes the name of the
// first in one rename, and gets a Stack. Searches under way end on the old Stack, which is then
// closed; new ones go to the new one. A killed process leaves two files, each of them sound, and
// the next owner goes on. Where the old model is chosen again the second file is removed.
//
// Two files instead of codes of both models in one (as indexer.recode does within a model),
// because cuts depend on the tokenizer and on how much the model reads (chunk.MaxTokens), and
// with them ids, hashes and postings. That costs reading, cutting and posting everything again,
// a few percent of embedding it, and the disk for both while it lasts.
//
// Both embedders are open while a migration lasts, each in a third of the memory at most. The
// second one embeds slices of 16 passages and waits before each while somebody searches, a
// second at most.
//
// An index whose embedder is not installed, or that another version of dowse built in a format that
// the store reads, is searched by words and migrated to the model of the settings. Roots that are not
// there, such as disks that are not mounted, are indexed when they return.
//
// # Folders with an embedder of their own
//
// Folders of the settings may have an embedder of their own, all of them the same one. Their
// files lie in the folder index, index.folders.db, with an engine, an indexer and an embedder
// beside those of the Stack, which share its ledger, budget and subscribers. A search asks both
// indexes and makes one ranking (search.Engine.Beside).
//
// The folder index alone notes which folders it shows (layout.Shown); what the other one holds of
// these is passed over. So a folder moves in three steps: it is indexed where it is to go while it
// is searched where it is; writers are held, the rest is caught up on, and one transaction notes
// who shows it; the first index drops its files. To another model of its own a folder moves by way
// of the main index. The next owner continues after a kill, since the settings and the two indexes
// say what is left to do. A folder index that shows nothing is deleted, and so is one that is damaged
// as a file or has an older format: the main index then takes its folders in, and they move again.
//
// # Packs
//
// Stack.Pack copies an index, takes out of the copy all but one folder, puts its text in, and seals it
// (store.WritePack). Packs of the settings are opened with the Stack and joined as the folder index is, up to
// 14; with another embedder by words. They are opened anew where their files are others (followPacks). Those on a server keep what
// was read of them; they are opened anew when they were published again, because ids of one publication hold
// for no other one.
package indexes
