package indexes

import (
	"context"
	"sync"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/engine/search"
	"dowse/internal/config"
	"dowse/internal/hosts"
)

// Peer implements engine.Ranker.
func (s *Stack) Peer(ctx context.Context) (*engine.Peer, error) {
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Peer, error) { return s.Engine.Peer(ctx) })
}

// Count implements engine.Ranker.
func (s *Stack) Count(ctx context.Context, req engine.CountRequest) (*engine.Counts, error) {
	s.refreshPacks()
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Counts, error) { return s.Engine.Count(ctx, req) })
}

// Rank implements engine.Ranker.
func (s *Stack) Rank(ctx context.Context, req engine.RankRequest) (*engine.Ranked, error) {
	defer s.tracer().Search()()
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.Ranked, error) {
		ranked, err := s.Engine.Rank(ctx, req)
		if err == nil && !req.Request.Estimate {
			ranked.Away = s.searchedAway(req.Request)
		}
		return ranked, err
	})
}

// Texts implements engine.Ranker.
func (s *Stack) Texts(ctx context.Context, req engine.TextsRequest) (*engine.RankedTexts, error) {
	return within(ctx, &s.gate, func(ctx context.Context) (*engine.RankedTexts, error) { return s.Engine.Texts(ctx, req) })
}

// machines are those of the settings as they are now.
func (op *Opener) machines() map[string]string {
	now, err := config.Load(op.Home.ConfigFile())
	if err != nil {
		return op.Config.Hosts
	}
	return now.Hosts
}

// searchHosts searches the machines of a request, as one with this one as far as they fit.
func (s *Stack) searchHosts(ctx context.Context, req engine.Request, emit func(engine.Event)) (*engine.Result, error) {
	var one sync.Mutex // several goroutines tell
	told := emit
	if told == nil {
		told = func(engine.Event) {}
	}
	emit = func(e engine.Event) {
		one.Lock()
		defer one.Unlock()
		told(e)
	}
	tell := func(text string) { emit(engine.Event{Problem: text}) }
	here := hosts.Here{Search: func(ctx context.Context, own bool, fit []hosts.Fit, failed func(string, error)) (*engine.Result, error) {
		var elsewhere []search.Elsewhere
		for _, f := range fit {
			elsewhere = append(elsewhere, search.Elsewhere{Name: f.Name, Ranker: f.Ranker, Languages: lexical.Languages(f.Languages)})
		}
		result, err := s.SearchWith(ctx, req, own, elsewhere, failed, emit)
		if err == nil && own && !req.Estimate {
			result.Stats.Away = append(result.Stats.Away, s.searchedAway(req)...)
		}
		return result, err
	}}
	peer, err := s.Engine.Peer(ctx)
	if err != nil {
		return nil, err
	}
	here.Fingerprint = peer.Fingerprint
	return s.hosts.Search(ctx, req, here, tell)
}
