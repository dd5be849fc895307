package disk

import (
	"cmp"
	"slices"

	"dowse/engine/kv"
)

// candidate is a chunk that the quota may cost.
type candidate struct {
	id       ChunkID
	pages    int64
	level    kv.Level
	position int
	used     int64 // when the last of its owners was, in nanoseconds
}

// fit returns those of a conversation's chunks that the quota has room for. Chunks of
// conversations that were not used for longer make room. A conversation never makes
// room for itself, since what it would lose costs as much as what it gains. Without a
// conversation, all chunks that are on the disk are made to fit.
func (d *Disk) fit(conv *conversation, chunks []Chunk) ([]Chunk, error) {
	over := int64(0)
	for i := range chunks {
		over += d.more(&chunks[i])
	}
	if over += d.bytes()/pageBytes - d.quota/pageBytes; d.quota == 0 || over <= 0 {
		return chunks, nil
	}
	victims, over := d.victims(conv, over)
	if err := d.free(victims); err != nil {
		return nil, err
	}
	out := map[ChunkID]bool{}
	for _, c := range slices.SortedFunc(slices.Values(chunks), func(a, b Chunk) int {
		return cmp.Or(-cmp.Compare(a.Level, b.Level), cmp.Compare(a.Position, b.Position))
	}) {
		if more := d.more(&c); over > 0 && more > 0 {
			over -= more
			out[c.ID] = true
		}
	}
	d.mu.Lock()
	d.left += int64(len(victims) + len(out))
	d.mu.Unlock()
	return slices.DeleteFunc(chunks, func(c Chunk) bool { return out[c.ID] }), nil
}

// more returns how many pages a chunk takes beyond those that it takes already.
func (d *Disk) more(c *Chunk) int64 { return pagesOf(len(c.Data)) - d.chunks[c.ID].pages }

// victims returns the chunks of other conversations whose loss costs least, until they
// make up the pages over the quota, and what is still over then: those of the
// conversation that was used longest ago first, of these the heaviest first, which give
// the most bytes for one computation, and of these the first in the text, which is
// computed from the fewest others.
func (d *Disk) victims(conv *conversation, over int64) (ids []ChunkID, still int64) {
	var all []candidate
	for id, c := range d.chunks {
		if c.pages > 0 && !slices.ContainsFunc(c.owners, func(o owner) bool { return o.conv == conv }) {
			all = append(all, candidate{id, c.pages, c.level, c.owners[0].position, c.used().UnixNano()})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.used, b.used), -cmp.Compare(a.level, b.level), cmp.Compare(a.position, b.position), slices.Compare(a.id[:], b.id[:]))
	})
	for _, c := range all {
		if over <= 0 {
			break
		}
		ids, over = append(ids, c.id), over-c.pages
	}
	return ids, over
}
