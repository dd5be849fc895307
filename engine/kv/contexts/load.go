package contexts

import (
	"context"
	"errors"
	"sync"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
	"dowse/engine/transformer"
)

// Restored is what brought a conversation back into memory.
type Restored struct {
	transformer.RestoreStats
	// Tokens of the chunks that were read, and Inexact chunks that were computed behind
	// lowered ones, and so are not what they were.
	ReadTokens, Inexact int
	// Appended tokens belong to no chunk that was written down, and were computed behind
	// the others. Fewer than a chunk has are left to be computed with the question.
	Appended int
}

// Ahead counts the tokens that Focus brought back before a call: read, or computed.
type Ahead struct{ Read, Computed int }

// load brings all of a conversation into memory, which own bytes beside the budget may
// be taken for. The caller has it.
func (m *Manager) load(ctx context.Context, c *conversation, own int64) (Restored, error) {
	if err := c.look(m); err != nil {
		return Restored{}, err
	}
	lacking := c.tokens[c.sequence.Len():]
	if len(lacking) < c.sequence.Shape().ChunkTokens {
		lacking = nil // a pass for a few of them would cost as much as one for the question, too
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
		err = errors.Join(err, m.lower(c)) // as the answer that they end with did, had nothing ended the process
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

// plan chooses which missing chunks are computed, and says at which level the others
// are read. Chunks behind lowered ones are computed only where they have to be, since
// that does not give the same bits.
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

// find returns at which level the disk has a chunk, and reports whether it does.
func (m *Manager) find(c *conversation, chunk int) (kv.Level, bool) {
	if m.disk == nil || chunk >= len(c.chunks) {
		return 0, false
	}
	entry, there := m.disk.Find(c.chunks[chunk].id)
	return entry.Level, there && entry.Level >= c.chunks[chunk].level
}

// exact is how many chunks have nothing but 8 bits before them.
func (c *conversation) exact() int {
	for i := range c.chunks {
		if c.chunks[i].level != kv.Level8 {
			return i + 1
		}
	}
	return c.sequence.Chunks()
}

// loaded gives chunks that came back the levels that they had.
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
			c.chunks[i].id, c.chunks[i].written = disk.ChunkID{}, false // another chunk from now on
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
