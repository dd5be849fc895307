package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"dowse/engine"
	"dowse/engine/kernel"
	"dowse/engine/rerank/crossencoder"
	"dowse/engine/search"
	"dowse/internal/indexes"
)

// Calibrate asks queries of the index, with the reranker in full, and chooses
// the threshold of pruning by what it saw, now and before. Queries that find
// too little to rerank count for nothing.
func (a *App) Calibrate(ctx context.Context, queries []string, progress func(done, total int)) (report *engine.CalibrationReport, err error) {
	ker, err := kernel.New(kernel.Options{Library: a.RuntimeLibrary()})
	if err != nil {
		return nil, err
	}
	o := a.RerankerOptions()
	if o.Name == "" {
		return nil, errors.Join(errors.New("there is no reranker to calibrate; run dowse models add NAME PATH with a cross-encoder, and dowse models use NAME"), ker.Close())
	}
	machine := a.Machine(nil)
	machine.Kernel = ker
	r := crossencoder.New(machine, o)
	defer func() { err = errors.Join(err, r.Close(), ker.Close()) }()
	model, done, err := r.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	full := *a // with as many candidates as the model is asked for
	full.Config.Depth = cmp.Or(full.Config.Depth, r.Depth())
	service, err := full.Open(ctx, indexes.Read)
	if err != nil {
		return nil, err
	}
	asked, n, err := askAll(ctx, service, queries, progress)
	if err = errors.Join(err, service.Close()); err != nil {
		return nil, err
	}
	if asked == 0 {
		n = cmp.Or(a.Config.Depth, r.Depth())
	}
	return model.Calibrate(ctx, o.Name, asked, n, search.RerankWanted(n))
}

// askAll asks the queries and returns how many were reranked, and with how many
// candidates at most.
func askAll(ctx context.Context, s engine.Searcher, queries []string, progress func(done, total int)) (asked, candidates int, err error) {
	for i, query := range queries {
		if strings.TrimSpace(query) == "" {
			continue
		}
		result, err := s.Search(ctx, engine.Request{Query: query, Mode: engine.Reranked, Trace: true}, nil)
		if err != nil {
			return asked, candidates, fmt.Errorf("query %d, %q: %w", i+1, query, err)
		}
		if st := result.Stats.Rerank; st != nil {
			if st.Problem != "" {
				return asked, candidates, errors.New(st.Problem)
			}
			asked, candidates = asked+1, max(candidates, st.Candidates)
		}
		progress(i+1, len(queries))
	}
	return asked, candidates, nil
}
