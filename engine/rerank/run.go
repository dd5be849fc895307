package rerank

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// Run reranks n candidates in one forward pass, layer by layer; candidates that are certainly
// inside or outside the best K leave early (progressive cluster pruning, GRATING 4.1).
//
// After each layer but the last, margins whose dispersion exceeds the threshold are clustered. The
// cluster of the last result needed goes on, those above are selected, those below dropped. The
// pass ends when only as many are left as are needed; with n <= K in mode Set it does not begin.
//
// A done ctx ends the run with ctx.Err(). Other errors are of the options, the forward pass, or
// scores that are not finite.
func Run(ctx context.Context, f Forward, n int, opts Options) (Result, error) {
	r, err := newRun(f, n, opts)
	if err != nil {
		return Result{}, err
	}
	for layer := 0; layer < r.layers && !r.decided(); layer++ {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		if r.late() {
			r.result.Cut = true
			break
		}
		if err := r.advance(ctx, layer); err != nil {
			if ctx.Err() != nil {
				return Result{}, ctx.Err()
			}
			return Result{}, err
		}
	}
	return r.finish(), nil
}

type run struct {
	opts    Options
	forward Forward
	router  *router
	layers  int
	now     func() time.Time

	candidates []Candidate // by number
	active     []int       // ascending
	need       int         // results to find among the active
	spent      time.Duration
	result     Result
}

func newRun(f Forward, n int, opts Options) (*run, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, fmt.Errorf("rerank: %d candidates", n)
	}
	layers := f.Layers()
	if layers < 1 {
		return nil, fmt.Errorf("rerank: a model of %d layers", layers)
	}
	r := &run{
		opts: opts, forward: f, router: newRouter(n, opts), layers: layers, now: opts.Now,
		candidates: make([]Candidate, n), active: make([]int, n), need: opts.sure(n),
		result: Result{FullLayers: n * layers},
	}
	if r.now == nil {
		r.now = time.Now
	}
	for i := range n {
		r.candidates[i] = Candidate{ID: i, Layer: -1}
		r.active[i] = i
	}
	return r, nil
}

// decided reports whether further layers tell nothing that is wanted.
func (r *run) decided() bool {
	if r.opts.Mode == Set {
		return len(r.active) <= r.need
	}
	return len(r.active) == 0
}

// late reports whether the next layer will probably miss the deadline, by the mean time of a
// candidate in a layer.
func (r *run) late() bool {
	if r.opts.Deadline.IsZero() {
		return false
	}
	var next time.Duration
	if done := r.result.ActiveLayers; done > 0 {
		next = time.Duration(float64(r.spent) / float64(done) * float64(len(r.active)))
	}
	return r.now().Add(next).After(r.opts.Deadline)
}

// advance computes one layer and routes the candidates.
func (r *run) advance(ctx context.Context, layer int) error {
	begin := r.now()
	if err := r.forward.Advance(ctx, layer, r.active); err != nil {
		return fmt.Errorf("rerank: layer %d: %w", layer, err)
	}
	scores := make([]float32, len(r.active))
	r.forward.Scores(layer, r.active, scores)
	report := LayerReport{Layer: layer, Active: r.active, Scores: scores, Elapsed: r.now().Sub(begin)}
	r.spent += report.Elapsed
	r.result.ActiveLayers += len(r.active)
	for i, id := range r.active {
		if s := float64(scores[i]); math.IsNaN(s) || math.IsInf(s, 0) {
			return fmt.Errorf("rerank: layer %d: the score of candidate %d is %v", layer, id, s)
		}
		r.candidates[id].Score, r.candidates[id].Layer = scores[i], layer
	}
	r.prune(&report)
	r.result.Layers = append(r.result.Layers, report)
	if r.opts.Observe != nil {
		r.opts.Observe(report)
	}
	return nil
}

// prune lets certain candidates leave and completes the report. The last layer does not prune.
func (r *run) prune(report *LayerReport) {
	if report.Layer == r.layers-1 {
		report.Dispersion = r.router.measure(report.Active, report.Scores)
		return
	}
	v := r.router.route(report.Layer+1, report.Active, report.Scores, r.need)
	report.Dispersion, report.Clusters = v.dispersion, v.clusters
	report.Selected, report.Dropped = v.selected, v.dropped
	r.leave(v.selected, Selected)
	r.leave(v.dropped, Dropped)
	r.need -= len(v.selected)
}

// leave removes ascending candidates from the active ones, in a new slice, since reports keep
// the old one.
func (r *run) leave(ids []int, fate Fate) {
	if len(ids) == 0 {
		return
	}
	rest := make([]int, 0, len(r.active)-len(ids))
	for _, id := range r.active {
		if _, leaves := slices.BinarySearch(ids, id); leaves {
			r.candidates[id].Fate = fate
		} else {
			rest = append(rest, id)
		}
	}
	r.active = rest
}

// finish sets the fates of active candidates and ranks all.
func (r *run) finish() Result {
	wanted := min(r.opts.K, len(r.candidates))
	for _, id := range r.active {
		c := &r.candidates[id]
		switch {
		case c.Layer == r.layers-1:
			c.Fate = Finished
		case r.result.Cut:
			c.Fate = Stopped
		default: // only as many as are needed
			c.Fate = Selected
		}
	}
	rank(r.candidates)
	r.result.Ranking = r.candidates
	r.result.Top = r.candidates[:wanted:wanted]
	return r.result
}
