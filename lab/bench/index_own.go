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
// with the stop rule, then with the graph besides, and last what a search is set to.
// Nothing is interpolated.
func (b *comparison) ownIndex(ctx context.Context, c *searched) (rows []methodRow, err error) {
	index := leann.Index{Dim: c.Dim, Dot: c.Dotter}
	store := newBlocks(c.Vectors)
	if err := b.link(ctx, index, store); err != nil {
		return nil, err
	}
	b.progress("quantizing vectors", 0, 1)
	done, err := index.Quantize(ctx, store, leann.QuantizeOptions{CodeBytes: b.codeBytes, Queries: b.probes})
	if err != nil {
		return nil, fmt.Errorf("quantize vectors: %w", err)
	}
	b.errors = done.Errors
	set := setting{Rerank: leann.MaxRecompute, Batch: leann.RecomputeBatch, Wanted: leann.Wanted, Margin: b.errors.Margin}
	if done.Measured.Walks() {
		set.Pull, set.Margin = done.Measured.Pull, done.Measured.Margin
	}
	ladders := map[string][]setting{
		fixedMethod: fixedLadder(c.Len()), codesMethod: ruleLadder(c.Len(), 0), linksMethod: ruleLadder(c.Len(), max(done.Measured.Pull, leastPull)),
	}
	methods := []string{fixedMethod, codesMethod}
	if b.graph != nil {
		methods = append(methods, linksMethod)
	}
	for _, method := range methods {
		row := b.row(c, store, method, method == linksMethod)
		if row.Results, err = b.climb(ctx, c, index, store, method, ladders[method]); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	o, err := b.evaluate(ctx, c, index, store, set, 1)
	if err != nil {
		return nil, err
	}
	row := b.row(c, store, "dowse's index, as it is set", true)
	row.Results = []goalResult{{0, &o}}
	return append(rows, row), nil
}

// The methods that settings are tried of.
const (
	fixedMethod = "a fixed number of the best codes"
	codesMethod = "codes, until the best are found"
	linksMethod = "codes and links, until the best are found"
)

// leastPull is that of walks where none was measured to pay.
const leastPull = 0.1

// link builds the graph as idle indexing does, from the vectors.
func (b *comparison) link(ctx context.Context, index leann.Index, store *blocks) error {
	err := linkBlocks(ctx, index, store, leann.LinkOptions{}, func() { b.progress("linking", 0, 1) })
	if err == nil {
		b.graph, err = leann.ReadGraph(store)
	}
	return err
}

// linkBlocks builds a graph over what is stored; tell is called before each step.
func linkBlocks(ctx context.Context, index leann.Index, store *blocks, opts leann.LinkOptions, tell func()) error {
	linker, err := index.NewLinker(ctx, store, opts)
	for err == nil && linker.Due() {
		tell()
		if err = linker.Step(ctx, store); err == nil {
			err = linker.Write(store)
		}
	}
	if err != nil {
		return fmt.Errorf("link passages: %w", err)
	}
	return nil
}

// row is a method without results yet.
func (b *comparison) row(c *searched, store *blocks, method string, links bool) methodRow {
	bytes := store.bytes()
	if !links {
		bytes -= store.bytesOf(leann.Links) + store.bytesOf(leann.UpperLinks)
	}
	return methodRow{Method: method, BytesPerChunk: float64(bytes) / float64(c.Len()), TextShare: float64(bytes) / float64(c.textBytes)}
}

// fixedLadder are the numbers of vectors that are tried of n.
func fixedLadder(n int) (ladder []setting) {
	for _, count := range append(reranks, n) {
		ladder = append(ladder, setting{Rerank: min(count, n), Batch: 2 * workers()})
	}
	return ladder
}

// ruleLadder are the settings of the stop rule that are tried.
func ruleLadder(n int, pull float32) (ladder []setting) {
	for _, margin := range margins {
		ladder = append(ladder, setting{Rerank: min(4*leann.MaxRecompute, n), Batch: leann.RecomputeBatch, Wanted: truthDepth, Margin: margin, Pull: pull})
	}
	return ladder
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
		if s.Pull > 0 {
			query.Walk = leann.Walk{Graph: b.graph, Pull: s.Pull}
		}
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
