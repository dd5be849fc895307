// Package disk keeps conversations' tokens, and their keys and values, across
// restarts.
//
// # Basics
//
// A [Disk] is one folder for all conversations of this person. A conversation's
// tokens are appended to a log of its own, which is on the disk when Append returns.
// Its chunks of keys and values are put, the open last one too, and read back group
// of layers by group of layers:
//
//	d, err := disk.Open(disk.Options{Folder: folder, Model: model, Layout: layout, Quota: quota})
//	err = d.Append(name, tokens)
//	err = d.Put(name, []disk.Chunk{{Position: 0, ID: id, Level: kv.Level8, Data: data}})
//	entry, there := d.Find(id)
//	err = d.Read(ctx, id, group, memory)
//
// An answer takes two writes and one fsync for its tokens and the names of its chunks,
// one write for all of their bytes, and one for where those lie.
//
// # Identity
//
// The id of a chunk ([NextID]) is a hash of the model, of all tokens up to its end,
// and of a salt. Chunks of different conversations that have the same id are the same
// bytes and are kept once, at the highest level that one of their owners asked for.
// A chunk that was computed behind one of fewer than 8 bits is no other
// conversation's: from there on the salt is the conversation's name.
//
// # Files
//
//	meta.json      format, model and lengths of chunks; a hash of it heads every other file
//	lock           held by the process that has the folder open
//	*.tokens       one a conversation: records of tokens, truncations and ids of chunks
//	slots-*.dat    bytes of chunks, each from a multiple of 4 KiB on, group after group
//	slots-*.idx    records of where the chunks lie, with a checksum for each group
//	profile.json   what bringing chunks of this model back takes, for the next process
//
// Records have checksums. A log ends at the first one that is torn or damaged, and is
// written anew once most of it is of the past. Ids of chunks stand in the log of tokens
// rather than in a file beside it, so that a chunk is somebody's exactly as long as a log
// names it. Three things follow. A deletion is over once the log is removed. What a kill
// left of a deletion, of lowering or of a put is a chunk that is nobody's, or bytes that
// no record points to; Open removes both. And no count of owners can be wrong.
//
// The slots are never synced. Their checksums cover the id, the level and the group, so
// that a slot that a power cut lost, or that holds another chunk, reads as damaged, and
// is computed again.
//
// # Deletion
//
// Bytes that no conversation needs any more are removed from the file at once: a hole is
// punched where the system can, zeroes are written elsewhere, and the file is cut off
// behind its last slot. What the device itself does with blocks that were given back is
// not in our hands.
//
// # Quota
//
// Chunks that the quota has no room for stay what all chunks are in the end, tokens that
// can be computed again. The conversation that was used longest ago loses its chunks
// first, the heaviest of these first, since they give the most bytes back for one
// computation. Tokens are never dropped.
//
// # Invariants
//
//   - What Append and Truncate did is on the disk when they return. After an error it is
//     not, and what was there before is.
//   - A read returns the bytes that were put under the id, or an error.
//   - No two chunks share a page, and pages without a chunk hold zeroes.
//
// [Disk.Check] compares all of that with the files.
//
// # Caveats
//
// One process has a folder at a time. The id says what a chunk must be; that Put is
// given the right bytes for it is the caller's to see to. Another model's chunks and
// tokens are removed when the folder is opened; what was said in a conversation is kept
// elsewhere.
package disk
