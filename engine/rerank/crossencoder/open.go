package crossencoder

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine"
	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/opened"
	"dowse/engine/rerank"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/models"
	"dowse/models/pack"
	"dowse/models/prompt"
)

// Model is an open cross-encoder.
type Model struct {
	encoder *transformer.CrossEncoder
	Tuning  *Tuning
	Prior   float64 // margin that a difference of 1 in earlier scores is worth
	Line    float64 // relevance begins there; 0: unknown
	opened.Files
}

// Close gives back what of the model is open.
func (o *Model) Close() error { return o.encoder.Close() }

// open verifies and opens the model.
func (r *Reranker) open(ctx context.Context, lease *memory.Lease) (*Model, error) {
	m, err := r.machine.Find(r.Name)
	if err != nil {
		return nil, fmt.Errorf("%w, and dowse models use %s searches without", err, engine.NoReranker)
	}
	switch m.Role() {
	case models.Reranker:
	case models.Answerer:
		return nil, fmt.Errorf("the model %s writes text, and it is not known how to ask it for scores; add it again with --prompt or --adapter (see dowse models add --help), or run dowse models use %s",
			r.Name, engine.NoReranker)
	default:
		return nil, fmt.Errorf("the model %s is %s, and scores nothing; name a reranker with dowse models use, or %s", r.Name, m.Role().WithArticle(), engine.NoReranker)
	}
	file, err := opened.FilesOf(m)
	var c *transformer.CrossEncoder
	if err == nil {
		c, err = r.openEncoder(ctx, m, lease)
	}
	if err != nil {
		err = opened.UnusableStreamed(r.Name, err, fmt.Sprintf("run dowse models remove %s and get it again", r.Name))
		return nil, fmt.Errorf("%w, or dowse models use %s to search without", err, engine.NoReranker)
	}
	t := NewTuning(r.Folder, c.Fingerprint()[:16], pruningBase(), r.Target)
	shipped, err := models.BundledPruning(r.Name)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	t.Ship(shipped, PriorOf(m))
	return &Model{encoder: c, Tuning: t, Prior: PriorOf(m), Line: lineOf(m), Files: file}, nil
}

// openEncoder opens the cross-encoder within the memory of a lease.
func (r *Reranker) openEncoder(ctx context.Context, m models.Installation, lease *memory.Lease) (*transformer.CrossEncoder, error) {
	opts := transformer.CrossEncoderOptions{
		Limits: transformer.Limits{Threads: r.machine.Threads}, Ledger: r.machine.Ledger, Spill: r.Spill, Plan: r.Plan, Adapter: m.Adapter,
	}
	if m.Job != nil {
		opts.Prompt, opts.MaxTokens = PromptOf(m.Job.Prompt), m.Job.MaxTokens
	}
	var err error
	opts.Budget, err = opened.Lend(ctx, lease, m, opts.Threads, func(c *pack.Config) weights.Work {
		c.MaxTokens = transformer.LongestPair(c, opts.MaxTokens)
		return weights.UsualSequences(c)
	})
	if err != nil {
		return nil, err
	}
	return transformer.OpenCrossEncoder(ctx, m.Path, r.machine.Kernel, opts)
}

// PriorOf returns the margin that a difference of 1 in earlier scores is worth to a model.
func PriorOf(m models.Installation) float64 {
	if m.Job != nil && m.Job.Prior > 0 {
		return m.Job.Prior
	}
	if e, known := models.Lookup(m.Name); known && e.Prior > 0 {
		return e.Prior
	}
	return rerank.UsualPrior
}

// lineOf returns the score from which a model finds passages relevant; 0 if it is unknown.
func lineOf(m models.Installation) float64 {
	if m.Job != nil && m.Job.RelevantFrom != 0 {
		return m.Job.RelevantFrom
	}
	e, _ := models.Lookup(m.Name)
	return e.RelevantFrom
}

// pruningBase returns the options with which thresholds are measured.
func pruningBase() rerank.Options {
	base := rerank.Exact(1)
	base.Mode, base.Guards = rerank.Order, rerank.MeasuredGuards()
	return base
}

// PromptOf returns a reranker's prompt by name; nil if there is none.
func PromptOf(name models.Prompt) *transformer.Prompt {
	way := prompt.Named(string(name))
	if way == nil {
		return nil
	}
	p := transformer.Prompt(way.Text)
	return &p
}

// Check opens a model as a search would, to see that its parts fit.
func Check(path, adapter string, prompt models.Prompt, k *kernel.Kernel) error {
	c, err := transformer.OpenCrossEncoder(context.Background(), path, k, transformer.CrossEncoderOptions{Adapter: adapter, Prompt: PromptOf(prompt)})
	if err != nil {
		return err
	}
	return c.Close()
}
