package scores

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dowse/engine"
	"dowse/engine/endpoint"
	"dowse/engine/rerank"
)

// Options describe the server and its use. Zero Rest means the usual.
type Options struct {
	Server endpoint.Server
	Local  engine.Reranker // replaces a failing server, or nil
	Time   time.Duration   // of the server at most
	Rest   time.Duration   // during which a failed server is not asked: 30 s
}

// Reranker is an engine.Reranker that asks a server. It is safe for concurrent
// use.
type Reranker struct {
	options Options
	client  *endpoint.Client
	logits  atomic.Bool // the server has sent a score that is no probability

	mu    sync.Mutex
	until time.Time // end of Rest
	why   error
}

var _ engine.Reranker = (*Reranker)(nil)

// Open makes a Reranker without connecting.
func Open(o Options) (*Reranker, error) {
	if o.Rest == 0 {
		o.Rest = 30 * time.Second
	}
	client, err := o.Server.Client(endpoint.Options{Connect: o.Time, First: o.Time, Whole: o.Time, Tries: 1})
	if err != nil {
		return nil, err
	}
	return &Reranker{options: o, client: client}, nil
}

// Server is the reranking server.
func (r *Reranker) Server() *endpoint.Server { return &r.options.Server }

// Ready implements engine.Reranker: a server needs nothing.
func (r *Reranker) Ready(context.Context) {}

// Depth implements engine.Reranker.
func (r *Reranker) Depth() int { return engine.RerankDepth }

// Near implements engine.Reranker: what a server's scores are worth beside others is not known.
func (r *Reranker) Near(scores []float64) int { return len(scores) }

// Rerank implements engine.Reranker.
func (r *Reranker) Rerank(ctx context.Context, job engine.RerankJob) (*engine.Reranking, error) {
	begun := time.Now()
	sent := r.sent(job)
	scores, asked, err := r.ask(ctx, job)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if !asked {
		sent = nil
	}
	if err == nil {
		done := r.blend(job, scores, begun)
		done.Stats.Sent = sent
		return done, nil
	}
	err = r.options.Server.Failed(err)
	if r.options.Local == nil {
		return nil, err
	}
	done, failed := r.options.Local.Rerank(ctx, job)
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	done.Stats.Sent = sent
	done.Stats.Instead = fmt.Sprintf("%v; so %s of this machine put the passages in order", err, done.Stats.Model)
	return done, nil
}

// sent describes what goes to the server.
func (r *Reranker) sent(job engine.RerankJob) *engine.Sent {
	bytes := len(job.Query)
	for _, p := range job.Passages {
		bytes += len(p)
	}
	return &engine.Sent{
		To: r.client.Address(), Model: r.options.Server.Model, Passages: len(job.Passages), Bytes: bytes,
		Remote: !r.client.Local(), Plain: !r.client.Local() && !r.client.Encrypted(),
	}
}

// ask returns the server's scores as logits, unless it failed recently. After
// an outage it notes the failure.
func (r *Reranker) ask(ctx context.Context, job engine.RerankJob) (scores []float64, asked bool, err error) {
	r.mu.Lock()
	why, resting := r.why, time.Now().Before(r.until)
	r.mu.Unlock()
	if resting {
		return nil, false, why
	}
	within := ctx
	if !job.Deadline.IsZero() {
		var cancel context.CancelFunc
		within, cancel = context.WithDeadline(ctx, job.Deadline)
		defer cancel()
	}
	for passages := range slices.Chunk(job.Passages, endpoint.MaxBatch) {
		some, err := r.client.Rerank(within, job.Query, passages)
		if err != nil {
			if ctx.Err() == nil && within.Err() == nil {
				r.mu.Lock()
				r.until, r.why = time.Now().Add(r.options.Rest), err
				r.mu.Unlock()
			}
			if within.Err() != nil {
				err = errors.New("it did not answer in the time that the search had")
			}
			return nil, true, err
		}
		scores = append(scores, some...)
	}
	return r.asLogits(scores), true, nil
}

// asLogits converts scores to logits. A server that ever sent a score outside 0
// to 1 sends logits.
func (r *Reranker) asLogits(scores []float64) []float64 {
	if slices.ContainsFunc(scores, func(s float64) bool { return s < 0 || s > 1 }) {
		r.logits.Store(true)
	}
	if r.logits.Load() {
		return scores
	}
	const least = 1e-7 // distinguishable from 0 and 1 in float32
	out := make([]float64, len(scores))
	for i, s := range scores {
		p := min(max(s, least), 1-least)
		out[i] = math.Log(p / (1 - p))
	}
	return out
}

// blend adds the earlier scores, and ranks.
func (r *Reranker) blend(job engine.RerankJob, scores []float64, begun time.Time) *engine.Reranking {
	n := len(scores)
	prior := rerank.ScalePrior(job.Prior, rerank.UsualPrior)
	done := &engine.Reranking{
		Order: make([]int, n), Scores: make([]float64, n),
		Stats: engine.RerankStats{Model: r.options.Server.How(), Candidates: n, Read: n, Layers: 1, ActiveLayers: n, FullLayers: n},
	}
	layer := engine.RerankLayer{Layers: 1, Candidates: n, Millis: float64(time.Since(begun).Microseconds()) / 1000}
	for i, s := range scores {
		if i < len(prior) {
			s += float64(prior[i])
		}
		done.Order[i], done.Scores[i] = i, s
		layer.Active, layer.Scores = append(layer.Active, i), append(layer.Scores, float32(s))
	}
	slices.SortStableFunc(done.Order, func(a, b int) int { return cmp.Compare(done.Scores[b], done.Scores[a]) })
	if job.Observe != nil {
		job.Observe(layer)
	}
	return done
}
