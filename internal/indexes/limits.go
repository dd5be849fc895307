package indexes

import (
	"context"

	"dowse/engine"
	"dowse/engine/memory"
	"dowse/internal/pressure"
)

// FollowMemory changes the memory that models may take until ctx ends, and publishes what
// changed.
func (s *Stack) FollowMemory(ctx context.Context, c pressure.Changes) {
	pressure.Follow(ctx, s.limiter, c, func(text string) { s.Publish(engine.Event{Problem: text}) })
}

// ChangeBudget implements engine.Service.
func (s *Stack) ChangeBudget(ctx context.Context, change engine.BudgetChange) (*engine.BudgetStep, error) {
	return within(ctx, &s.gate, func(context.Context) (*engine.BudgetStep, error) {
		by := s.limiter.Halve
		switch change {
		case engine.LowerBudget:
		case engine.RaiseBudget:
			by = s.limiter.Ease
		default:
			return nil, engine.ErrBudgetChange
		}
		limits, err := by(memory.Person)
		if err != nil {
			return nil, err
		}
		return &engine.BudgetStep{Budget: engine.Budget{Bytes: limits.After, Full: limits.Full}, Before: limits.Before}, nil
	})
}
