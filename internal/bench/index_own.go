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

// ownIndex measures dowse's index in its stored form: for each of the goals the
// setting that recomputes the fewest vectors. Nothing is interpolated.
func (b *comparison) ownIndex(ctx context.Context, c *searched) (methodRow, error) {
	b.progress("quantizing vectors", 0, 1)
	index, store := leann.Index{Dim: c.Dim, Dot: c.Dotter}, newBlocks(c.Vectors)
	if _, err := index.Quantize(ctx, store, leann.QuantizeOptions{CodeBytes: b.codeBytes}); err != nil {
		return methodRow{}, fmt.Errorf("quantize vectors: %w", err)
	}
	bytes := float64(store.bytes())
	row := methodRow{Method: "dowse's index", BytesPerChunk: bytes / float64(c.Len()), TextShare: bytes / float64(c.textBytes)}
	for _, goal := range goals {
		row.Results = append(row.Results, goalResult{Goal: goal})
	}
	next := 0
	for i, n := range append(reranks, c.Len()) {
		b.progress(row.Method, i, len(reranks)+1)
		s := setting{Rerank: min(n, c.Len()), Batch: 2 * workers()}
		o, err := b.evaluate(ctx, c, index, store, s, workers())
		if err != nil {
			return methodRow{}, err
		}
		reached := next
		for reached < len(goals) && o.Recall >= goals[reached] {
			reached++
		}
		if reached > next { // timed again on its own: all cores were busy
			if o, err = b.evaluate(ctx, c, index, store, s, 1); err != nil {
				return methodRow{}, err
			}
		}
		for ; next < reached; next++ {
			row.Results[next].Best = &o
		}
		if next == len(goals) || n >= c.Len() {
			break
		}
	}
	return row, nil
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
		found, err := index.Search(ctx, store, &r.meter, leann.Query{Vector: c.queries[i], Depth: truthDepth, Batch: s.Batch, Recompute: s.Rerank})
		r.own = time.Since(start) - r.meter.handing
		r.recalled = c.recalled(i, found.Hits)
		return err
	})
	if err != nil {
		return outcome{}, fmt.Errorf("search with %d vectors recomputed: %w", s.Rerank, err)
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
