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

	"dowse/engine/rerank"
	"dowse/models"
)

// Tuning chooses how hard reranking prunes: what traces of this person's own
// queries allow; until there are enough of them, what came with the model; and
// nothing where nothing did. Traces and thresholds lie in a folder, two files
// for each rerank.Key.
type Tuning struct {
	folder  string
	Model   string         // names the weights in keys
	Base    rerank.Options // that thresholds are measured with
	target  float64        // agreement with the full pass to hold
	seed    uint64
	shipped map[rerank.Key]*tuned

	mu    sync.Mutex // held for moments: searches wait for it
	known map[rerank.Key]*tuned

	keeping sync.Mutex         // held by who keeps traces, or chooses by them
	fresh   map[rerank.Key]int // traces kept since the last choice
}

// tuned is what is known of one key.
type tuned struct {
	Traces    int     `json:"traces"`
	Sure      int     `json:"sure"` // 0 in files of versions that measured something else
	Tau       float64 `json:"tau"`
	MinLayers int     `json:"min_layers"`
	Agreement float64 `json:"agreement"`
	Cost      float64 `json:"cost"` // 1 where nothing may be pruned, whatever Tau is
}

// sound reports whether a choice can be what it says.
func (c *tuned) sound() bool {
	return c.Sure >= 1 && c.Tau >= 0 && c.MinLayers >= 0 && c.Cost > 0 && c.Cost <= 1
}

// prunes reports whether there is a choice that drops anything.
func (c *tuned) prunes() bool { return c != nil && c.Cost < 1 }

// apply returns the options with the choice.
func (c *tuned) apply(opts rerank.Options) rerank.Options {
	opts.Tau, opts.Sure = c.Tau, min(c.Sure, opts.K)
	opts.Guards.MinLayers = max(opts.Guards.MinLayers, c.MinLayers)
	if !c.prunes() {
		opts.Tau = math.Inf(1)
	}
	return opts
}

// tuningSeed is of the bootstrap, so that the same traces give the same
// threshold.
const tuningSeed = 20261121

// NewTuning keeps traces and thresholds of a model in a folder, and holds a target.
func NewTuning(folder, model string, base rerank.Options, target float64) *Tuning {
	return &Tuning{
		folder: folder, Model: model, Base: base, target: target, seed: tuningSeed,
		shipped: map[rerank.Key]*tuned{}, known: map[rerank.Key]*tuned{}, fresh: map[rerank.Key]int{},
	}
}

// Ship makes known what came with the model, as far as it holds the agreement
// that is asked for. What was measured with other weights, or another prior, is
// left out.
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

// Key is that of queries with n candidates of which k are wanted.
func (t *Tuning) Key(n, k int) rerank.Key { return rerank.KeyOf(t.Model, t.Base.Domain, n, k) }

// Options are those for n candidates of which k are wanted.
func (t *Tuning) Options(n, k int) rerank.Options {
	opts := t.Base
	opts.K = max(k, 1)
	if c := t.of(t.Key(n, opts.K)); c != nil {
		return c.apply(opts)
	}
	return opts
}

// of returns what is known of a key, nil where that is not enough to prune.
// What cannot be read counts as unknown.
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

// path is where the file of a key lies.
func (t *Tuning) path(key rerank.Key, kind string) string {
	return filepath.Join(t.folder, strings.NewReplacer(" ", "_", "%", "").Replace(key.String())+"."+kind)
}

// calibrate chooses by the traces of a key. It returns how they calibrate and
// what is used now. The caller holds t.keeping.
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

// refined is the choice between what a person's traces allow and what came with
// the model. That rests on more: it stays until theirs allow a cheaper one, or
// tell that it misses the target.
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
