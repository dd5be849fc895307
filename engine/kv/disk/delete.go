package disk

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"dowse/internal/atomicfile"
)

// Delete removes a conversation: its tokens, the bytes of the chunks that no other
// conversation owns, and their ids, which follow from the tokens. It is gone once its
// log is; after a crash the next Open finds chunks that nobody owns, and removes their
// bytes.
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
	// A full disk keeps the ids until the next time.
	if rewritten := d.rewrite(); !errors.Is(rewritten, ErrFull) {
		err = errors.Join(err, rewritten)
	}
	return err
}

// DropChunks removes the keys and values of all conversations. Their tokens stay.
func (d *Disk) DropChunks() error {
	d.work.Lock()
	defer d.work.Unlock()
	var all []ChunkID
	for id, c := range d.chunks {
		if c.pages > 0 {
			all = append(all, id)
		}
	}
	return d.free(all)
}

// disown takes a conversation's chunks from a position on from it, and returns those
// that are nobody's then. mu is held.
func (d *Disk) disown(conv *conversation, from int) (loose []ChunkID) {
	for position := from; position < len(conv.chunks); position++ {
		loose = append(loose, d.drop(conv.chunks[position].ID, owner{conv, position})...)
	}
	conv.chunks = conv.chunks[:from]
	return loose
}

// drop takes a chunk from an owner, and returns its id if it is nobody's then.
func (d *Disk) drop(id ChunkID, o owner) []ChunkID {
	c := d.chunks[id]
	c.owners = slices.DeleteFunc(c.owners, func(other owner) bool { return other == o })
	if len(c.owners) > 0 {
		return nil
	}
	return []ChunkID{id}
}

// free removes the bytes of chunks from the disk, and lets others have their slots.
// Chunks that have an owner are missing then, the others are forgotten. The index says
// so first: a crash leaves bytes that no record points to, which Open removes, and
// never a record of bytes that are gone.
func (d *Disk) free(ids []ChunkID) error {
	var freed []extent
	d.mu.Lock()
	for _, id := range ids {
		c := d.chunks[id]
		if c.pages > 0 {
			freed = append(freed, c.extent)
			d.unsaid = appendFree(d.unsaid, id)
		}
		if c.slot = (slot{}); len(c.owners) == 0 {
			delete(d.chunks, id)
		}
	}
	d.mu.Unlock()
	// A record that finds no room is written with the next one.
	err := d.say(nil)
	if clean := d.clean(freed); err == nil {
		err = clean
	}
	return err
}

// say appends records to the index, and those before them that it had no room for.
func (d *Disk) say(records []byte) error {
	if len(d.unsaid)+len(records) == 0 {
		return nil
	}
	if err := d.index.append(slices.Concat(d.unsaid, records), false); err != nil {
		return fmt.Errorf("the index of chunks: %w", err)
	}
	d.unsaid = nil
	return nil
}

// clean removes the bytes of pages that no chunk uses any more, and lets others have
// the pages.
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
