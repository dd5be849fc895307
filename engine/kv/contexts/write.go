package contexts

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine/kv/disk"
)

// batch is how many chunks are written at a time, the longest wait of a question that comes
// meanwhile.
const batch = 32

// write writes the new tokens and chunks of a held conversation, tokens first, since all else
// can be computed from them. It stops soon after ctx ends; the next write does the rest.
func (m *Manager) write(ctx context.Context, c *conversation) {
	dirty := c.dirty()
	if m.disk == nil {
		c.done(dirty)
		return
	}
	err := m.writeTokens(c)
	if err == nil {
		err = m.name(c, dirty)
	}
	for err == nil && len(dirty) > 0 && ctx.Err() == nil {
		n := min(batch, len(dirty))
		err = m.writeChunks(c, dirty[:n])
		dirty = dirty[n:]
	}
	if err == nil {
		return
	}
	m.report(fmt.Errorf("keys and values of a conversation were not kept, and will be computed again: %w", err))
	if errors.Is(err, disk.ErrFull) || c.same < len(c.tokens) {
		c.done(c.dirty()) // do not lock them in memory for a full disk
	}
}

// done marks chunks as written, or never to be.
func (c *conversation) done(chunks []int) {
	for _, i := range chunks {
		c.chunks[i].written = true
	}
}

func (m *Manager) writeTokens(c *conversation) error {
	if c.same < c.logged {
		if err := m.disk.Truncate(c.id, c.same); err != nil {
			return err
		}
		c.logged = c.same
	}
	if c.same < len(c.tokens) {
		if err := m.disk.Append(c.id, c.tokens[c.same:]); err != nil {
			return err
		}
		c.logged, c.same = len(c.tokens), len(c.tokens)
	}
	return nil
}

// name names chunks and levels on the disk, all at once and before their bytes, so that a
// crash leaves the levels from before an answer or from behind it.
func (m *Manager) name(c *conversation, numbers []int) error {
	if len(numbers) == 0 {
		return nil
	}
	list := make([]disk.Chunk, len(numbers))
	for n, i := range numbers {
		known := &c.chunks[i]
		list[n] = disk.Chunk{Position: i, ID: known.id, Level: known.level, Density: known.density}
	}
	return m.disk.Put(c.id, list)
}

func (m *Manager) writeChunks(c *conversation, numbers []int) error {
	list, bytes := make([]disk.Chunk, len(numbers)), int64(0)
	for n, i := range numbers {
		known := &c.chunks[i]
		list[n] = disk.Chunk{Position: i, ID: known.id, Level: known.level, Density: known.density, Data: c.sequence.Data(i)}
		bytes += int64(len(list[n].Data))
	}
	if err := m.disk.Put(c.id, list); err != nil {
		return err
	}
	c.done(numbers)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stats.Written += len(list)
	m.stats.BytesWritten += bytes
	return nil
}

// report records a problem.
func (m *Manager) report(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.problem(err)
}

// problem is report for a caller that holds mu.
func (m *Manager) problem(err error) { m.stats.Problem = err.Error() }
