package contexts

import (
	"context"
	"errors"

	"dowse/engine/transformer"
)

// Session is a conversation during a call, for one goroutine.
type Session struct {
	Restored Restored // by Open
	Ahead    Ahead    // by Focus since the last call

	manager      *Manager
	conversation *conversation
	opened       int     // tokens of the sequence at Open
	committed    []int32 // nil without Commit
}

// Open locks a conversation, a new one if the name is unknown, and brings it into memory
// except perhaps its last tokens, which the caller computes with the next ones. It waits for
// a background load of it and stops a background write. The error wraps ErrRoom if it does not
// fit into memory.
func (m *Manager) Open(ctx context.Context, id string) (*Session, error) {
	c, err := m.take(ctx, id, stopWriting)
	if err != nil {
		return nil, err
	}
	s := &Session{manager: m, conversation: c}
	if s.Restored, err = m.load(ctx, c, m.options.Own); err != nil {
		m.leave(c)
		return nil, err
	}
	s.opened = c.sequence.Len()
	s.Ahead, c.ahead = c.ahead, Ahead{}
	return s, nil
}

// Sequence is the conversation's keys and values. It may lack the last tokens.
func (s *Session) Sequence() *transformer.Sequence { return s.conversation.sequence }

// Tokens returns the tokens of the conversation: those committed, or those of the Sequence. The
// caller must not change them.
func (s *Session) Tokens() []int32 {
	switch c := s.conversation; {
	case s.committed != nil:
		return s.committed
	case c.sequence.Len() == s.opened:
		return c.tokens
	default:
		return c.sequence.Tokens()
	}
}

// Reserve makes room for that many tokens behind the Sequence, or wraps ErrRoom.
func (s *Session) Reserve(tokens int) error {
	return s.manager.reserve(s.conversation, s.conversation.room(tokens), s.manager.options.Own)
}

// Commit sets the conversation's tokens where they are not the Sequence's. The common prefix
// stays; the next call computes the rest.
func (s *Session) Commit(tokens []int32) { s.committed = append([]int32{}, tokens...) }

// Close ends the call: chunks are named and lowered, and new ones are written in the
// background, or at once if they cannot stay in memory. The Sequence is invalid afterwards.
func (s *Session) Close() error {
	m, c := s.manager, s.conversation
	err := errors.Join(c.set(s.Tokens()), c.sequence.FreeTree())
	c.seal(m.first())
	if err = errors.Join(err, m.lower(c)); err != nil {
		err = errors.Join(err, c.free())
		m.leave(c)
		return err
	}
	if m.fits(c) {
		m.writeLater(c)
		return nil
	}
	m.write(m.background, c)
	m.leave(c)
	return nil
}

// fits reports whether a conversation may stay in memory until it is written.
func (m *Manager) fits(c *conversation) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settle(c)
	over := m.held - m.granted
	if over > 0 && !m.grow(over) {
		over -= m.dropIdle(over)
		return m.keeps() && (over <= 0 || m.grow(over))
	}
	return m.keeps()
}

func (m *Manager) writeLater(c *conversation) {
	ctx, stop := context.WithCancel(m.background)
	m.mu.Lock()
	c.writing, c.stop = true, stop
	m.mu.Unlock()
	m.working.Add(1)
	go func() {
		defer m.working.Done()
		defer stop()
		m.write(ctx, c)
		m.release(c)
	}()
}

// leave releases a conversation and evicts over the budget.
func (m *Manager) leave(c *conversation) {
	m.release(c)
	m.mu.Lock()
	defer m.mu.Unlock()
	over := m.held - m.granted
	if !m.keeps() {
		over = m.held
	}
	if over > 0 {
		m.dropIdle(over)
		m.shrink()
	}
}
