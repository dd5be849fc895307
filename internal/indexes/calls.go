package indexes

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine"
	"dowse/engine/memory"
	"dowse/internal/pressure"
	"dowse/store"
)

// Search implements engine.Searcher.
func (s *Stack) Search(ctx context.Context, req engine.Request, emit func(engine.Event)) (*engine.Result, error) {
	defer s.tracer().Search()()
	s.refreshPacks()
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Result, error) {
		if len(req.Hosts) > 0 {
			return s.searchHosts(ctx, req, emit)
		}
		result, err := s.Engine.Search(ctx, req, emit)
		if errors.Is(err, store.ErrReplaced) || errors.Is(err, store.ErrAway) {
			s.followPacks(ctx)
			result, err = s.Engine.Search(ctx, req, emit)
		}
		if err == nil && !req.Estimate { // estimates come with every key
			result.Stats.Away = s.searchedAway(req)
			for _, away := range result.Stats.Away {
				if emit != nil {
					emit(engine.Event{Problem: away})
				}
			}
		}
		return result, err
	})
}

// Related implements engine.Searcher. Of a file that is not in the index it says why.
func (s *Stack) Related(ctx context.Context, req engine.RelatedRequest, emit func(engine.Event)) (*engine.Related, error) {
	defer s.tracer().Search()()
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Related, error) {
		related, err := s.Engine.Related(ctx, req, emit)
		err = s.whyIt(err, req.Path)
		return related, err
	})
}

// whyIt adds to the error of a call on a file why that is not in the index.
func (s *Stack) whyIt(err error, path string) error {
	if !errors.Is(err, engine.ErrNotIndexed) {
		return err
	}
	why, unknown := s.whyNot(path)
	if unknown != nil {
		return err
	}
	return fmt.Errorf("%w: %s", err, why)
}

// Files implements engine.Library.
func (s *Stack) Files(ctx context.Context, req engine.FilesRequest) (*engine.Files, error) {
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Files, error) { return s.Engine.Files(ctx, req) })
}

// Read implements engine.Library. Of a file that is not in the index it says why.
func (s *Stack) Read(ctx context.Context, req engine.ReadRequest) (*engine.FileText, error) {
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.FileText, error) {
		text, err := s.Engine.Read(ctx, req)
		return text, s.whyIt(err, req.Path)
	})
}

// Preview implements engine.Searcher.
func (s *Stack) Preview(ctx context.Context, p engine.Passage, before, after int) (*engine.Preview, error) {
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Preview, error) {
		return s.Engine.Preview(ctx, p, before, after)
	})
}

// Complete implements engine.Service.
func (s *Stack) Complete(ctx context.Context, req engine.CompletionRequest) (*engine.Completion, error) {
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Completion, error) {
		return s.Engine.Complete(ctx, req)
	})
}

// Index implements engine.Service.
func (s *Stack) Index(ctx context.Context, folders []string, emit func(engine.Event)) (*engine.IndexReport, error) {
	if s.readOnly {
		return nil, store.ErrReadOnly
	}
	return writing(ctx, &s.gate, func(ctx context.Context) (*engine.IndexReport, error) {
		if emit != nil {
			stop := s.forward(ctx, emit)
			defer stop()
		}
		return s.indexer.Run(ctx, folders)
	})
}

// forward hands events to emit, from one goroutine, until stop is called.
func (s *Stack) forward(ctx context.Context, emit func(engine.Event)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	events, err := s.Subscribe(ctx)
	if err != nil {
		cancel()
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range events {
			emit(e)
		}
	}()
	return func() { cancel(); <-done }
}

// ForgetAnswers implements engine.Service.
func (s *Stack) ForgetAnswers(ctx context.Context) (*engine.Forgotten, error) {
	ctx, leave, err := s.gate.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.Models.Chosen().Writer.Forget(ctx, s.past)
}

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
