package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sync/semaphore"

	"dowse/engine"
	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/rerank"
	"dowse/engine/transformer"
	"dowse/internal/config"
	"dowse/models"
)

// reranker is an engine.Reranker: a cross-encoder, pruned layer by layer. It
// adds to the score of each layer what a passage's rank before was worth, so
// that who is dropped is decided by the sum that ranks in the end. The model is
// opened by the first search that wants it.
type reranker struct {
	name   string
	find   func(name string) (models.Installation, error)
	kernel *kernel.Kernel
	opts   transformer.CrossEncoderOptions
	folder string      // of traces and thresholds
	target float64     // agreement that pruning has to hold
	idle   *idleTracer // nil where this process traces nothing between searches
	exact  bool        // nothing is pruned: the reference of measurements

	turn   *semaphore.Weighted // held by who opens, or closes
	opened *openReranker       // nil until it is wanted
}

var _ engine.Reranker = (*reranker)(nil)

// newReranker is the reranker that the settings name, on the kernels of the
// embedder: nil where none is wanted.
func (a *App) newReranker(k *kernel.Kernel, ledger *memory.Ledger) *reranker {
	name := a.Config.Reranker
	if name == config.NoReranker {
		return nil
	}
	return &reranker{
		name: name, find: a.findModel, kernel: k, turn: semaphore.NewWeighted(1),
		opts: transformer.CrossEncoderOptions{
			Limits: transformer.Limits{Budget: a.modelMemory(), Threads: a.Config.Threads}, Ledger: ledger, Spill: a.Home.Cache,
		},
		folder: filepath.Join(a.Home.Cache, "rerank"), target: a.Config.Precision,
	}
}

// memoryShare of the machine's memory, as 1/memoryShare, is for the reranker
// unless the settings say otherwise.
const memoryShare = 4

// modelMemory is the bytes that a reranker, and after it an answerer, may take; 0
// for any number.
func (a *App) modelMemory() int64 {
	if a.Config.Memory > 0 {
		return a.Config.Memory
	}
	return machineMemory() / memoryShare
}

// Rerank implements engine.Reranker.
func (r *reranker) Rerank(ctx context.Context, job engine.RerankJob) (done *engine.Reranking, err error) {
	model, err := r.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.release(model)) }()
	opts := r.options(model, len(job.Passages), job.K)
	opts.Deadline = job.Deadline
	if job.Trace && job.Deadline.IsZero() && len(job.Passages) > opts.K {
		done, err = r.record(ctx, model, job, opts)
	} else {
		done, err = r.pass(ctx, model, job, opts, nil)
	}
	if err != nil {
		return nil, err
	}
	if !job.Trace {
		r.idle.offer(job)
	}
	return done, nil
}

// record computes all layers and keeps their trace. The job does without where
// that fails.
func (r *reranker) record(ctx context.Context, model *openReranker, job engine.RerankJob, opts rerank.Options) (*engine.Reranking, error) {
	var recorder *rerank.Recorder
	opts.Tau = math.Inf(1) // traces are of full passes
	done, err := r.pass(ctx, model, job, opts, func(f rerank.Forward) rerank.Forward {
		recorder = rerank.NewRecorder(f, len(job.Passages))
		return recorder
	})
	if err != nil {
		return nil, err
	}
	if trace, err := recorder.Trace(); err == nil {
		_ = model.tuning.keep(ctx, trace, opts.K) // one of many samples
	}
	return done, nil
}

// trace is record while nobody waits.
func (r *reranker) trace(ctx context.Context, job engine.RerankJob) (err error) {
	model, err := r.acquire(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.release(model)) }()
	_, err = r.record(ctx, model, job, r.options(model, len(job.Passages), job.K))
	return err
}

// pass brings passages through the layers. wrap, where there is one, gets to see
// their scores.
func (r *reranker) pass(ctx context.Context, model *openReranker, job engine.RerankJob, opts rerank.Options, wrap func(rerank.Forward) rerank.Forward) (done *engine.Reranking, err error) {
	pairs := make([]transformer.Pair, len(job.Passages))
	for i, passage := range job.Passages {
		pairs[i] = model.encoder.Encode(job.Query, passage)
	}
	pass, err := model.encoder.Begin(ctx, pairs)
	if err != nil {
		return nil, r.diskError(err)
	}
	defer func() { err = errors.Join(err, pass.Close()) }()
	opts.Observe = func(l rerank.LayerReport) {
		if job.Observe != nil {
			job.Observe(engine.RerankLayer{
				Layer: l.Layer, Layers: pass.Layers(), Active: l.Active, Scores: l.Scores, Selected: l.Selected, Dropped: l.Dropped,
				Millis: millis(l.Elapsed),
			})
		}
	}
	forward := rerank.Forward(&blended{pass, scaled(job.Prior, model.prior)})
	if wrap != nil {
		forward = wrap(forward)
	}
	result, err := rerank.Run(ctx, forward, len(pairs), opts)
	if err != nil {
		return nil, r.diskError(err)
	}
	done = r.reranking(result, len(pairs), pass)
	done.Relevance = model.relevance(result, job)
	return done, nil
}

// diskError says what to do about hidden states that find no room.
func (r *reranker) diskError(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("the disk of %s is full; free some space, or allow more by the setting memory (%w)", r.opts.Spill, err)
	}
	return err
}

// options are those for n candidates of which k are wanted.
func (r *reranker) options(model *openReranker, n, k int) rerank.Options {
	opts := model.tuning.options(n, k)
	if r.exact {
		opts.Tau = math.Inf(1)
	}
	return opts
}

// reranking hands a result on. Scores descend with the order: one that was
// dropped has none to compare with those that went on.
func (r *reranker) reranking(result rerank.Result, n int, pass *transformer.Pass) *engine.Reranking {
	done := &engine.Reranking{Scores: make([]float64, n), Stats: engine.RerankStats{
		Model: r.name, Candidates: n, Layers: pass.Layers(),
		ActiveLayers: result.ActiveLayers, FullLayers: result.FullLayers, Cut: result.Cut,
	}}
	stats := pass.Stats()
	done.Stats.BytesRead = stats.Window.BytesRead + stats.Rows.BytesRead
	least := math.Inf(1)
	for _, c := range result.Ranking {
		least = min(least, float64(c.Score))
		done.Order = append(done.Order, c.ID)
		done.Scores[c.ID] = least
	}
	return done
}

// closenessShare of the prior is what a unit of closeness is worth beside a model's
// own score where relevance is judged. On notes-qa it parted questions with their
// evidence from questions about something else better than the score alone.
const closenessShare = 0.25

// relevance is how far above the model's line the passages are that went through all
// layers; nil where it has no line, or nobody says how close they are.
func (o *openReranker) relevance(result rerank.Result, job engine.RerankJob) []float64 {
	if o.line == 0 || len(job.Closeness) < len(job.Prior) {
		return nil
	}
	prior, out := scaled(job.Prior, o.prior), make([]float64, len(job.Prior))
	for i := range out {
		out[i] = math.NaN()
	}
	for _, c := range result.Ranking {
		if c.Fate == rerank.Finished {
			own := float64(c.Score - prior[c.ID])
			out[c.ID] = own + closenessShare*o.prior*job.Closeness[c.ID] - o.line
		}
	}
	return out
}

// scaled is the prior of each candidate, in the margins of the model.
func scaled(prior []float64, weight float64) []float32 {
	out := make([]float32, len(prior))
	top := 0.0
	if len(prior) > 0 {
		top = slices.Max(prior)
	}
	for i, p := range prior {
		out[i] = float32(weight * (p - top))
	}
	return out
}

// blended is a pass whose scores have a prior added.
type blended struct {
	*transformer.Pass
	prior []float32
}

// Scores implements rerank.Forward.
func (b *blended) Scores(layer int, active []int, dst []float32) {
	b.Pass.Scores(layer, active, dst)
	for i, c := range active {
		dst[i] += b.prior[c]
	}
}
