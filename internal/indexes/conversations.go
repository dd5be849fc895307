package indexes

import (
	"context"
	"slices"

	"dowse/engine"
)

// forgetLost erases keys and values of conversations whose text is not there: their first
// question was being answered when its process was killed, or somebody removed the text.
func (s *Stack) forgetLost(ctx context.Context) {
	ids, err := s.conversations.IDs()
	if err != nil {
		return
	}
	for _, id := range s.Models.Keys.IDs() {
		if !slices.Contains(ids, id) {
			_, _ = s.Models.Keys.Forget(ctx, id) // or the next owner does
		}
	}
}

// Conversations implements engine.Service.
func (s *Stack) Conversations(ctx context.Context) ([]engine.Conversation, error) {
	return within(ctx, &s.gate, s.conversations.Conversations)
}

// Conversation implements engine.Service.
func (s *Stack) Conversation(ctx context.Context, name string) (*engine.Conversation, error) {
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Conversation, error) {
		return s.conversations.Conversation(ctx, name)
	})
}

// KeepTurn implements engine.Service.
func (s *Stack) KeepTurn(ctx context.Context, name string, turn engine.Turn) (*engine.ContextUse, error) {
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.ContextUse, error) {
		return s.conversations.KeepTurn(ctx, name, turn)
	})
}

// RenameConversation implements engine.Service.
func (s *Stack) RenameConversation(ctx context.Context, name, to string) error {
	_, err := within(ctx, &s.gate, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.conversations.RenameConversation(ctx, name, to)
	})
	return err
}

// DeleteConversation implements engine.Service.
func (s *Stack) DeleteConversation(ctx context.Context, name string) (*engine.DeletedConversation, error) {
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.DeletedConversation, error) {
		return s.conversations.DeleteConversation(ctx, name)
	})
}

// FocusConversation implements engine.Service.
func (s *Stack) FocusConversation(ctx context.Context, name string) error {
	_, err := within(ctx, &s.gate, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.conversations.FocusConversation(ctx, name)
	})
	return err
}
