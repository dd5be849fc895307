package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"dowse/engine/rerank"
)

// pruningRow is what the calibrated threshold saves.
type pruningRow struct {
	Candidates int       `json:"candidates"`
	K          int       `json:"k"`
	Mode       string    `json:"mode"`
	Sure       int       `json:"sure"` // of the K results
	Tau        threshold `json:"tau"`
	MinLayers  int       `json:"min_layers"`
	Even       effect    `json:"calibrating"`
	Lower      float64   `json:"lower"`
	Odd        effect    `json:"held_out"`
	// Medians over the timed queries, all held out, and the share that pruning
	// saves of them.
	Timed      int     `json:"timed"`
	FullMillis float64 `json:"full_ms"`
	Millis     float64 `json:"ms"`
	Saved      float64 `json:"saved"`
}

// effect is what a threshold does to queries.
type effect struct {
	Queries   int     `json:"queries"`
	Agreement float64 `json:"agreement"` // mean rerank.Agreement with the full pass
	Layers    float64 `json:"layers"`    // mean share of the full pass that is computed
}

// layerRow is how far the scores after a layer tell the final order.
type layerRow struct {
	Candidates   int     `json:"candidates"`
	Layer        int     `json:"layer"` // from 0
	Gamma        float64 `json:"gamma"`
	ClusterGamma float64 `json:"cluster_gamma"`
}

// choice is a calibrated threshold and what to use it with.
type choice struct {
	n         int
	opts      rerank.Options // with the threshold
	even, odd []rerank.Trace
	found     rerank.Calibration
}

// inFull returns the options of a pass that computes everything.
func inFull() rerank.Options {
	o := rerank.Exact(1)
	o.Mode = rerank.Order // in mode Set a single candidate would not be computed
	return o
}

// pass brings candidates through the layers. record, when not nil, gets to see the
// margins.
func (b *reranking) pass(ctx context.Context, q candidates, opts rerank.Options, record func(rerank.Forward) rerank.Forward) (result rerank.Result, err error) {
	p, err := b.encoder.Begin(ctx, q.pairs)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	forward := rerank.Forward(&blended{p, q.prior, b.opts.Prior})
	if record != nil {
		forward = record(forward)
	}
	return rerank.Run(ctx, forward, len(q.pairs), opts)
}

// blended is a forward pass whose scores have a prior added, as searching does.
type blended struct {
	rerank.Forward
	prior  []float64 // 1 for the best
	weight float64   // of the prior in the margins of the model
}

// Scores implements rerank.Forward.
func (b *blended) Scores(layer int, active []int, dst []float32) {
	b.Forward.Scores(layer, active, dst)
	for i, c := range active {
		dst[i] += float32(b.weight * (b.prior[c] - 1))
	}
}

// prune fills the tables of pruning and of layers. The full pass of each query is
// recorded once, with the most candidates; what fewer candidates, thresholds and
// other numbers of results would do is replayed, because candidates do not act on
// each other.
func (b *reranking) prune(ctx context.Context, report *RerankReport) error {
	traces, err := b.record(ctx)
	if err != nil {
		return err
	}
	for i, n := range b.opts.Candidates {
		b.progress("calibrating", i, len(b.opts.Candidates))
		choices, err := b.choices(ctx, traces, n)
		if err != nil {
			return err
		}
		if len(choices) == 0 {
			continue // all candidates are wanted
		}
		rows := make([]pruningRow, len(choices))
		for j, c := range choices {
			if rows[j], err = c.row(); err != nil {
				return err
			}
		}
		if err := b.timePruning(ctx, choices, rows); err != nil {
			return err
		}
		report.Pruning = append(report.Pruning, rows...)
		for layer, l := range choices[len(choices)-1].found.Layers {
			report.Layers = append(report.Layers, layerRow{n, layer, l.Gamma, l.ClusterGamma})
		}
	}
	return nil
}

// record traces every query with all its candidates.
func (b *reranking) record(ctx context.Context) ([]rerank.Trace, error) {
	list := make([]rerank.Trace, len(b.queries))
	for i, q := range b.queries {
		b.progress("recording full passes", i, len(b.queries))
		var recorder *rerank.Recorder
		_, err := b.pass(ctx, q, inFull(), func(f rerank.Forward) rerank.Forward {
			recorder = rerank.NewRecorder(f, len(q.pairs))
			return recorder
		})
		if err == nil {
			list[i], err = recorder.Trace()
		}
		if err != nil {
			return nil, fmt.Errorf("record query %d: %w", i+1, err)
		}
	}
	return list, nil
}

// bootstrapSeed makes calibration deterministic.
const bootstrapSeed = 20261121

// choices calibrates for n candidates and every number of results below that: for
// the set of the best, and, as searching does, for their order.
func (b *reranking) choices(ctx context.Context, traces []rerank.Trace, n int) (list []*choice, err error) {
	for _, k := range slices.Sorted(slices.Values(b.opts.K)) {
		if k >= n {
			break
		}
		for _, mode := range []rerank.Mode{rerank.Set, rerank.Order} {
			c := &choice{n: n}
			c.even, c.odd = halves(traces, n, k)
			base := b.opts.Base(b.config)
			base.K, base.Mode = k, mode
			if c.found, err = rerank.Calibrate(ctx, c.even, base, b.opts.Target, bootstrapSeed); err != nil {
				return nil, err
			}
			c.opts = c.found.Apply(base)
			list = append(list, c)
		}
	}
	return list, nil
}

// halves parts the traces, cut to n candidates: those at even places of the
// list calibrate, those at odd places are measured. The list goes through one
// collection after the other, so that both halves have something of each.
// Traces of which all k candidates are wanted say nothing and are left out.
func halves(list []rerank.Trace, n, k int) (even, odd []rerank.Trace) {
	for i, t := range list {
		t = firstOf(t, n)
		switch {
		case t.Candidates <= k:
		case i%2 == 0:
			even = append(even, t)
		default:
			odd = append(odd, t)
		}
	}
	return even, odd
}

// firstOf returns the trace of the first n candidates: they do not act on each
// other, so that it is a part of the trace of more.
func firstOf(t rerank.Trace, n int) rerank.Trace {
	n = min(n, t.Candidates)
	cut := rerank.Trace{Candidates: n, Layers: t.Layers}
	for l := range t.Layers {
		cut.Margins = append(cut.Margins, t.Margins[l*t.Candidates:l*t.Candidates+n]...)
	}
	return cut
}

// row measures a choice on the held-out half.
func (c *choice) row() (pruningRow, error) {
	row := pruningRow{
		Candidates: c.n, K: c.opts.K, Mode: c.opts.Mode.String(), Sure: c.opts.Sure, Tau: threshold(c.opts.Tau),
		MinLayers: c.opts.Guards.MinLayers, Lower: c.found.Lower,
		Even: effect{Queries: c.found.Traces, Agreement: c.found.Agreement, Layers: c.found.Cost},
	}
	var err error
	row.Odd, err = replay(c.odd, c.opts)
	return row, err
}

// replay measures what options do to traces, against the full pass.
func replay(list []rerank.Trace, opts rerank.Options) (effect, error) {
	e := effect{Queries: len(list)}
	exact := opts
	exact.Tau = math.Inf(1)
	for _, t := range list {
		want, err := rerank.Replay(t, exact)
		if err != nil {
			return e, err
		}
		got, err := rerank.Replay(t, opts)
		if err != nil {
			return e, err
		}
		e.Agreement += rerank.Agreement(opts.Mode, want.Top, got.Top)
		e.Layers += got.Cost()
	}
	e.Agreement, e.Layers = ratio(e.Agreement, float64(len(list))), ratio(e.Layers, float64(len(list)))
	return e, nil
}

// timePruning runs the timed queries in full and under each of the choices, which
// are for the same number of candidates, in turns, and completes their rows.
func (b *reranking) timePruning(ctx context.Context, choices []*choice, rows []pruningRow) error {
	timed := b.timed(choices[0].n)
	times := make([][]float64, len(choices)+1) // the full passes last
	err := turns("timing pruning", len(timed), len(times), b.progress, func(query, way int) error {
		opts := inFull()
		if way < len(choices) && len(timed[query].pairs) > choices[way].opts.K { // in mode Set nothing would be computed of fewer
			opts = choices[way].opts
		}
		start := time.Now()
		_, err := b.pass(ctx, timed[query], opts, nil)
		times[way] = append(times[way], millis(time.Since(start)))
		return err
	})
	for i := range rows {
		rows[i].Timed = len(timed)
		rows[i].FullMillis, rows[i].Millis = median(times[len(choices)]), median(times[i])
		rows[i].Saved = 1 - ratio(rows[i].Millis, rows[i].FullMillis)
	}
	return err
}
