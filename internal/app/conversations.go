package app

import (
	"context"
	"fmt"

	"dowse/engine"
)

// Conversations implements engine.Service.
func (s *Stack) Conversations(context.Context) ([]engine.Conversation, error) { return nil, nil }

// Conversation implements engine.Service.
func (s *Stack) Conversation(_ context.Context, name string) (*engine.Conversation, error) {
	return nil, noConversation(name)
}

// KeepTurn implements engine.Service.
func (s *Stack) KeepTurn(_ context.Context, name string, _ engine.Turn) (*engine.ContextUse, error) {
	return nil, noConversation(name)
}

// RenameConversation implements engine.Service.
func (s *Stack) RenameConversation(_ context.Context, name, _ string) error {
	return noConversation(name)
}

// DeleteConversation implements engine.Service.
func (s *Stack) DeleteConversation(_ context.Context, name string) (*engine.DeletedConversation, error) {
	return nil, noConversation(name)
}

// FocusConversation implements engine.Service.
func (s *Stack) FocusConversation(_ context.Context, name string) error { return noConversation(name) }

func noConversation(name string) error { return fmt.Errorf("%w %q", engine.ErrNoConversation, name) }
