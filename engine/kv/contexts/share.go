package contexts

import (
	"context"
	"errors"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
)

// Share gives a conversation that has no tokens yet those keys and values that others on
// the disk have of the beginning of its tokens, such as the same instructions and passages.
// Its Sequence is then one of the first tokens, as if they had been computed; none of
// them where computing takes no longer by what is known of this machine. Room must have
// been reserved.
//
// Chunks are taken at 8 bits alone. Those between them that others have at fewer bits are
// computed behind the ones before, which gives the bits that they had first.
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

// others lists the chunks that tokens begin with, up to the last one that the disk has at
// 8 bits, and what a plan needs to know of them.
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
