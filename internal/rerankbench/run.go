package rerankbench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/rerank"
	"dowse/engine/transformer"
	"dowse/models/pack"
)

// Options say what is measured, and on what.
type Options struct {
	Pack    string              // path of the model
	Prompt  *transformer.Prompt // of a decoder; nil for what its kind is trained on
	Adapter string              // folder of a decoder's adapter; "" for none
	Model   string              // its name
	Seeded  bool                // its weights were made up: scores mean nothing
	Folders []string            // of judged collections; without any, tokens are made up

	Queries    int   // to record, over all collections; 0 means all
	Timed      int   // queries that are timed
	Candidates []int // of a query
	K          []int // results wanted
	Tokens     int   // of a candidate at most; 0: the most that the model takes

	Threads int
	Target  float64 // agreement that pruning has to hold
	Prior   float64 // what the whole score by BM25 is worth in the model's margins
	Spill   string  // folder of the file of hidden states
	Pairs   string  // file to write what is timed to; "" writes none
}

// Report is what a run measured.
type Report struct {
	Model        string       `json:"model"`
	Seeded       bool         `json:"seeded"`
	Architecture string       `json:"architecture"`
	ModelLayers  int          `json:"model_layers"`
	Hidden       int          `json:"hidden"`
	Weights      int64        `json:"weights"` // parameters
	PackBytes    int64        `json:"pack_bytes"`
	Kernels      string       `json:"kernels"`
	Threads      int          `json:"threads"`
	Direct       bool         `json:"direct"` // streaming reads past the page cache
	Prior        float64      `json:"prior"`
	Target       float64      `json:"target"`
	Collections  []Collection `json:"collections"`
	Prefix       int          `json:"prefix"` // made-up tokens that all candidates of a query begin with
	Execution    []WayRow     `json:"execution"`
	Ablation     []WayRow     `json:"ablation"`
	Pruning      []PruningRow `json:"pruning"`
	Sweep        []Curve      `json:"sweep"`
	Layers       []LayerRow   `json:"layers"`
	Seconds      float64      `json:"seconds"`
}

// bench is a run under way.
type bench struct {
	opts    Options
	model   *model
	queries []query
	prefix  int      // of made-up tokens
	traces  []traced // of queries
	report  func(phase string, done, total int)
}

// Check refuses options that mean nothing.
func (o *Options) Check() error {
	switch {
	case o.Queries < 0 || o.Tokens < 0:
		return errors.New("--queries and --tokens want a number from 0, which means all")
	case o.Timed < 1:
		return errors.New("--timed wants a number from 1")
	case len(o.Candidates) == 0 || slices.Min(o.Candidates) < 2:
		return errors.New("--candidates wants numbers from 2, such as 20,60")
	case len(o.K) == 0 || slices.Min(o.K) < 1:
		return errors.New("--k wants numbers from 1, such as 1,5,10")
	case o.Seeded && len(o.Folders) > 0:
		return errors.New("--shape makes a model up, and its scores mean nothing; name no collections with it")
	}
	return nil
}

// Run measures. progress is called from this goroutine.
func Run(ctx context.Context, opts Options, k *kernel.Kernel, progress func(phase string, done, total int)) (*Report, error) {
	start := time.Now()
	if err := opts.Check(); err != nil {
		return nil, err
	}
	b := &bench{opts: opts, report: progress}
	collections, err := b.open(ctx, k)
	if err != nil {
		return nil, err
	}
	c := b.model.shape.Config
	d := k.Describe()
	report := &Report{
		Model: opts.Model, Seeded: opts.Seeded, Architecture: c.Architecture, ModelLayers: c.Layers, Hidden: c.Hidden,
		Weights: weights(c), PackBytes: b.model.shape.Mapped, Kernels: fmt.Sprintf("%s, %s", d.Level, d.Backend),
		Threads: b.model.threads, Direct: b.model.direct, Prior: opts.Prior, Target: opts.Target, Collections: collections, Prefix: b.prefix,
		Pruning: []PruningRow{}, Sweep: []Curve{}, Layers: []LayerRow{}, // [] in JSON where there are none
	}
	used := map[int]*choice{}
	if len(collections) > 0 {
		if err := b.trace(ctx); err != nil {
			return nil, err
		}
		if used, err = b.prune(ctx, report); err != nil {
			return nil, err
		}
	}
	if err := b.execute(ctx, report, used); err != nil {
		return nil, err
	}
	report.Seconds = time.Since(start).Seconds()
	return report, nil
}

const (
	// seededSeed is of the tokens that are made up.
	seededSeed = 20261122
	// usualTokens is the length of candidates that are made up: GRATING's are
	// about as long, and models take thousands.
	usualTokens = 512
)

// seededPrefix is how many tokens all candidates of a query to a decoder begin
// with, if they are made up: as many as Qwen3's rerankers are given by their
// prompt and a query of some ten words.
const seededPrefix = 80

// open opens the model and gets the queries, from collections or made up.
func (b *bench) open(ctx context.Context, k *kernel.Kernel) (collections []Collection, err error) {
	m, p, err := openModel(b.opts.Pack, k, &b.opts)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	b.model = m
	tokens := m.shape.Config.MaxTokens
	if b.opts.Tokens > 0 {
		tokens = min(tokens, b.opts.Tokens)
	}
	depth := slices.Max(b.opts.Candidates)
	if len(b.opts.Folders) == 0 {
		if b.opts.Tokens == 0 {
			tokens = min(tokens, usualTokens)
		}
		if m.shape.Config.Decoder {
			b.prefix = min(seededPrefix, tokens/2)
		}
		b.queries = seededQueries(seededSeed, 2*b.opts.Timed, depth, tokens, b.prefix, m.shape.Config.Vocabulary)
		return []Collection{}, b.writePairs(depth)
	}
	encode, done, err := b.pairer(p, tokens)
	if err != nil {
		return nil, err
	}
	collections, b.queries, err = readQueries(ctx, b.opts.Folders, b.opts.Queries, depth, encode, b.report)
	if err = errors.Join(err, done()); err != nil {
		return nil, err
	}
	return collections, b.writePairs(depth)
}

// pairer is how the model's tokens are made, until done. A decoder's prompt is
// the executor's.
func (b *bench) pairer(p *pack.Pack, tokens int) (encode pairer, done func() error, err error) {
	if b.model.shape.Config.Decoder {
		r, err := b.model.open(way{name: residentName})
		if err != nil {
			return nil, nil, err
		}
		return r.encoder.Encode, r.encoder.Close, nil
	}
	t, err := p.Tokenizer()
	if err != nil {
		return nil, nil, err
	}
	encode = func(query, passage string) transformer.Pair {
		ids, types := t.EncodePair(query, passage, tokens)
		return transformer.Pair{IDs: ids, Types: types}
	}
	return encode, func() error { return nil }, nil
}

// timed are queries that are timed, spread evenly over those at odd places,
// which no threshold was chosen by, with at most n candidates.
func (b *bench) timed(n int) []query {
	odd := len(b.queries) / 2
	count := min(b.opts.Timed, max(odd, 1))
	list := make([]query, count)
	for i := range list {
		list[i] = b.queries[min(2*(i*odd/count)+1, len(b.queries)-1)].first(n)
	}
	return list
}

// trace records all queries.
func (b *bench) trace(ctx context.Context) (err error) {
	r, err := b.model.open(way{name: residentName})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.encoder.Close()) }()
	b.traces, err = b.record(ctx, r)
	return err
}

// execute fills the tables of execution and of the ablation.
func (b *bench) execute(ctx context.Context, report *Report, used map[int]*choice) error {
	for _, n := range b.opts.Candidates {
		opts := rerank.Options{}
		c := used[n]
		prune := c != nil
		if prune {
			opts = c.opts
		}
		rows, err := b.compareWays(ctx, fmt.Sprintf("ways of %d candidates", n), executionWays(prune), n, opts)
		if err != nil {
			return err
		}
		report.Execution = append(report.Execution, rows...)
		if rows, err = b.compareWays(ctx, fmt.Sprintf("ablation of %d candidates", n), ablationWays(prune, b.model.shape.Config.Decoder), n, opts); err != nil {
			return err
		}
		report.Ablation = append(report.Ablation, rows...)
	}
	return nil
}
