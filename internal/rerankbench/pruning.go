package rerankbench

import (
	"context"
	"errors"
	"slices"

	"dowse/engine/rerank"
)

// PruningRow is what the calibrated threshold saves.
type PruningRow struct {
	Candidates int       `json:"candidates"`
	K          int       `json:"k"`
	Mode       string    `json:"mode"`
	Guards     string    `json:"guards"`
	Sure       int       `json:"sure"` // of the K results
	Tau        Threshold `json:"tau"`
	MinLayers  int       `json:"min_layers"` // 0 without guards
	Even       Effect    `json:"calibrating"`
	Lower      float64   `json:"lower"`
	Odd        Effect    `json:"held_out"`
	// Collections are the held-out queries of each, in the order of
	// Report.Collections.
	Collections []Effect `json:"collections"`
	// Medians over the timed queries, all held out, and the share that pruning
	// saves of them.
	Timed      int     `json:"timed"`
	FullMillis float64 `json:"full_ms"`
	Millis     float64 `json:"ms"`
	Saved      float64 `json:"saved"`
}

// row measures a choice on the held-out half.
func (c *choice) row(collections int) (PruningRow, error) {
	row := PruningRow{
		Candidates: c.n, K: c.opts.K, Mode: c.opts.Mode.String(), Guards: c.variant.guards, Sure: c.opts.Sure, Tau: Threshold(c.opts.Tau),
		Even:  Effect{Queries: c.found.Traces, Agreement: c.found.Agreement, Layers: c.found.Cost},
		Lower: c.found.Lower,
	}
	if !c.opts.Literal {
		row.MinLayers = c.opts.Guards.MinLayers
	}
	var err error
	if row.Odd, err = replay(c.odd, c.opts); err != nil {
		return row, err
	}
	for i := range collections {
		var own []traced
		for _, t := range c.odd {
			if t.collection == i {
				own = append(own, t)
			}
		}
		e, err := replay(own, c.opts)
		if err != nil {
			return row, err
		}
		row.Collections = append(row.Collections, e)
	}
	return row, nil
}

// timePruning runs the timed queries in full and under each of the choices,
// which are for the same number of candidates, in turns, and completes their
// rows.
func (b *bench) timePruning(ctx context.Context, choices []*choice, rows []PruningRow) (err error) {
	r, err := b.model.open(way{name: "pruned", pruned: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.encoder.Close()) }()
	n := choices[0].n
	timed := b.timed(n)
	var fullMillis []float64
	millis := make([][]float64, len(choices))
	steps := len(timed) * (len(choices) + 1)
	for i, q := range timed {
		b.report("timing pruning", i*(len(choices)+1), steps)
		_, cost, err := r.ask(ctx, q, full())
		if err != nil {
			return err
		}
		fullMillis = append(fullMillis, cost.millis)
		for j, c := range choices {
			b.report("timing pruning", i*(len(choices)+1)+j+1, steps)
			opts := c.opts
			if len(q.pairs) <= opts.K { // in mode Set nothing would be computed
				opts = full()
			}
			_, cost, err := r.ask(ctx, q, opts)
			if err != nil {
				return err
			}
			millis[j] = append(millis[j], cost.millis)
		}
	}
	for j := range rows {
		rows[j].Timed = len(timed)
		rows[j].FullMillis, rows[j].Millis = median(fullMillis), median(millis[j])
		rows[j].Saved = 1 - rows[j].Millis/rows[j].FullMillis
	}
	return nil
}

// variant is a way to prune.
type variant struct {
	mode   rerank.Mode
	guards string
}

// Guards that decisions on thin evidence are held back by.
const (
	noGuards    = "none" // the algorithm as published
	oneCheck    = "once" // as usual, but a candidate leaves at the first check that finds it certain
	usualGuards = "usual"
)

// variants are compared: the algorithm as published first, the one that
// searching uses last.
var variants = []variant{
	{rerank.Set, noGuards}, {rerank.Set, oneCheck}, {rerank.Set, usualGuards},
	{rerank.Order, noGuards}, {rerank.Order, oneCheck}, {rerank.Order, usualGuards},
}

// options are those of the variant for k results, with nothing pruned.
func (v variant) options(k, layers int, decoder bool) rerank.Options {
	o := rerank.Exact(k)
	o.Mode, o.Literal, o.Guards = v.mode, v.guards == noGuards, rerank.EncoderGuards(layers)
	if decoder {
		o.Guards = rerank.DecoderGuards(layers)
	}
	if v.guards == oneCheck {
		o.Guards.Patience = 1
	}
	return o
}

// prune fills the tables of pruning and returns the choice for each number of
// candidates that searching would use: most results, in order, guarded.
func (b *bench) prune(ctx context.Context, report *Report) (map[int]*choice, error) {
	used := map[int]*choice{}
	for i, n := range b.opts.Candidates {
		b.report("calibrating", i, len(b.opts.Candidates))
		choices, err := b.choices(ctx, n)
		if err != nil {
			return nil, err
		}
		if len(choices) == 0 {
			continue // all candidates are wanted
		}
		var rows []PruningRow
		for _, c := range choices {
			row, err := c.row(len(report.Collections))
			if err != nil {
				return nil, err
			}
			curve, err := c.curve(ctx)
			if err != nil {
				return nil, err
			}
			rows, report.Sweep = append(rows, row), append(report.Sweep, curve)
		}
		if err := b.timePruning(ctx, choices, rows); err != nil {
			return nil, err
		}
		used[n] = choices[len(choices)-1]
		report.Layers = append(report.Layers, used[n].trust()...)
		report.Pruning = append(report.Pruning, rows...)
	}
	return used, nil
}

// choices calibrates every variant for n candidates and every number of
// results below that.
func (b *bench) choices(ctx context.Context, n int) ([]*choice, error) {
	var list []*choice
	for _, k := range slices.Sorted(slices.Values(b.opts.K)) {
		for _, v := range variants {
			if k >= n {
				continue
			}
			c, err := b.calibrate(ctx, n, k, v)
			if err != nil {
				return nil, err
			}
			list = append(list, c)
		}
	}
	return list, nil
}
