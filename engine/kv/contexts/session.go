package contexts

import (
	"context"

	"dowse/engine/transformer"
)

// Session is a conversation that is called. It is for one goroutine.
type Session struct {
	Restored transformer.RestoreStats // what Open did
}

// Sequence is the conversation's keys and values: all of its tokens but perhaps the
// last ones have some.
func (s *Session) Sequence() *transformer.Sequence { return nil }

// Tokens returns the tokens of the conversation.
func (s *Session) Tokens() []int32 { return nil }

// Reserve makes room in the budget for that many more tokens.
func (s *Session) Reserve(ctx context.Context, tokens int) error { return errNotYet }

// Commit says which tokens the conversation has from now on, where those are not the
// ones of the Sequence: it may lack the last ones, which the next call computes. What
// the Sequence has beyond them is cut off.
func (s *Session) Commit(tokens []int32) error { return errNotYet }

// Close lets go of the conversation. Full chunks are sealed and lowered, and what is
// new is written in the background. Close returns before that, unless there is no room
// in memory for what is not written.
func (s *Session) Close() error { return errNotYet }
