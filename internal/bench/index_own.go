package bench

import (
	"context"
	"fmt"
	"time"

	"dowse/engine/leann"
)

// reranks are the numbers of codes whose vectors are recomputed, some 20% apart; the
// last one stands for all.
var reranks = []int{3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 24, 28, 33, 40, 48, 57, 68, 80, 95, 115, 135, 160, 190, 225, 270, 320, 380, 450, 540, 640, 760, 900, 1100, 2000, 5000, 10000}

// flatRow returns the scan of stored vectors, which finds all.
func flatRow(c *searched) methodRow {
	return methodRow{
		Method: "flat scan, stored vectors", BytesPerChunk: float64(4 * c.Dim), TextShare: float64(4*c.Dim*c.Len()) / float64(c.textBytes),
		Results: []goalResult{{0, &outcome{Recall: 1, OwnMicros: c.scanMicros}}},
	}
}

// margins are those of the stop rule that are tried.
var margins = []float64{0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 1.9, 2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.8, 3, 3.5, 4}

// ownIndex measures dowse's index in its stored form: for each of the goals the setting
// that recomputes the fewest vectors, first with the same number for every query, then
// with the stop rule, and then what a search is set to. Nothing is interpolated.
func (b *comparison) ownIndex(ctx context.Context, c *searched) ([]methodRow, error) {
	b.progress("quantizing vectors", 0, 1)
	index, store := leann.Index{Dim: c.Dim, Dot: c.Dotter}, newBlocks(c.Vectors)
	done, err := index.Quantize(ctx, store, leann.QuantizeOptions{CodeBytes: b.codeBytes, Queries: b.probes})
	if err != nil {
		return nil, fmt.Errorf("quantize vectors: %w", err)
	}
	b.errors = done.Errors
	var fixed, ended []setting
	for _, n := range append(reranks, c.Len()) {
		fixed = append(fixed, setting{Rerank: min(n, c.Len()), Batch: 2 * workers()})
	}
	for _, margin := range margins {
		ended = append(ended, setting{Rerank: min(4*leann.MaxRecompute, c.Len()), Batch: leann.RecomputeBatch, Wanted: truthDepth, Margin: margin})
	}
	rows := []methodRow{{Method: "a fixed number of the best codes"}, {Method: "dowse's index, until the best are found"}, {Method: "dowse's index, as it is set"}}
	for i, ladder := range [][]setting{fixed, ended} {
		if rows[i].Results, err = b.climb(ctx, c, index, store, rows[i].Method, ladder); err != nil {
			return nil, err
		}
	}
	set := setting{Rerank: leann.MaxRecompute, Batch: leann.RecomputeBatch, Wanted: leann.Wanted, Margin: b.errors.Margin}
	o, err := b.evaluate(ctx, c, index, store, set, 1)
	if err != nil {
		return nil, err
	}
	rows[2].Results = []goalResult{{0, &o}}
	bytes := float64(store.bytes())
	for i := range rows {
		rows[i].BytesPerChunk, rows[i].TextShare = bytes/float64(c.Len()), bytes/float64(c.textBytes)
	}
	return rows, nil
}

// climb tries settings, each dearer than the one before, until all goals are reached.
func (b *comparison) climb(ctx context.Context, c *searched, index leann.Index, store *blocks, method string, ladder []setting) ([]goalResult, error) {
	results := make([]goalResult, len(goals))
	for i, goal := range goals {
		results[i].Goal = goal
	}
	next := 0
	for i, s := range ladder {
		b.progress(method, i, len(ladder))
		o, err := b.evaluate(ctx, c, index, store, s, workers())
		if err != nil {
			return nil, err
		}
		reached := next
		for reached < len(goals) && o.Recall >= goals[reached] {
			reached++
		}
		if reached > next { // timed again on its own: all cores were busy
			if o, err = b.evaluate(ctx, c, index, store, s, 1); err != nil {
				return nil, err
			}
		}
		for ; next < reached; next++ {
			results[next].Best = &o
		}
		if next == len(goals) || s.Wanted == 0 && s.Rerank >= c.Len() {
			break
		}
	}
	return results, nil
}

// evaluate asks all queries with one setting. Recall and counts are the same on
// every run, times are not.
func (b *comparison) evaluate(ctx context.Context, c *searched, index leann.Index, store *blocks, s setting, goroutines int) (outcome, error) {
	type result struct {
		recalled int
		meter    meter
		own      time.Duration
	}
	results := make([]result, len(c.queries))
	err := each(ctx, len(c.queries), goroutines, func(ctx context.Context, i int) error {
		r := &results[i]
		r.meter = meter{vectors: c.Vectors}
		start := time.Now()
		query := leann.Query{Vector: c.queries[i], Depth: truthDepth, Batch: s.Batch, Recompute: s.Rerank, Wanted: s.Wanted, Errors: b.errors}
		query.Errors.Margin = s.Margin
		found, err := index.Search(ctx, store, &r.meter, query)
		r.own = time.Since(start) - r.meter.handing
		r.recalled = c.recalled(i, found.Hits)
		return err
	})
	if err != nil {
		return outcome{}, fmt.Errorf("search with %s: %w", s, err)
	}
	o, n, wanted := outcome{Setting: s}, float64(len(results)), 0
	for i, r := range results {
		wanted += len(c.truth[i])
		o.Recall += float64(r.recalled)
		o.Recomputes += float64(r.meter.asked) / n
		o.OwnMicros += micros(r.own) / n
	}
	o.Recall /= float64(wanted)
	return o, nil
}
