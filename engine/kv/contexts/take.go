package contexts

import "context"

// What take stops.
const (
	stopWriting = false
	stopAll     = true
)

// take waits until nobody has a conversation, and has it until release. Work in the
// background that writes it is stopped, with all also that which loads it.
func (m *Manager) take(ctx context.Context, id string, all bool) (*conversation, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.mu.Lock()
		c := m.conversations[id]
		if c == nil || !c.taken {
			c = m.hold(id)
			m.mu.Unlock()
			return c, nil
		}
		if c.stop != nil && (all || c.writing) {
			c.stop()
		}
		released := c.released
		m.mu.Unlock()
		select {
		case <-released:
		case <-ctx.Done():
		}
	}
}

// hold takes a conversation that nobody has. The caller holds mu.
func (m *Manager) hold(id string) *conversation {
	c := m.conversations[id]
	if c == nil {
		c = &conversation{id: id}
		m.conversations[id] = c
	}
	c.taken, c.released = true, make(chan struct{})
	if m.active++; m.active == 1 {
		m.idle = make(chan struct{})
		m.lease.Busy()
	}
	return c
}

// release lets others have a conversation. Once nobody has any, what they hold may be
// taken for models.
func (m *Manager) release(c *conversation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settle(c)
	c.taken, c.writing, c.stop = false, false, nil
	close(c.released)
	if c.deleted || len(c.tokens) == 0 {
		delete(m.conversations, c.id)
	}
	if m.active--; m.active == 0 {
		m.shrink()
		m.lease.Idle()
		close(m.idle)
	}
}
