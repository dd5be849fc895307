package disk

import (
	"cmp"
	"slices"

	"dowse/engine/kv"
)

// candidate is a chunk that the quota may evict.
type candidate struct {
	id       ChunkID
	pages    int64
	level    kv.Level
	position int
	used     int64 // last use of an owner, in nanoseconds
}

// fit returns the chunks of a conversation that the quota has room for, evicting chunks of
// other conversations. A conversation never evicts its own: it would lose as much as it
// gains. Without a conversation the stored chunks are made to fit.
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
	return slices.DeleteFunc(chunks, func(c Chunk) bool { return out[c.ID] }), nil
}

// more returns the additional pages of a chunk.
func (d *Disk) more(c *Chunk) int64 { return pagesOf(len(c.Data)) - d.chunks[c.ID].pages }

// victims returns other conversations' chunks to evict until they make up the pages over the
// quota, and what is still over then. Order: the least recently used conversation; then the
// highest level, which frees the most bytes per recomputation; then the first in the text,
// which is computed from the fewest others.
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
