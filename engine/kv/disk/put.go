package disk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"dowse/engine/kv"
)

// Chunk is a chunk to put, a complete one or the open last one, which the next longer one
// replaces.
type Chunk struct {
	Position int // number in its conversation
	ID       ChunkID
	Level    kv.Level
	Density  float32
	Data     []byte // all layers; nil to leave the stored bytes as they are
}

// Put names chunks of a conversation and writes those with Data that are not stored at that
// level. A chunk replaces the one at its position, which is how chunks are lowered; a level
// that another owner asked for is never undercut. Chunks are written at once and adjacent. The
// quota may leave chunks out without an error; Find tells. After ErrFull stored chunks are
// intact and new ones may be missing.
func (d *Disk) Put(name string, chunks []Chunk) error {
	d.work.Lock()
	defer d.work.Unlock()
	conv := d.conversations[name]
	if conv == nil {
		return ErrUnknown
	}
	if err := d.checkPut(conv, chunks); err != nil {
		return err
	}
	loose, err := d.claim(conv, chunks)
	if err != nil {
		return fmt.Errorf("chunks of a conversation: %w", err)
	}
	d.use(conv, conv.tokens)
	err = d.free(loose)
	return errors.Join(err, d.store(conv, chunks))
}

// checkPut rejects chunks that cannot be the conversation's.
func (d *Disk) checkPut(conv *conversation, chunks []Chunk) error {
	known := len(conv.chunks)
	for i, c := range chunks {
		size := d.layout.Bytes(c.Level)
		switch {
		case size == 0:
			return fmt.Errorf("chunk %d of a conversation has %d bits, which the layout does not know", c.Position, c.Level)
		case c.Data != nil && len(c.Data) != size:
			return fmt.Errorf("chunk %d of a conversation has %d bytes, want %d", c.Position, len(c.Data), size)
		case i > 0 && c.Position <= chunks[i-1].Position:
			return fmt.Errorf("chunk %d of a conversation is put after chunk %d; they must ascend", c.Position, chunks[i-1].Position)
		case c.Position < 0 || c.Position > known:
			return fmt.Errorf("chunk %d of a conversation is put before chunk %d", c.Position, known)
		case c.Position*d.layout.ChunkTokens >= conv.tokens:
			return fmt.Errorf("chunk %d of a conversation has no token: there are %d", c.Position, conv.tokens)
		}
		known = max(known, c.Position+1)
	}
	return nil
}

// claim records the owner of the chunks and returns those that lost their last one.
func (d *Disk) claim(conv *conversation, chunks []Chunk) (loose []ChunkID, err error) {
	var records []byte
	for from := 0; from < len(chunks); {
		var run []Owned
		first, known := chunks[from].Position, true
		for from < len(chunks) && chunks[from].Position == first+len(run) {
			c := &chunks[from]
			o := Owned{ID: c.ID, Level: c.Level, Density: c.Density}
			known = known && c.Position < len(conv.chunks) && conv.chunks[c.Position] == o
			run = append(run, o)
			from++
		}
		if !known {
			records = appendOwned(records, first, run)
		}
	}
	if len(records) > 0 {
		if err := conv.log.append(records, false); err != nil {
			return nil, err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range chunks {
		c := &chunks[i]
		o := owner{conv, c.Position}
		if c.Position == len(conv.chunks) {
			conv.chunks = append(conv.chunks, Owned{})
		} else if old := conv.chunks[c.Position].ID; old != c.ID {
			loose = append(loose, d.drop(old, o)...)
		}
		conv.chunks[c.Position] = Owned{ID: c.ID, Level: c.Level, Density: c.Density}
		d.own(c.ID, o)
	}
	return slices.DeleteFunc(loose, func(id ChunkID) bool { return len(d.chunks[id].owners) > 0 }), nil
}

// store writes the chunks that are wanted and fit.
func (d *Disk) store(conv *conversation, chunks []Chunk) error {
	var wanted []Chunk
	put := map[ChunkID]bool{}
	for _, c := range chunks {
		if c.Data != nil && !put[c.ID] && d.wants(conv, &c) {
			put[c.ID] = true
			wanted = append(wanted, c)
		}
	}
	wanted, err := d.fit(conv, wanted)
	if err != nil || len(wanted) == 0 {
		return err
	}
	slots, err := d.write(conv, wanted)
	if err != nil {
		return fmt.Errorf("chunks of a conversation: %w", err)
	}
	var records []byte
	var old []extent
	for i := range wanted {
		records = appendSlot(records, wanted[i].ID, slots[i])
	}
	if err := d.appendIndex(records); err != nil {
		return errors.Join(err, d.clean(extents(slots)))
	}
	d.mu.Lock()
	for i := range wanted {
		c := d.chunks[wanted[i].ID]
		if c.pages > 0 {
			old = append(old, c.extent)
		}
		c.slot = slots[i]
	}
	d.mu.Unlock()
	d.tidy()
	return d.clean(old)
}

// wants reports whether a chunk has to be written: it is not stored, or at too low a level, or
// at a higher one than any owner needs.
func (d *Disk) wants(conv *conversation, put *Chunk) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	c := d.chunks[put.ID]
	if !c.stored() || put.Level > c.level {
		return true
	}
	return put.Level < c.level && put.Level >= c.levelOfOthers(conv)
}

func (d *Disk) write(conv *conversation, chunks []Chunk) ([]slot, error) {
	sizes := make([]int64, len(chunks))
	for i := range chunks {
		sizes[i] = pagesOf(len(chunks[i].Data))
	}
	near := int64(-1)
	if before := chunks[0].Position - 1; before >= 0 {
		if c := d.chunks[conv.chunks[before].ID]; c.pages > 0 {
			near = c.end()
		}
	}
	pages := d.space.alloc(sizes, near)
	slots, pieces := make([]slot, len(chunks)), make([]piece, len(chunks))
	for i, c := range chunks {
		at := extent{pages[i], sizes[i]}
		slots[i] = slot{extent: at, level: c.Level, sums: d.layout.sumsOf(c.ID, c.Level, c.Data)}
		pieces[i] = piece{at, c.Data}
	}
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.page, b.page) })
	err := runs(pieces, func(run []piece) error {
		if err := d.writes.pass(context.Background(), bytesOf(run)); err != nil {
			return err
		}
		return transfer(d.file, run, writeVector)
	})
	if err != nil {
		return nil, errors.Join(full(err), d.clean(extents(slots)))
	}
	return slots, nil
}

func bytesOf(run []piece) (total int) {
	for _, p := range run {
		total += len(p.data)
	}
	return total
}

func extents(slots []slot) []extent {
	all := make([]extent, len(slots))
	for i := range slots {
		all[i] = slots[i].extent
	}
	return all
}

// tidyFrom is the least size of an index that is rewritten.
const tidyFrom = 1 << 20

// tidy rewrites an index that is mostly superseded.
func (d *Disk) tidy() {
	if d.index.size >= tidyFrom && d.index.size >= int64(wasted*len(d.chunks)*(recordHeader+slotRecord)) {
		_ = d.rewrite() // the long one is as good
	}
}

// rewrite replaces the index by its shortest form.
func (d *Disk) rewrite() error {
	l, err := createLog(d.index.path, encodeIndex(d.key, d.slots()))
	if err != nil {
		return fmt.Errorf("the index of chunks: %w", err)
	}
	d.index, d.pending = l, nil
	return nil
}

// slots returns the slots in use.
func (d *Disk) slots() map[ChunkID]slot {
	d.mu.RLock()
	defer d.mu.RUnlock()
	slots := map[ChunkID]slot{}
	for id, c := range d.chunks {
		if c.pages > 0 {
			slots[id] = c.slot
		}
	}
	return slots
}
