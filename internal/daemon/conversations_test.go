package daemon

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"dowse/engine"
)

// asked is when the fake's conversation was.
var asked = time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC)

func (f *fake) Conversations(context.Context) ([]engine.Conversation, error) {
	return []engine.Conversation{{ID: "1", Name: "porto", Count: 2, Updated: asked}}, nil
}

func (f *fake) Conversation(_ context.Context, name string) (*engine.Conversation, error) {
	if name != "porto" {
		return nil, fmt.Errorf("%w %q", engine.ErrNoConversation, name)
	}
	return &engine.Conversation{Name: name, Turns: []engine.Turn{{
		Question: "when?", Passages: []engine.TurnPassage{{N: 3, Path: "/a\xff"}}, When: asked,
	}}}, nil
}

func (f *fake) KeepTurn(_ context.Context, name string, turn engine.Turn) (*engine.ContextUse, error) {
	return &engine.ContextUse{Name: name, Standalone: turn.Question + turn.Passages[0].Path, Turn: 1, Kept: true}, nil
}

func (f *fake) RenameConversation(_ context.Context, name, to string) error {
	return fmt.Errorf("%w: %s, %s", engine.ErrConversationName, name, to)
}

func (f *fake) DeleteConversation(_ context.Context, name string) (*engine.DeletedConversation, error) {
	return &engine.DeletedConversation{Name: name, Questions: 2, Bytes: 30}, nil
}

func (f *fake) FocusConversation(_ context.Context, name string) error {
	return errors.New("focus " + name)
}

func TestCallsOnConversationsReachTheService(t *testing.T) {
	_, client, _ := start(t)
	ctx := t.Context()
	if list, err := client.Conversations(ctx); err != nil || len(list) != 1 || list[0].Count != 2 || !list[0].Updated.Equal(asked) {
		t.Errorf("Conversations: %+v, %v", list, err)
	}
	c, err := client.Conversation(ctx, "porto")
	if err != nil || len(c.Turns) != 1 || c.Turns[0].Passages[0].Path != "/a\xff" || c.Turns[0].Passages[0].N != 3 {
		t.Errorf("Conversation: %+v, %v", c, err)
	}
	if _, err := client.Conversation(ctx, "p"); !errors.Is(err, engine.ErrNoConversation) {
		t.Errorf("of a name that none has: %v", err)
	}
	use, err := client.KeepTurn(ctx, "porto", engine.Turn{Question: "q", Passages: []engine.TurnPassage{{Path: "/\xfe"}}})
	if err != nil || *use != (engine.ContextUse{Name: "porto", Standalone: "q/\xfe", Turn: 1, Kept: true}) {
		t.Errorf("KeepTurn: %+v, %v", use, err)
	}
	if err := client.RenameConversation(ctx, "a", "b"); !errors.Is(err, engine.ErrConversationName) || err.Error() != "the name cannot be given: a, b" {
		t.Errorf("RenameConversation: %v", err)
	}
	if d, err := client.DeleteConversation(ctx, "a"); err != nil || *d != (engine.DeletedConversation{Name: "a", Questions: 2, Bytes: 30}) {
		t.Errorf("DeleteConversation: %+v, %v", d, err)
	}
	if err := client.FocusConversation(ctx, "a"); err == nil || err.Error() != "focus a" {
		t.Errorf("FocusConversation: %v", err)
	}
}
