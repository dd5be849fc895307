package app

import (
	"context"
	"errors"

	"dowse/engine"
	"dowse/engine/conversation"
	"dowse/internal/daemon"
	"dowse/internal/indexes"
)

// WithConversations calls f on the conversations of this home: those of the process that
// owns the index, or, where there is none, on their files. That needs neither an index
// nor a model. If that process ends meanwhile f is called again.
func (a *App) WithConversations(ctx context.Context, f func(engine.Conversations) error) error {
	client, err := daemon.Dial(ctx, a.Home.Socket())
	if err == nil {
		err = f(client)
	}
	if !indexes.Lost(err) {
		return err
	}
	keys := a.Keys()
	return errors.Join(f(conversation.Open(a.Home.Conversations(), keys)), keys.Close())
}
