package crossencoder

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"syscall"
	"time"

	"dowse/engine"
	"dowse/engine/opened"
	"dowse/engine/rerank"
	"dowse/engine/transformer"
)

// Reranker is an engine.Reranker: a cross-encoder, pruned layer by layer. It adds a passage's prior
// score to that of each layer, so pruning decides by the final sum. The first search opens the
// model, and searches share it.
type Reranker struct {
	Options
	machine opened.Machine
	pace    *pace
	idle    *IdleTracer // nil: nothing is traced between searches

	*opened.Shared[*Model]
}

var _ engine.Reranker = (*Reranker)(nil)

// Options configure a Reranker.
type Options struct {
	Name   string
	Spill  string  // folder for hidden states that exceed memory
	Folder string  // of traces and thresholds
	Target float64 // agreement with the full pass to keep
	Exact  bool    // no pruning, for reference measurements
	// Time is how long the candidates of a search may take together without pruning; 0 reads
	// engine.RerankDepth candidates.
	Time  time.Duration
	Costs string           // folder of measured times; "" keeps none
	Build string           // version of this program; times of others are measured again
	Now   func() time.Time // nil: time.Now
	// Plan chooses what is kept in memory for passages of some lengths; nil fits the machine.
	Plan func(lengths []int) (transformer.Plan, error)
}

// New returns a Reranker for a machine.
func New(machine opened.Machine, o Options) *Reranker {
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &Reranker{Options: o, machine: machine, pace: &pace{build: o.Build, most: o.Time}}
	if o.Costs != "" && machine.Kernel != nil {
		r.pace.path = filepath.Join(o.Costs, fmt.Sprintf("%s-%s-%d-in-%d.json", o.Name, machine.Kernel.Describe().ISA, machine.Threads, machine.Memory.Budget()))
	}
	r.Shared = opened.New(opened.Many, machine.Memory, r.open)
	return r
}

// Close waits for searches and closes the model.
func (r *Reranker) Close() error {
	if r == nil {
		return nil
	}
	return r.Shared.Close()
}

// TraceWhenIdle makes the reranker trace between searches, which must be reported to tracer,
// while run runs.
func (r *Reranker) TraceWhenIdle() (tracer *IdleTracer, run func(ctx context.Context)) {
	r.idle = newIdleTracer()
	return r.idle, func(ctx context.Context) { r.idle.run(ctx, r.trace) }
}

// Ready implements engine.Reranker.
func (r *Reranker) Ready(ctx context.Context) {
	if _, done, err := r.Acquire(ctx); err == nil {
		_ = done() // who uses it next is told
	}
}

// Depth implements engine.Reranker.
func (r *Reranker) Depth() int { return r.pace.depth() }

// nearby is the margin that the prior of a passage may lack to that of the first and still be read; leastRead
// are read whatever they lack.
const (
	nearby    = 6
	leastRead = 2
)

// Near implements engine.Reranker.
func (r *Reranker) Near(scores []float64) int {
	m, err := r.machine.Find(r.Name)
	if r.Exact || err != nil {
		return len(scores)
	}
	worth := PriorOf(m)
	for n := leastRead; n < len(scores); n++ {
		if worth*(scores[0]-scores[n]) > nearby {
			return n
		}
	}
	return len(scores)
}

// Rerank implements engine.Reranker.
func (r *Reranker) Rerank(ctx context.Context, job engine.RerankJob) (done *engine.Reranking, err error) {
	model, release, err := r.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
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

// record computes all layers and keeps their trace, if it can.
func (r *Reranker) record(ctx context.Context, model *Model, job engine.RerankJob, opts rerank.Options) (*engine.Reranking, error) {
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
		_ = model.Tuning.keep(ctx, trace, opts.K) // one of many samples
	}
	return done, nil
}

// trace is record in the background.
func (r *Reranker) trace(ctx context.Context, job engine.RerankJob) (err error) {
	model, release, err := r.Acquire(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	_, err = r.record(ctx, model, job, r.options(model, len(job.Passages), job.K))
	return err
}

// pass runs passages through the layers. wrap, if not nil, wraps the forward pass.
func (r *Reranker) pass(ctx context.Context, model *Model, job engine.RerankJob, opts rerank.Options, wrap func(rerank.Forward) rerank.Forward) (done *engine.Reranking, err error) {
	begun := r.Now()
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
				Millis: float64(l.Elapsed.Microseconds()) / 1000,
			})
		}
	}
	forward := rerank.Forward(&blended{pass, rerank.ScalePrior(job.Prior, model.Prior)})
	if wrap != nil {
		forward = wrap(forward)
	}
	result, err := rerank.Run(ctx, forward, len(pairs), opts)
	if err != nil {
		return nil, r.diskError(err)
	}
	r.pace.add(costOf(&result, len(pairs), r.Now().Sub(begun)))
	done = r.reranking(result, len(pairs), pass)
	done.Relevance = model.relevance(result, job)
	return done, nil
}

// leastTimed is the least number of candidates of a pass that is timed.
const leastTimed = 4

// costOf returns the time of a candidate through all layers, by a pass of n of them; 0 if the
// pass does not tell.
func costOf(result *rerank.Result, n int, took time.Duration) time.Duration {
	if n < leastTimed || result.Cut || result.ActiveLayers == 0 {
		return 0
	}
	full := float64(result.FullLayers) / float64(result.ActiveLayers)
	return time.Duration(float64(took) * full / float64(n))
}

// diskError says what to do when hidden states exceed the disk.
func (r *Reranker) diskError(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("the disk of %s is full; free some space, or allow more by the setting memory (%w)", r.Spill, err)
	}
	return err
}

// options returns the options for the best k of n candidates.
func (r *Reranker) options(model *Model, n, k int) rerank.Options {
	opts := model.Tuning.Options(n, k)
	if r.Exact {
		opts.Tau = math.Inf(1)
	}
	return opts
}

// reranking converts a result. Scores descend with the order: a dropped candidate has no
// comparable one, and counts as partial.
func (r *Reranker) reranking(result rerank.Result, n int, pass *transformer.Pass) *engine.Reranking {
	done := &engine.Reranking{Scores: make([]float64, n), Partial: make([]bool, n), Stats: engine.RerankStats{
		Model: r.Name, Candidates: n, Layers: pass.Layers(),
		ActiveLayers: result.ActiveLayers, FullLayers: result.FullLayers, Cut: result.Cut,
	}}
	stats := pass.Stats()
	done.Stats.BytesRead = stats.Window.BytesRead + stats.Rows.BytesRead
	least := math.Inf(1)
	for _, c := range result.Ranking {
		least = min(least, float64(c.Score))
		done.Order = append(done.Order, c.ID)
		done.Scores[c.ID] = least
		if done.Partial[c.ID] = c.Fate != rerank.Finished; !done.Partial[c.ID] {
			done.Stats.Read++
		}
	}
	return done
}

// closenessShare is the weight of closeness, as a share of the prior, beside the model's own score
// in judging relevance. On notes-qa it separated questions with evidence from others better than
// the score alone.
const closenessShare = 0.25

// relevance returns how far the finished passages are above the model's line, NaN for others; nil
// without a line or closeness.
func (o *Model) relevance(result rerank.Result, job engine.RerankJob) []float64 {
	if o.Line == 0 || len(job.Closeness) < len(job.Prior) {
		return nil
	}
	prior, out := rerank.ScalePrior(job.Prior, o.Prior), make([]float64, len(job.Prior))
	for i := range out {
		out[i] = math.NaN()
	}
	for _, c := range result.Ranking {
		if c.Fate == rerank.Finished {
			own := float64(c.Score - prior[c.ID])
			out[c.ID] = own + closenessShare*o.Prior*job.Closeness[c.ID] - o.Line
		}
	}
	return out
}

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
