package contexts

import (
	"context"
	"errors"
	"sync"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
	"dowse/engine/transformer"
)

// Restored counts the work of bringing a conversation back into memory.
type Restored struct {
	transformer.RestoreStats
	ReadTokens int // tokens of chunks that were read
	Inexact    int // chunks computed behind lowered ones, which changes them
	// Appended tokens follow the named chunks and were computed. Fewer than a chunk's are left
	// to be computed with the question.
	Appended int
}

// Ahead counts the tokens that Focus read or computed before a call.
type Ahead struct{ Read, Computed int }

// load brings all of a conversation into memory. own bytes may be taken beside the budget. The
// caller holds the conversation.
func (m *Manager) load(ctx context.Context, c *conversation, own int64) (Restored, error) {
	if err := c.lookUp(m); err != nil {
		return Restored{}, err
	}
	lacking := c.tokens[c.sequence.Len():]
	if len(lacking) < c.sequence.Shape().ChunkTokens {
		lacking = nil // a pass for them would add as much again to that for the question
	}
	missing := c.sequence.MissingChunks()
	if len(missing)+len(lacking) == 0 {
		return Restored{}, nil
	}
	if err := m.reserve(c, c.room(len(lacking)), own); err != nil {
		return Restored{}, err
	}
	done, err := m.restore(ctx, c, missing)
	if err == nil && len(lacking) > 0 {
		err = m.options.Decoder.Append(ctx, c.sequence, lacking, nil)
		done.Appended = len(lacking)
		c.seal(m.first())
		err = errors.Join(err, m.lower(c)) // as at the end of the interrupted answer
	}
	return done, err
}

// restore brings missing chunks back.
func (m *Manager) restore(ctx context.Context, c *conversation, missing []int) (Restored, error) {
	if len(missing) == 0 {
		return Restored{}, nil
	}
	compute, err := m.plan(c, missing)
	if err != nil {
		return Restored{}, err
	}
	computed := map[int]bool{}
	for _, i := range compute {
		computed[i] = true
	}
	var mu sync.Mutex
	stats, err := m.options.Decoder.Restore(ctx, c.sequence, compute, func(ctx context.Context, chunk, group int, dst []byte) error {
		err := m.disk.Read(ctx, c.chunks[chunk].id, group, dst)
		if err != nil && ctx.Err() == nil {
			mu.Lock()
			computed[chunk] = true
			mu.Unlock()
		}
		return err
	})
	if err != nil {
		return Restored{}, err
	}
	return m.loaded(c, stats, missing, computed)
}

// plan chooses the missing chunks to compute and sets the levels of those to read. Chunks
// behind lowered ones are computed only if they must be, since that changes them.
func (m *Manager) plan(c *conversation, missing []int) ([]int, error) {
	s := c.sequence
	exact := c.exact()
	list := make([]kv.MissingChunk, len(missing))
	for n, i := range missing {
		level, kept := m.find(c, i)
		if kept {
			if err := s.SetLevel(i, level); err != nil {
				return nil, err
			}
		}
		list[n] = s.Missed(i, kept)
		list[n].ReadOnly = i >= exact
	}
	_, compute := kv.PlanRestore(list, m.meter.Profile())
	return compute, nil
}

// find returns the level of a chunk on the disk, if it is there at a sufficient one.
func (m *Manager) find(c *conversation, chunk int) (kv.Level, bool) {
	if m.disk == nil || chunk >= len(c.chunks) {
		return 0, false
	}
	entry, there := m.disk.Find(c.chunks[chunk].id)
	return entry.Level, there && entry.Level >= c.chunks[chunk].level
}

// exact returns the number of chunks with only 8-bit chunks before them.
func (c *conversation) exact() int {
	for i := range c.chunks {
		if c.chunks[i].level != kv.Level8 {
			return i + 1
		}
	}
	return c.sequence.Chunks()
}

// loaded lowers restored chunks to their levels and counts the work.
func (m *Manager) loaded(c *conversation, stats transformer.RestoreStats, missing []int, computed map[int]bool) (Restored, error) {
	done, exact := Restored{RestoreStats: stats}, c.exact()
	for _, i := range missing {
		if !computed[i] {
			done.ReadTokens += len(c.sequence.ChunkTokens(i))
		}
		if i >= len(c.chunks) {
			continue // it is open, or was never written
		}
		if level := c.chunks[i].level; c.sequence.Level(i) != level {
			if err := c.sequence.Lower(i, level); err != nil {
				return done, err
			}
		}
		switch {
		case !computed[i]:
		case i >= exact:
			done.Inexact++
			c.chunks[i].id, c.chunks[i].written = disk.ChunkID{}, false // it has other bytes now
		case m.disk != nil:
			_, c.chunks[i].written = m.find(c, i)
		}
	}
	m.meter.Computed(stats.Tokens, stats.Positions, stats.Computing)
	m.meter.Read(stats.Reads, stats.Bytes, stats.Reading)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stats.Read += stats.Read
	m.stats.BytesRead += stats.Bytes
	m.stats.Computed += stats.Computed
	m.stats.Failed += stats.Failed
	m.stats.Inexact += done.Inexact
	return done, nil
}

// Share gives a conversation without tokens the keys and values that others on the disk have of
// the beginning of tokens, such as the same instructions and passages, as if they had been
// computed. Room must have been reserved. Nothing is shared if computing is as fast.
//
// Only 8-bit chunks are shared. Lowered ones between them are computed, which gives their
// original bits.
func (s *Session) Share(ctx context.Context, tokens []int32) (Restored, error) {
	m, c := s.manager, s.conversation
	if m.disk == nil || c.sequence.Len() > 0 {
		return Restored{}, nil
	}
	found, missing := m.others(c, tokens)
	n := kv.PlanPrefix(missing, len(tokens), m.meter.Profile())
	if n == 0 {
		return Restored{}, nil
	}
	if err := c.sequence.Resume(tokens[:n*c.sequence.Shape().ChunkTokens]); err != nil {
		return Restored{}, err
	}
	c.chunks, c.settled = found[:n], 0
	for i := range c.chunks {
		c.sequence.SetDensity(i, c.chunks[i].density)
	}
	done, err := m.restore(ctx, c, c.sequence.MissingChunks())
	if err != nil {
		c.chunks = nil
		err = errors.Join(err, c.sequence.Truncate(0))
	}
	return done, err
}

// others lists the first chunks of tokens, up to the last one that the disk has at 8 bits,
// and their plan.
func (m *Manager) others(c *conversation, tokens []int32) (found []identity, missing []kv.MissingChunk) {
	shape, before, last := c.sequence.Shape(), m.first(), 0
	for i := range len(tokens) / shape.ChunkTokens {
		own := tokens[i*shape.ChunkTokens:][:shape.ChunkTokens]
		before = disk.NextID(before, own, "")
		entry, there := m.disk.Find(before)
		kept := there && entry.Level == kv.Level8
		if kept {
			last = i + 1
		}
		found = append(found, identity{id: before, level: kv.Level8, density: entry.Density})
		missing = append(missing, kv.MissingChunk{
			Chunk: i, First: i * shape.ChunkTokens, Tokens: len(own), Bytes: shape.ChunkBytes(kv.Level8), Kept: kept,
		})
	}
	return found[:last], missing[:last]
}
