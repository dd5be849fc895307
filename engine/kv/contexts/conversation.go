package contexts

import (
	"context"
	"fmt"
	"slices"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
	"dowse/engine/memory"
	"dowse/engine/transformer"
)

// conversation is one conversation. Who has taken it has all of it; while nobody has,
// the manager's lock guards it.
type conversation struct {
	id       string
	sequence *transformer.Sequence // nil before it is looked for on the disk
	tokens   []int32               // the sequence has the first of them
	chunks   []identity            // of all chunks at the end of the last call
	settled  int                   // of the chunks, the first ones whose density stays
	held     int64                 // bytes that are counted for it
	queued   int                   // chunks that may be in the manager's queue
	ahead    Ahead                 // of the next call

	logged int // tokens that the disk has
	same   int // of those, the first ones that are still those of the conversation

	// Guarded by the manager's lock at all times.
	taken    bool
	released chan struct{}      // closed when it is free again
	stop     context.CancelFunc // ends what is done in the background; nil for a call
	writing  bool               // that is writing
	deleted  bool
}

// identity is what a chunk is called on the disk. The open last one is called otherwise
// once it has more tokens.
type identity struct {
	id      disk.ChunkID
	level   kv.Level // that it has, or comes back with
	density float32  // by which its level is chosen
	written bool     // at that level; or there is nowhere to write it
}

// look finds out what the disk has of a conversation that is not in memory.
func (c *conversation) look(m *Manager) error {
	if c.sequence != nil {
		return nil
	}
	c.sequence = m.options.Decoder.NewConversation()
	if m.options.Ratio > 0 {
		c.sequence.TrackDensity()
	}
	if m.disk == nil {
		return nil
	}
	tokens, err := m.disk.Tokens(c.id)
	if err != nil { // what was said is kept elsewhere, too
		m.report(fmt.Errorf("a conversation will be read again: %w", err))
		return m.disk.Delete(c.id)
	}
	owned := m.disk.Chunks(c.id)
	c.tokens, c.logged, c.same = tokens, len(tokens), len(tokens)
	return c.resume(owned, m.first())
}

// resume makes the sequence one of the chunks that the disk has written down, none of
// which is in memory. The tokens behind them are computed when it is loaded.
func (c *conversation) resume(owned []disk.Owned, first disk.ChunkID) error {
	before, known := first, 0
	for _, o := range owned {
		length := c.tokensOf(o.ID, before, c.tokens[known:])
		if length == 0 {
			break // what it follows has changed
		}
		c.chunks = append(c.chunks, identity{id: o.ID, level: o.Level, density: o.Density, written: true})
		before = o.ID
		if known += length; length < c.sequence.Shape().ChunkTokens {
			break // it was open
		}
	}
	if err := c.sequence.Resume(c.tokens[:known]); err != nil {
		return err
	}
	c.settled = max(0, len(c.chunks)-kv.Residual)
	for i := range c.chunks {
		c.sequence.SetDensity(i, c.chunks[i].density)
		if err := c.sequence.SetLevel(i, c.chunks[i].level); err != nil {
			return err
		}
	}
	return nil
}

// tokensOf returns how many of the tokens behind another chunk the one with an id has: the
// open one may have fewer than there are. It is 0 for the id of something else.
func (c *conversation) tokensOf(id, before disk.ChunkID, behind []int32) int {
	for n := min(c.sequence.Shape().ChunkTokens, len(behind)); n > 0; n-- {
		if c.follows(id, before, behind[:n]) {
			return n
		}
	}
	return 0
}

// follows reports whether an id is that of a chunk of some tokens behind another one.
func (c *conversation) follows(id, before disk.ChunkID, tokens []int32) bool {
	return id == disk.NextID(before, tokens, "") || id == disk.NextID(before, tokens, c.id)
}

// set gives the conversation other tokens. What it has in common with those before
// stays.
func (c *conversation) set(tokens []int32) error {
	known := common(c.sequence.Tokens(), tokens)
	c.same = min(c.same, common(c.tokens, tokens))
	c.tokens = slices.Clone(tokens)
	if known == c.sequence.Len() {
		return nil
	}
	return c.sequence.Truncate(known)
}

// common returns how many tokens a and b begin with alike.
func common(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// seal names the chunks that are new or have changed. A chunk behind one that has fewer
// than 8 bits is this conversation's alone.
func (c *conversation) seal(first disk.ChunkID) {
	before, salt := first, ""
	chunks := c.sequence.Chunks()
	c.chunks = c.chunks[:min(len(c.chunks), chunks)]
	for i := range chunks {
		tokens, level := c.sequence.ChunkTokens(i), c.sequence.Level(i)
		if i < len(c.chunks) && !c.follows(c.chunks[i].id, before, tokens) {
			c.chunks = c.chunks[:i]
		}
		if i == len(c.chunks) {
			c.settled = min(c.settled, i)
			c.chunks = append(c.chunks, identity{id: disk.NextID(before, tokens, salt), level: level})
		}
		before = c.chunks[i].id
		if level != kv.Level8 {
			salt = c.id
		}
	}
}

// room returns the bytes that the conversation holds with that many more tokens, all
// of its chunks in memory, and a tree.
func (c *conversation) room(more int) int64 {
	s := c.sequence
	shape := s.Shape()
	total := memory.InPages(shape.Bytes(kv.MaxTree))
	for i := range s.Chunks() {
		if s.Missing(i) { // what is computed again begins with all its bits
			total += memory.InPages(shape.ChunkBytes(kv.Level8))
			continue
		}
		total += c.chunkBytes(i)
	}
	chunks := (s.Len() + more + shape.ChunkTokens - 1) / shape.ChunkTokens
	return total + int64(max(0, chunks-s.Chunks()))*memory.InPages(shape.ChunkBytes(kv.Level8))
}

// bytes returns what the conversation holds now, without a tree.
func (c *conversation) bytes() int64 {
	if c.sequence == nil {
		return 0
	}
	total := int64(0)
	for i := range c.sequence.Chunks() {
		if !c.sequence.Missing(i) {
			total += c.chunkBytes(i)
		}
	}
	return total
}

// chunkBytes returns what chunk i takes in memory.
func (c *conversation) chunkBytes(i int) int64 {
	shape := c.sequence.Shape()
	return memory.InPages(shape.ChunkBytes(c.sequence.Level(i)))
}

// dirty lists the chunks in memory that the disk does not have.
func (c *conversation) dirty() []int {
	var all []int
	for i := range c.chunks {
		if !c.chunks[i].written && c.sequence != nil && !c.sequence.Missing(i) {
			all = append(all, i)
		}
	}
	return all
}

// free gives up all that the conversation has in memory.
func (c *conversation) free() error {
	if c.sequence == nil {
		return nil
	}
	err := c.sequence.Free()
	c.sequence, c.tokens, c.chunks = nil, nil, nil
	return err
}
