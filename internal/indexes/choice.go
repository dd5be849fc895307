package indexes

import (
	"context"
	"fmt"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/internal/config"
	"dowse/internal/registry"
)

// followChoice has the models rank and answer that the settings name now. They are loaded first; where that fails the
// present ones stay, and the error says why. Searches under way end with the models that they began with, which are
// closed then.
func (o *Owner) followChoice(ctx context.Context, settings config.Config) error {
	o.choice.Lock()
	defer o.choice.Unlock()
	now := registry.Registry{Home: o.opener.Home, Config: settings, Build: o.opener.Build, Tell: o.opener.Tell}
	now.ResolveNames()
	s := o.Stack()
	before, wanted := s.Models.Chosen(), now.Choice()
	if before.Choice.Reranker.Name == wanted.Reranker.Name && before.Choice.Writer.Name == wanted.Writer.Name && before.Verifies == wanted.Verifies {
		return nil
	}
	old, err := s.Models.Choose(ctx, wanted)
	if err != nil {
		return fmt.Errorf("the model cannot be loaded, and the one before goes on: %w", err)
	}
	if r := s.Models.Chosen().Reranker; r != before.Reranker {
		if err := o.traceWhenIdle(r); err != nil {
			return err
		}
	}
	o.replacing.Lock()
	defer o.replacing.Unlock()
	s = o.Stack() // which another one may have taken the place of
	s.Use(s.Models.Models(lexical.NewAnalyzer()))
	o.retiring.Go(func() {
		if err := old.Close(); err != nil {
			o.Publish(engine.Event{Problem: fmt.Sprintf("the model before could not be closed: %v", err)})
		}
	})
	return nil
}
