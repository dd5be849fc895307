// Package disk keeps conversations' tokens, and their keys and values, across restarts.
//
// # Flow
//
// A [Disk] is one folder for all conversations. Tokens are appended to a log for each
// conversation, durably; chunks of keys and values are put, the open last one too, and read
// back by groups of layers:
//
//	d, err := disk.Open(disk.Options{Folder: folder, Model: model, Layout: layout, Quota: quota})
//	err = d.Append(name, tokens)
//	err = d.Put(name, []disk.Chunk{{Position: 0, ID: id, Level: kv.Level8, Data: data}})
//	entry, there := d.Find(id)
//	err = d.Read(ctx, id, group, memory)
//
// An answer takes two writes and one fsync for its tokens and the names of its chunks, one
// write for their bytes, and one for their slots.
//
// # Identity
//
// The id of a chunk ([NextID]) is a hash of the model, of all tokens up to its end, and of a
// salt. Conversations share chunks of the same id, stored once at the highest level that an
// owner asked for. A chunk computed behind one of fewer than 8 bits is not shared: from there
// on the salt is the conversation's name.
//
// # Files
//
//	meta.json      format, model and sizes of chunks; a hash of it heads every other file
//	lock           held by the process that has the folder open
//	*.tokens       one a conversation: records of tokens, truncations and ids of chunks
//	slots-*.dat    bytes of chunks, page aligned, group after group
//	slots-*.idx    records of the slots of chunks, with a checksum for each group
//	profile.json   measured costs of restoring this model's chunks
//
// A log ends at the first torn or damaged record, and is rewritten once most of it is
// superseded. A chunk is owned exactly while a log names it, so a deletion is complete once the
// log is removed, counts of owners cannot be wrong, and Open removes what a kill left: chunks
// without owner and bytes without record. Slots are never synced; their checksums cover id,
// level and group, so a slot that a power cut lost reads as damaged and is computed again.
//
// Bytes that no conversation needs are erased at once: a hole is punched where the system can,
// zeroes are written elsewhere. What the device keeps of freed blocks is beyond dowse.
//
// The quota evicts the least recently used conversation's chunks (victims); tokens stay, from
// which chunks can be computed again.
//
// # Invariants
//
//   - Append and Truncate are durable when they return, and without effect after an error.
//   - A read returns the bytes that were put under the id, or an error.
//   - No two chunks share a page, and pages without a chunk hold zeroes.
//
// [Disk.Check] compares all of that with the files.
//
// # Caveats
//
// One process has a folder at a time. Put trusts its caller that the bytes fit the id. Opening
// a folder removes another model's chunks and tokens; the conversation's text is kept elsewhere.
package disk
