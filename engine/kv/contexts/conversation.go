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

// conversation is one conversation. Its holder owns all of it; while it is free, the manager's
// lock guards it.
type conversation struct {
	id       string
	sequence *transformer.Sequence // nil before it is looked up on the disk
	tokens   []int32               // may exceed those of the sequence
	chunks   []identity            // of all chunks at the end of the last call
	settled  int                   // number of first chunks whose density is final
	held     int64                 // bytes counted for it
	queued   int                   // chunks that may be in the manager's queue
	ahead    Ahead                 // of the next call

	logged int // tokens on the disk
	same   int // the first of these that are still the conversation's

	// Guarded by the manager's lock at all times.
	taken    bool
	released chan struct{}      // closed when it is free again
	stop     context.CancelFunc // ends background work; nil for a call
	writing  bool               // the background work is writing
	deleted  bool
}

// identity names a chunk on the disk. An open last chunk gets another id with more tokens.
type identity struct {
	id      disk.ChunkID
	level   kv.Level // present, or after restoring
	density float32  // by which its level is chosen
	written bool     // at that level, or will never be
}

// lookUp finds a conversation on the disk unless it is in memory.
func (c *conversation) lookUp(m *Manager) error {
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
	if err != nil { // the text is kept elsewhere, too
		m.report(fmt.Errorf("a conversation will be read again: %w", err))
		return m.disk.Delete(c.id)
	}
	owned := m.disk.Chunks(c.id)
	c.tokens, c.logged, c.same = tokens, len(tokens), len(tokens)
	return c.resume(owned, m.first())
}

// resume sets the sequence to the chunks named on the disk, all missing. load computes the
// tokens behind them.
func (c *conversation) resume(owned []disk.Owned, first disk.ChunkID) error {
	before, known := first, 0
	for _, o := range owned {
		length := c.tokensOf(o.ID, before, c.tokens[known:])
		if length == 0 {
			break // tokens before or in it have changed
		}
		c.chunks = append(c.chunks, identity{id: o.ID, level: o.Level, density: o.Density, written: true})
		before = o.ID
		if known += length; length < c.sequence.Shape().ChunkTokens {
			break // this one was open
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

// tokensOf returns the number of tokens of the chunk id behind another one, since an open
// chunk may have fewer than there are; 0 for other ids.
func (c *conversation) tokensOf(id, before disk.ChunkID, behind []int32) int {
	for n := min(c.sequence.Shape().ChunkTokens, len(behind)); n > 0; n-- {
		if c.follows(id, before, behind[:n]) {
			return n
		}
	}
	return 0
}

// follows reports whether an id is that of some tokens behind another chunk.
func (c *conversation) follows(id, before disk.ChunkID, tokens []int32) bool {
	return id == disk.NextID(before, tokens, "") || id == disk.NextID(before, tokens, c.id)
}

// set replaces the tokens. The common prefix keeps its keys and values.
func (c *conversation) set(tokens []int32) error {
	known := common(c.sequence.Tokens(), tokens)
	c.same = min(c.same, common(c.tokens, tokens))
	c.tokens = slices.Clone(tokens)
	if known == c.sequence.Len() {
		return nil
	}
	return c.sequence.Truncate(known)
}

// common returns the length of the common prefix.
func common(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// seal names new and changed chunks. Chunks behind lowered ones are not shared.
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

// room returns the bytes of the conversation with that many more tokens, all chunks in memory,
// and a tree.
func (c *conversation) room(more int) int64 {
	s := c.sequence
	shape := s.Shape()
	total := memory.InPages(shape.Bytes(kv.MaxTree))
	for i := range s.Chunks() {
		if s.Missing(i) { // may be computed, at all bits
			total += memory.InPages(shape.ChunkBytes(kv.Level8))
			continue
		}
		total += c.chunkBytes(i)
	}
	chunks := (s.Len() + more + shape.ChunkTokens - 1) / shape.ChunkTokens
	return total + int64(max(0, chunks-s.Chunks()))*memory.InPages(shape.ChunkBytes(kv.Level8))
}

// bytes returns the bytes held now, without a tree.
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

func (c *conversation) chunkBytes(i int) int64 {
	shape := c.sequence.Shape()
	return memory.InPages(shape.ChunkBytes(c.sequence.Level(i)))
}

// dirty lists the chunks in memory that are not on the disk.
func (c *conversation) dirty() []int {
	var all []int
	for i := range c.chunks {
		if !c.chunks[i].written && c.sequence != nil && !c.sequence.Missing(i) {
			all = append(all, i)
		}
	}
	return all
}

// free frees all memory of the conversation.
func (c *conversation) free() error {
	if c.sequence == nil {
		return nil
	}
	err := c.sequence.Free()
	c.sequence, c.tokens, c.chunks = nil, nil, nil
	return err
}

// lower gives chunks before the last few fewer bits, those first that later tokens attended to
// least. Levels must not depend on whether the conversation stayed in memory or came back from
// the disk, so densities are final once a chunk is not among the last few, as stored.
func (m *Manager) lower(c *conversation) error {
	if m.options.Ratio <= 0 {
		return nil
	}
	s := c.sequence
	c.settleDensities()
	lowered, err := s.LowerTo(s.LowerPlan(m.options.Ratio))
	for _, i := range lowered {
		c.chunks[i].level, c.chunks[i].written = s.Level(i), false
	}
	return err
}

// settleDensities makes the densities in memory those given to the disk.
func (c *conversation) settleDensities() {
	s := c.sequence
	for i := range c.chunks {
		known := &c.chunks[i]
		if now := s.Density(i); i >= c.settled && now != known.density {
			known.density, known.written = now, false
		}
		s.SetDensity(i, known.density)
	}
	c.settled = max(0, len(c.chunks)-kv.Residual)
}
