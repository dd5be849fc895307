package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dowse/engine"
	"dowse/engine/kernel"
	"dowse/engine/rerank"
)

// CalibrationReport says what queries taught about pruning.
type CalibrationReport struct {
	Model     string    `json:"model"`
	Queries   int       `json:"queries"` // that were asked now
	Traces    int       `json:"traces"`  // in all
	Needed    int       `json:"needed"`  // traces, before anything is pruned
	Target    float64   `json:"target"`
	Pruning   bool      `json:"pruning"`
	Shipped   bool      `json:"shipped,omitempty"` // by what came with the model, as long as there are too few traces
	Tau       float64   `json:"tau,omitempty"`
	Sure      int       `json:"sure,omitempty"` // results, from the best on, that have to be right
	MinLayers int       `json:"min_layers"`
	Agreement float64   `json:"agreement"` // of the best K with those of the full pass
	Cost      float64   `json:"cost"`      // share of the full pass
	Gamma     []float64 `json:"gamma"`     // by layer, of its scores with the final ones
	Cluster   []float64 `json:"cluster_gamma"`
}

// Calibrate asks queries of the index, with the reranker in full, and chooses
// the threshold of pruning by what it saw, now and before. Queries that find
// too little to rerank count for nothing.
func (a *App) Calibrate(ctx context.Context, queries []string, k int, progress func(done, total int)) (report *CalibrationReport, err error) {
	ker, err := kernel.New(kernel.Options{Library: a.runtimeLibrary()})
	if err != nil {
		return nil, err
	}
	r := a.newReranker(ker, nil)
	if r == nil {
		return nil, errors.Join(errors.New("there is no reranker to calibrate; run dowse models add NAME PATH with a cross-encoder, and dowse models use NAME"), ker.Close())
	}
	defer func() { err = errors.Join(err, r.close(), ker.Close()) }()
	model, err := r.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.release(model)) }()
	service, err := a.Open(ctx, Read)
	if err != nil {
		return nil, err
	}
	asked, n, err := askAll(ctx, service, queries, k, progress)
	if err = errors.Join(err, service.Close()); err != nil {
		return nil, err
	}
	return model.calibrate(ctx, r.name, asked, max(n, k+1), k)
}

// askAll asks the queries and returns how many were reranked, and with how many
// candidates at most.
func askAll(ctx context.Context, s engine.Searcher, queries []string, k int, progress func(done, total int)) (asked, candidates int, err error) {
	for i, query := range queries {
		if strings.TrimSpace(query) == "" {
			continue
		}
		result, err := s.Search(ctx, engine.Request{Query: query, K: k, Mode: engine.Reranked, Trace: true}, nil)
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

// calibrate chooses the threshold for n candidates of which k are wanted.
func (o *openReranker) calibrate(ctx context.Context, name string, asked, n, k int) (*CalibrationReport, error) {
	t := o.tuning
	t.keeping.Lock()
	defer t.keeping.Unlock()
	key := t.key(n, k)
	traces, err := t.traces(key)
	if err != nil {
		return nil, err
	}
	c, chosen, err := t.calibrate(ctx, key, traces, k)
	if err != nil {
		return nil, err
	}
	report := &CalibrationReport{
		Model: name, Queries: asked, Traces: len(traces), Needed: rerank.MinTraces, Target: t.target,
		Pruning: chosen.prunes(), Shipped: chosen != nil && chosen == t.shipped[key], MinLayers: c.MinLayers, Agreement: 1, Cost: 1,
	}
	if chosen != nil {
		report.Agreement, report.Cost = chosen.Agreement, chosen.Cost
	}
	if report.Pruning {
		report.Tau, report.Sure, report.MinLayers = chosen.Tau, chosen.Sure, chosen.MinLayers
	}
	for _, l := range c.Layers {
		report.Gamma, report.Cluster = append(report.Gamma, l.Gamma), append(report.Cluster, l.ClusterGamma)
	}
	return report, nil
}
