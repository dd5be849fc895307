package app

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine/rerank"
	"dowse/engine/transformer"
	"dowse/internal/config"
	"dowse/models"
	"dowse/models/pack"
)

// openReranker is a model that searches share.
type openReranker struct {
	encoder *transformer.CrossEncoder
	tuning  *tuning
	prior   float64 // what a difference of 1 in the scores before is worth
	line    float64 // relevance begins there; 0 where nobody knows
	openedPack
	users int
	stale bool // closed by its last user
}

// acquire returns the model, opened if it is not, for a caller that must
// release it. A model that cannot be used is an error that says what to do; the
// next search tries again. While another search opens it, one whose ctx ends
// waits no longer.
//
// A pack that fits is in memory, and what becomes of its file does not matter to
// a search. Each looks first whether the file is as it was, and opens it again,
// with all checks, if not. A pack that was removed goes on as it was.
func (r *reranker) acquire(ctx context.Context) (*openReranker, error) {
	if err := r.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer r.turn.Release(1)
	if r.opened != nil && r.opened.changed() {
		old := r.opened
		r.opened, old.stale = nil, true
		if old.users == 0 {
			if err := old.encoder.Close(); err != nil {
				return nil, err
			}
		}
	}
	if r.opened == nil {
		model, err := r.open(ctx)
		if err != nil {
			return nil, err
		}
		r.opened = model
	}
	r.opened.users++
	return r.opened, nil
}

// release ends a use.
func (r *reranker) release(model *openReranker) error {
	if err := r.turn.Acquire(context.Background(), 1); err != nil { //nolint:contextcheck // what was taken is given back
		return err
	}
	defer r.turn.Release(1)
	model.users--
	if model.stale && model.users == 0 {
		return model.encoder.Close()
	}
	return nil
}

// close closes the model. No search may be under way.
func (r *reranker) close() error {
	if r == nil || r.opened == nil {
		return nil
	}
	return r.opened.encoder.Close()
}

// open opens the model after looking at every byte of it.
func (r *reranker) open(ctx context.Context) (*openReranker, error) {
	m, err := r.find(r.name)
	if err != nil {
		return nil, fmt.Errorf("%w, and dowse models use %s searches without", err, config.NoReranker)
	}
	switch m.Role() {
	case models.Reranker:
	case models.Answerer:
		return nil, fmt.Errorf("the model %s writes text, and it is not known how to ask it for scores; add it again with --prompt or --adapter (see dowse models add --help), or run dowse models use %s",
			r.name, config.NoReranker)
	default:
		return nil, fmt.Errorf("the model %s is %s, and scores nothing; name a reranker with dowse models use, or %s", r.name, m.Role().WithArticle(), config.NoReranker)
	}
	file, err := noteFiles(m)
	var c *transformer.CrossEncoder
	if err == nil {
		opts := r.opts
		opts.Adapter = m.Adapter
		if m.Job != nil {
			opts.Prompt, opts.MaxTokens = promptOf(m.Job.Prompt), m.Job.MaxTokens
		}
		c, err = transformer.OpenCrossEncoder(ctx, m.Path, r.kernel, opts)
	}
	if err != nil {
		err = streamedModelError(r.name, err, fmt.Sprintf("run dowse models remove %s and get it again", r.name))
		return nil, fmt.Errorf("%w, or dowse models use %s to search without", err, config.NoReranker)
	}
	t := newTuning(r.folder, c.Fingerprint()[:16], tuningBase(m.Config), r.target)
	shipped, err := models.BundledPruning(r.name)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	t.ship(shipped, priorOf(m))
	return &openReranker{encoder: c, tuning: t, prior: priorOf(m), line: lineOf(m), openedPack: file}, nil
}

// usualPrior is the prior of models that nobody measured: their margins spread
// like logits, over some 10 units.
const usualPrior = 10

// priorOf is what a difference of 1 in the scores before is worth to a model.
func priorOf(m models.Installation) float64 {
	if m.Job != nil && m.Job.Prior > 0 {
		return m.Job.Prior
	}
	if e, known := models.Lookup(m.Name); known && e.Prior > 0 {
		return e.Prior
	}
	return usualPrior
}

// lineOf is where the relevant begins in the eyes of a model; 0 where nobody
// measured it.
func lineOf(m models.Installation) float64 {
	if m.Job != nil && m.Job.RelevantFrom != 0 {
		return m.Job.RelevantFrom
	}
	e, _ := models.Lookup(m.Name)
	return e.RelevantFrom
}

// tuningBase are the options of pruning that thresholds are measured with.
func tuningBase(c pack.Config) rerank.Options {
	base := rerank.Exact(1)
	base.Mode, base.Guards = rerank.Order, rerank.EncoderGuards(c.Layers)
	if c.Decoder {
		base.Guards = rerank.DecoderGuards(c.Layers)
	}
	// Thresholds are measured for a precision: to wait for a second check as
	// well left 6 layers next to nothing to save.
	base.Guards.Patience = 1
	return base
}
