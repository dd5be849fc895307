package weights

import (
	"fmt"
	"slices"

	"dowse/engine/memory"
)

// Callers of the methods in this file hold ExpertCache.mu.

// pump begins as many reads as may be under way: chosen experts first, then guessed ones.
func (c *ExpertCache[E]) pump() {
	for c.reading < expertReaders && !c.closed {
		queue, chosen := &c.wanted, true
		if len(c.wanted) == 0 {
			queue, chosen = &c.ahead, false
		}
		if len(*queue) == 0 {
			return
		}
		id := (*queue)[0]
		if c.at[id] == nil {
			slot := c.room(false)
			if slot == nil {
				return
			}
			c.read(slot, id)
			slot.wanted, slot.ahead, slot.guess = chosen, !chosen, !chosen
		}
		*queue = (*queue)[1:]
	}
}

// read begins to read an expert into a slot.
func (c *ExpertCache[E]) read(slot *expertSlot[E], id int32) {
	read := &expertRead{done: make(chan struct{})}
	slot.id, slot.read = id, read
	slot.wanted, slot.ahead, slot.guess = true, false, false
	c.at[id] = slot
	c.reading++
	c.stats.Reads++
	c.stats.BytesRead += int64(c.experts.Bytes)
	layer, expert := int(id)/c.experts.Count, int(id)%c.experts.Count
	c.running.Go(func() {
		view, err := c.experts.Read(layer, expert, slot.buffer.Bytes())
		c.mu.Lock()
		defer c.mu.Unlock()
		if err != nil {
			read.err = fmt.Errorf("layer %d: %w", layer, err)
			c.at[id], slot.id = nil, -1
		}
		slot.expert, read.over = view, true
		c.reading--
		close(read.done)
		c.pump()
	})
}

// room returns a slot to read into, new or evicted, or nil. A pass that waits may evict
// experts that were read for later.
func (c *ExpertCache[E]) room(waiting bool) *expertSlot[E] {
	if len(c.slots) < c.limit {
		buffer, err := memory.NewBuffer(c.ledger, KeptPool, c.experts.Bytes)
		if err == nil {
			slot := &expertSlot[E]{buffer: buffer, id: -1}
			c.slots = append(c.slots, slot)
			return slot
		}
		c.failed = err
	}
	slot := c.victim(waiting)
	if slot != nil {
		c.evict(slot)
	}
	return slot
}

// underWay returns an unfinished read, or nil.
func (c *ExpertCache[E]) underWay() *expertRead {
	for _, slot := range c.slots {
		if slot.id >= 0 && !slot.read.over {
			return slot.read
		}
	}
	return nil
}

// victim returns an empty slot, or that of the expert chosen by the fewest tokens, or nil.
// A pass that waits may also take a guessed expert's, and then that of the chosen expert
// used last.
func (c *ExpertCache[E]) victim(waiting bool) *expertSlot[E] {
	var idle, guessed, later *expertSlot[E]
	for _, slot := range c.slots {
		switch {
		case slot.id < 0:
			return slot
		case slot.lent || !slot.read.over:
		case slot.wanted:
			if later == nil || slot.id > later.id {
				later = slot
			}
		case slot.guess:
			guessed = slot
		case idle == nil || c.counts.Key(slot.id) < c.counts.Key(idle.id):
			idle = slot
		}
	}
	if idle != nil || !waiting {
		return idle
	}
	if guessed != nil {
		return guessed
	}
	return later
}

// evict takes the expert out of a slot.
func (c *ExpertCache[E]) evict(slot *expertSlot[E]) {
	if slot.id < 0 {
		return
	}
	c.at[slot.id] = nil
	var none E
	slot.id, slot.expert, slot.wanted, slot.ahead, slot.guess = -1, none, false, false, false
}

// drop gives the memory of a slot back.
func (c *ExpertCache[E]) drop(slot *expertSlot[E]) error {
	c.evict(slot)
	c.slots = slices.DeleteFunc(c.slots, func(s *expertSlot[E]) bool { return s == slot })
	return slot.buffer.Free()
}
