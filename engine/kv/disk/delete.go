package disk

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"dowse/internal/atomicfile"
)

// Delete removes a conversation: its tokens, the bytes of chunks that no other conversation
// owns, and their ids, which are hashes of the tokens. It is gone once its log is; after a
// crash Open removes the chunks without owner.
func (d *Disk) Delete(name string) error {
	d.work.Lock()
	defer d.work.Unlock()
	conv := d.conversations[name]
	if conv == nil {
		return ErrUnknown
	}
	if err := os.Remove(conv.log.path); err != nil {
		return fmt.Errorf("delete a conversation: %w", err)
	}
	d.mu.Lock()
	loose := d.disown(conv, 0)
	delete(d.conversations, name)
	d.mu.Unlock()
	err := errors.Join(d.free(loose), atomicfile.SyncFolder(d.folder))
	// A full disk keeps the ids until the next rewrite.
	if rewritten := d.rewrite(); !errors.Is(rewritten, ErrFull) {
		err = errors.Join(err, rewritten)
	}
	return err
}

// disown takes the chunks from a position on from a conversation and returns those without
// another owner. mu is held.
func (d *Disk) disown(conv *conversation, from int) (loose []ChunkID) {
	for position := from; position < len(conv.chunks); position++ {
		loose = append(loose, d.drop(conv.chunks[position].ID, owner{conv, position})...)
	}
	conv.chunks = conv.chunks[:from]
	return loose
}

// drop takes a chunk from an owner and returns its id if it has no other.
func (d *Disk) drop(id ChunkID, o owner) []ChunkID {
	c := d.chunks[id]
	c.owners = slices.DeleteFunc(c.owners, func(other owner) bool { return other == o })
	if len(c.owners) > 0 {
		return nil
	}
	return []ChunkID{id}
}

// free removes the bytes of chunks and frees their slots. Chunks with an owner are then
// missing, others are forgotten. The index is written first: a crash may leave bytes without a
// record, which Open removes, but never a record of removed bytes.
func (d *Disk) free(ids []ChunkID) error {
	var freed []extent
	d.mu.Lock()
	for _, id := range ids {
		c := d.chunks[id]
		if c.pages > 0 {
			freed = append(freed, c.extent)
			d.pending = appendFree(d.pending, id)
		}
		if c.slot = (slot{}); len(c.owners) == 0 {
			delete(d.chunks, id)
		}
	}
	d.mu.Unlock()
	// Records that find no room are written with the next ones.
	err := d.appendIndex(nil)
	if clean := d.clean(freed); err == nil {
		err = clean
	}
	return err
}

// appendIndex appends records to the index, after those that it had no room for earlier.
func (d *Disk) appendIndex(records []byte) error {
	if len(d.pending)+len(records) == 0 {
		return nil
	}
	if err := d.index.append(slices.Concat(d.pending, records), false); err != nil {
		return fmt.Errorf("the index of chunks: %w", err)
	}
	d.pending = nil
	return nil
}

// clean erases and frees pages that no chunk uses any more.
func (d *Disk) clean(freed []extent) error {
	slices.SortFunc(freed, func(a, b extent) int { return int(a.page - b.page) })
	end := d.space.end
	for _, e := range freed {
		d.space.give(e)
	}
	if d.space.end < end {
		if err := d.file.Truncate(d.space.end * pageBytes); err != nil {
			return fmt.Errorf("remove chunks: %w", err)
		}
	}
	for i, e := range freed {
		if i+1 < len(freed) && freed[i+1].page == e.end() {
			freed[i+1] = extent{e.page, e.pages + freed[i+1].pages}
			continue
		}
		if e.pages = min(e.end(), d.space.end) - e.page; e.pages <= 0 {
			continue
		}
		if err := scrub(d.file, e); err != nil {
			return fmt.Errorf("remove chunks: %w", full(err))
		}
	}
	return nil
}
