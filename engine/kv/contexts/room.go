package contexts

import "fmt"

// keeps reports whether conversations stay in memory between calls. Beside a model that is
// streamed, each of their bytes would cost one of a cached layer.
func (m *Manager) keeps() bool { return m.options.Decoder.Resident() }

// reserve makes room for a conversation of want bytes, own of them beside the budget. Idle
// conversations are evicted first, then idle models.
func (m *Manager) reserve(c *conversation, want, own int64) error {
	for {
		need, done := m.tryReserve(c, want, own)
		if done {
			return nil
		}
		granted, err := m.lease.Claim(need)
		if err != nil {
			return err
		}
		if !granted {
			return fmt.Errorf("%w: it takes %d bytes, %d more than are free; give it more by the setting memory", ErrRoom, want, need)
		}
		m.mu.Lock()
		m.granted += need
		m.mu.Unlock()
	}
}

// tryReserve is reserve without evicting models. It returns how many bytes are lacking.
func (m *Manager) tryReserve(c *conversation, want, own int64) (need int64, done bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	want = max(want, c.held)
	need = m.held - c.held + want - own - m.granted
	if need > 0 && !m.grow(need) {
		need -= m.dropIdle(need)
		if need > 0 && !m.grow(need) {
			return need, false
		}
	}
	m.held += want - c.held
	c.held = want
	return 0, true
}

// grow takes free bytes of the budget. The caller holds mu.
func (m *Manager) grow(bytes int64) bool {
	if !m.keeps() || !m.lease.Grow(bytes) {
		return false
	}
	m.granted += bytes
	return true
}

// shrink returns granted bytes that are not held. The caller holds mu.
func (m *Manager) shrink() {
	if spare := m.granted - m.held; spare > 0 {
		m.lease.Shrink(spare)
		m.granted -= spare
	}
}

// settle recounts a conversation's bytes and marks it as used last. The caller holds mu and
// the conversation.
func (m *Manager) settle(c *conversation) {
	held := c.bytes()
	m.held += held - c.held
	c.held = held
	chunks := 0
	if c.sequence != nil {
		chunks = c.sequence.Chunks()
	}
	for i := range max(chunks, c.queued) {
		if at := (place{c.id, i}); i >= chunks || c.sequence.Missing(i) {
			m.queue.Remove(at)
		} else {
			m.queue.Use(at, c.chunkBytes(i))
		}
	}
	c.queued = chunks
}

// yield evicts for another holder of the budget and reports whether that freed any bytes.
func (m *Manager) yield() (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.granted
	m.dropIdle(m.held)
	m.shrink()
	return m.granted < before, nil
}

// dropIdle drops stored chunks until that many bytes are free, and returns how many are. Nothing
// is written. The caller holds mu.
func (m *Manager) dropIdle(bytes int64) (freed int64) {
	for _, at := range m.queue.Evict(bytes, m.locked) {
		c := m.conversations[at.id]
		size := c.chunkBytes(at.chunk)
		if err := c.sequence.Drop(at.chunk); err != nil {
			m.problem(err)
			continue
		}
		freed += size
		c.held -= size
		m.held -= size
		m.stats.Dropped++
	}
	return freed
}

// locked reports whether a chunk must stay in memory. The caller holds mu.
func (m *Manager) locked(at place) bool {
	c := m.conversations[at.id]
	return c.taken || at.chunk < len(c.chunks) && !c.chunks[at.chunk].written
}
