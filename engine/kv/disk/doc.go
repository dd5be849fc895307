// Package disk keeps conversations' tokens, and their keys and values, across
// restarts.
//
// # Basics
//
// A [Disk] is one folder for all conversations of this person. A conversation's
// tokens are appended to a log of its own, which is on the disk when Append returns.
// Its chunks of keys and values are put once they are complete, and read back group
// of layers by group of layers:
//
//	d, err := disk.Open(disk.Options{Folder: folder, Model: model, Layout: layout, Quota: quota})
//	err = d.Append(name, tokens)
//	err = d.Put(name, []disk.Chunk{{Position: 0, ID: id, Level: kv.Level8, Data: data}})
//	entry, there := d.Find(id)
//	err = d.Read(ctx, id, group, memory)
//
// # Identity
//
// The id of a chunk ([NextID]) is a hash of the model, of all tokens up to its end,
// and of a salt. Chunks of different conversations that have the same id are the same
// bytes and are kept once, at the highest level that one of their owners asked for.
// A chunk that was computed behind one of fewer than 8 bits is no other
// conversation's: from there on the salt is the conversation's name.
package disk
