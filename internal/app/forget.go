package app

import (
	"context"

	"dowse/engine"
	"dowse/engine/answer/local"
	"dowse/internal/daemon"
)

// ForgetAnswers erases past answers, those too that the owner of the store holds
// in memory. It needs neither an index nor a model.
func (a *App) ForgetAnswers(ctx context.Context) (*engine.Forgotten, error) {
	client, err := daemon.Dial(ctx, a.Home.Socket())
	if err == nil {
		forgotten, err := client.ForgetAnswers(ctx)
		if !lost(err) {
			return forgotten, err
		}
	} else if !lost(err) {
		return nil, err
	}
	return local.Erase(ctx, a.Home.Answers())
}

// ForgetAnswers implements engine.Service.
func (s *Stack) ForgetAnswers(ctx context.Context) (*engine.Forgotten, error) {
	ctx, leave, err := s.gate.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.Models.Writer.Forget(ctx, s.past)
}
