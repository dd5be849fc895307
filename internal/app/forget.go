package app

import (
	"context"

	"dowse/engine"
	"dowse/engine/answer/local"
	"dowse/internal/daemon"
	"dowse/internal/indexes"
)

// ForgetAnswers erases past answers, those too that the owner of the store holds
// in memory. It needs neither an index nor a model.
func (a *App) ForgetAnswers(ctx context.Context) (*engine.Forgotten, error) {
	client, err := daemon.Dial(ctx, a.Home.Socket())
	if err == nil {
		forgotten, err := client.ForgetAnswers(ctx)
		if !indexes.Lost(err) {
			return forgotten, err
		}
	} else if !indexes.Lost(err) {
		return nil, err
	}
	return local.Erase(ctx, a.Home.Answers())
}
