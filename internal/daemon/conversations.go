package daemon

import (
	"context"

	"dowse/engine"
)

// Conversations implements engine.Service.
func (c *Client) Conversations(ctx context.Context) ([]engine.Conversation, error) {
	list, err := ask[[]engine.Conversation](ctx, c, call{Op: opConversations}, nil)
	if err != nil {
		return nil, err
	}
	return *list, nil
}

// Conversation implements engine.Service.
func (c *Client) Conversation(ctx context.Context, name string) (*engine.Conversation, error) {
	return ask[engine.Conversation](ctx, c, call{Op: opConversation, Name: name}, nil)
}

// KeepTurn implements engine.Service.
func (c *Client) KeepTurn(ctx context.Context, name string, turn engine.Turn) (*engine.ContextUse, error) {
	return ask[engine.ContextUse](ctx, c, call{Op: opKeepTurn, Name: name, Turn: &turn}, nil)
}

// RenameConversation implements engine.Service.
func (c *Client) RenameConversation(ctx context.Context, name, to string) error {
	return c.do(ctx, call{Op: opRename, Name: name, To: to}, nil, nil)
}

// DeleteConversation implements engine.Service.
func (c *Client) DeleteConversation(ctx context.Context, name string) (*engine.DeletedConversation, error) {
	return ask[engine.DeletedConversation](ctx, c, call{Op: opDelete, Name: name}, nil)
}

// FocusConversation implements engine.Service.
func (c *Client) FocusConversation(ctx context.Context, name string) error {
	return c.do(ctx, call{Op: opFocus, Name: name}, nil, nil)
}
