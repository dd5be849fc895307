package crossencoder

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"dowse/engine"
	"dowse/engine/rerank"
	"dowse/models"
)

// Tuning chooses how hard reranking prunes: by traces of a person's own queries; until there are
// enough, by what came with the model; else not at all. Traces and thresholds are two files for
// each rerank.Key.
type Tuning struct {
	folder  string
	Model   string         // names the weights in keys
	Base    rerank.Options // with which thresholds are measured
	target  float64        // agreement with the full pass to keep
	seed    uint64
	shipped map[rerank.Key]*tuned

	mu    sync.Mutex // held briefly, since searches wait for it
	known map[rerank.Key]*tuned

	keeping sync.Mutex         // held while traces are written or calibrated by
	fresh   map[rerank.Key]int // traces kept since the last choice
}

// tuned is the choice for one key.
type tuned struct {
	Traces    int     `json:"traces"`
	Sure      int     `json:"sure"` // 0 in files of earlier versions
	Tau       float64 `json:"tau"`
	MinLayers int     `json:"min_layers"`
	Agreement float64 `json:"agreement"`
	Cost      float64 `json:"cost"` // 1: do not prune, whatever Tau is
}

// sound reports whether a stored choice is valid.
func (c *tuned) sound() bool {
	return c.Sure >= 1 && c.Tau >= 0 && c.MinLayers >= 0 && c.Cost > 0 && c.Cost <= 1
}

// prunes reports whether the choice drops anything.
func (c *tuned) prunes() bool { return c != nil && c.Cost < 1 }

func (c *tuned) apply(opts rerank.Options) rerank.Options {
	opts.Tau, opts.Sure = c.Tau, min(c.Sure, opts.K)
	opts.Guards.MinLayers = max(opts.Guards.MinLayers, c.MinLayers)
	if !c.prunes() {
		opts.Tau = math.Inf(1)
	}
	return opts
}

// tuningSeed makes calibration reproducible.
const tuningSeed = 20261121

// NewTuning keeps traces and thresholds of a model in a folder, for a target agreement.
func NewTuning(folder, model string, base rerank.Options, target float64) *Tuning {
	return &Tuning{
		folder: folder, Model: model, Base: base, target: target, seed: tuningSeed,
		shipped: map[rerank.Key]*tuned{}, known: map[rerank.Key]*tuned{}, fresh: map[rerank.Key]int{},
	}
}

// Ship adds the thresholds that came with the model and reach the target, unless they were
// measured with other weights or another prior.
func (t *Tuning) Ship(p *models.Pruning, prior float64) {
	if p == nil || p.Model != t.Model || p.Prior != prior {
		return
	}
	for _, th := range p.Thresholds {
		if th.Agreement >= t.target {
			t.shipped[t.Key(th.Candidates, th.K)] = &tuned{
				Traces: th.Traces, Sure: th.Sure, Tau: th.Tau, MinLayers: th.MinLayers, Agreement: th.Agreement, Cost: th.Cost,
			}
		}
	}
}

// Key returns the key of queries for the best k of n candidates.
func (t *Tuning) Key(n, k int) rerank.Key { return rerank.KeyOf(t.Model, t.Base.Domain, n, k) }

// Options returns the options for the best k of n candidates.
func (t *Tuning) Options(n, k int) rerank.Options {
	opts := t.Base
	opts.K = max(k, 1)
	if c := t.of(t.Key(n, opts.K)); c != nil {
		return c.apply(opts)
	}
	return opts
}

// of returns the choice for a key; nil if there is none or it is unreadable.
func (t *Tuning) of(key rerank.Key) *tuned {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, loaded := t.known[key]
	if !loaded {
		c = &tuned{}
		data, err := os.ReadFile(t.path(key, "json"))
		if err != nil || json.Unmarshal(data, c) != nil || !c.sound() {
			c = nil
		}
		t.known[key] = c
	}
	if c == nil {
		return t.shipped[key]
	}
	return c
}

func (t *Tuning) path(key rerank.Key, kind string) string {
	return filepath.Join(t.folder, strings.NewReplacer(" ", "_", "%", "").Replace(key.String())+"."+kind)
}

// calibrate calibrates by the traces of a key and returns that and the choice now in use. The
// caller holds t.keeping.
func (t *Tuning) calibrate(ctx context.Context, key rerank.Key, traces []rerank.Trace, k int) (rerank.Calibration, *tuned, error) {
	opts := t.Base
	opts.K = k
	c, err := rerank.Calibrate(ctx, traces, opts, t.target, t.seed)
	if err != nil {
		return c, nil, err
	}
	if c.Traces < rerank.MinTraces {
		return c, t.of(key), nil
	}
	chosen, err := t.refined(ctx, key, traces, opts, c)
	if err != nil {
		return c, nil, err
	}
	t.mu.Lock()
	t.known[key] = chosen
	t.mu.Unlock()
	data, err := json.Marshal(chosen)
	if err != nil {
		return c, nil, fmt.Errorf("threshold of %s: %w", key, err)
	}
	return c, chosen, t.write(key, "json", data)
}

// refined chooses between a person's traces and what came with the model. The latter rests on
// more, so it stays until the traces allow a cheaper choice or show that it misses the target.
func (t *Tuning) refined(ctx context.Context, key rerank.Key, traces []rerank.Trace, opts rerank.Options, c rerank.Calibration) (*tuned, error) {
	own := &tuned{Traces: c.Traces, Sure: c.Sure, Tau: c.Tau, MinLayers: c.MinLayers, Agreement: c.Agreement, Cost: c.Cost}
	if !own.prunes() {
		own.Tau = 0 // JSON has no infinity
	}
	s := t.shipped[key]
	if s == nil {
		return own, nil
	}
	m, used, err := rerank.Measure(ctx, traces, s.apply(opts), t.seed)
	if err != nil || own.Cost < m.Cost || m.Agreement < t.target {
		return own, err
	}
	return &tuned{Traces: used, Sure: s.Sure, Tau: s.Tau, MinLayers: s.MinLayers, Agreement: m.Agreement, Cost: m.Cost}, nil
}

// Calibrate chooses the threshold for the best k of n candidates.
func (o *Model) Calibrate(ctx context.Context, name string, asked, n, k int) (*engine.CalibrationReport, error) {
	t := o.Tuning
	t.keeping.Lock()
	defer t.keeping.Unlock()
	key := t.Key(n, k)
	traces, err := t.Traces(key)
	if err != nil {
		return nil, err
	}
	c, chosen, err := t.calibrate(ctx, key, traces, k)
	if err != nil {
		return nil, err
	}
	report := &engine.CalibrationReport{
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
