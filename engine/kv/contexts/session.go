package contexts

import (
	"context"
	"errors"

	"dowse/engine/transformer"
)

// Session is a conversation that is called. It is for one goroutine.
type Session struct {
	Restored Restored // what Open did
	Ahead    Ahead    // what Focus did since the conversation was called last

	manager      *Manager
	conversation *conversation
	opened       int     // tokens of the sequence when it was opened
	committed    []int32 // nil where nothing was committed
}

// Open locks a conversation for its caller, one at a time, and brings it into memory, but
// perhaps for its last tokens, which the caller computes with those that follow. A name
// that is not there is a new one. Work in the background on this conversation is waited
// for if it loads, and stopped if it writes. The error wraps ErrRoom where there is no room
// in memory.
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

// Sequence is the conversation's keys and values. Its tokens are those of the
// conversation, but that it may lack the last ones.
func (s *Session) Sequence() *transformer.Sequence { return s.conversation.sequence }

// Tokens returns the tokens of the conversation: those committed last, or those that
// the Sequence has by now. They stay the Session's.
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

// Reserve makes room in the budget for that many tokens behind those of the Sequence.
// The error wraps ErrRoom where there is none.
func (s *Session) Reserve(tokens int) error {
	return s.manager.reserve(s.conversation, s.conversation.room(tokens), s.manager.options.Own)
}

// Commit says which tokens the conversation has from now on, where these are not those
// of the Sequence. It may lack the last ones, which the next call computes; what else
// it has is cut off.
func (s *Session) Commit(tokens []int32) { s.committed = append([]int32{}, tokens...) }

// Close lets go of the conversation. Chunks are named and lowered, and what is
// new is written in the background. Close returns before that, unless what is not
// written has no room in memory. The Sequence may not be used afterwards.
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

// writeLater writes a conversation in the background.
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

// leave lets go of a conversation that was not written in the background, and of what
// does not fit into the budget any more.
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
