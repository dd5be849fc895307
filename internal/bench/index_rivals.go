package bench

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"dowse/engine/leann"
)

// extraBytes are those of a chunk that are spent on links, or on longer codes instead.
var extraBytes = []int{5, 10, 20}

// pullsTried are those of walks that are tried, without 0, which is a scan.
var pullsTried = []float32{0.1, 0.2, 0.3, 0.4}

// What is tried of LEANN's two-level search: the share of what is met whose vectors are
// recomputed (a), and the width of the walk by estimates before.
var (
	ratiosTried = []float64{0.1, 0.2, 0.3, 0.5, 0.7}
	beamsTried  = []int{10, 100, 300}
)

// rivals measures other ways to search the same vectors without keeping them, and what the
// same bytes are worth as links and as longer codes. Each query is searched once for each
// pull or ratio; which number of vectors reaches a goal is read from what that recorded.
func (b *comparison) rivals(ctx context.Context, c *searched) ([]methodRow, error) {
	b.progress("inverted file", 0, 1)
	file, err := b.fileRow(ctx, c)
	if err != nil {
		return nil, err
	}
	linked, err := b.linkAll(ctx, c)
	if err != nil {
		return nil, err
	}
	graphs, err := b.graphRows(ctx, c, linked[len(linked)-1])
	if err != nil {
		return nil, err
	}
	rows := append([]methodRow{file}, graphs...)
	for i, more := range extraBytes {
		b.progress("codes and links", i, len(extraBytes))
		walks, err := b.codeRow(ctx, c, linked[i], b.codeBytes, fmt.Sprintf("codes of %d bytes, links of %d", b.codeBytes, more))
		if err != nil {
			return nil, err
		}
		scan, err := b.codeRow(ctx, c, newBlocks(c.Vectors), b.codeBytes+more, fmt.Sprintf("codes of %d bytes", b.codeBytes+more))
		if err != nil {
			return nil, err
		}
		rows = append(rows, walks, scan)
	}
	return rows, nil
}

// rivalRow is a method with its results.
func rivalRow(c *searched, method string, bytes int, ladders []ladderOf) methodRow {
	return methodRow{
		Method: method, BytesPerChunk: float64(bytes) / float64(c.Len()), TextShare: float64(bytes) / float64(c.textBytes),
		Results: c.cheapest(ladders),
	}
}

// fileRow is the inverted file.
func (b *comparison) fileRow(ctx context.Context, c *searched) (methodRow, error) {
	f, err := newInvertedFile(ctx, c.Vectors)
	if err != nil {
		return methodRow{}, err
	}
	l, err := c.record(ctx, func(s int) string { return fmt.Sprintf("nprobe=%d", s+1) }, func(_ context.Context, i int) (curve, error) {
		members, in := f.probes(c.queries[i], c.truth[i])
		points := make(curve, len(members))
		for rank, asked := range members {
			points[rank].asked = asked
			for _, at := range in {
				countIf(&points[rank].recalled, at <= rank)
			}
		}
		return points, nil
	})
	return rivalRow(c, fmt.Sprintf("inverted file of %d lists", len(f.lists)), f.bytes(), []ladderOf{l}), err
}

// linkAll builds a graph of each number of bytes over the same vectors, as many at a time as
// there are cores.
func (b *comparison) linkAll(ctx context.Context, c *searched) ([]*blocks, error) {
	stores := make([]*blocks, len(extraBytes))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers())
	index := leann.Index{Dim: c.Dim, Dot: c.Dotter}
	for i, more := range extraBytes {
		stores[i] = newBlocks(c.Vectors)
		group.Go(func() error {
			return linkBlocks(ctx, index, stores[i], leann.LinkOptions{LinkBytes: float64(more)}, func() {})
		})
	}
	for i := range extraBytes {
		b.progress("linking", i, len(extraBytes))
	}
	return stores, group.Wait()
}

// graphRows are LEANN's searches over a graph: best first, which is two queues with all of
// what is met recomputed (a = 1), and by two queues.
func (b *comparison) graphRows(ctx context.Context, c *searched, linked *blocks) ([]methodRow, error) {
	graph, err := leann.ReadGraph(linked)
	if err != nil || graph == nil {
		return nil, err
	}
	bytes := linked.bytesOf(leann.Links) + linked.bytesOf(leann.UpperLinks)
	b.progress("best first", 0, 1)
	first, err := c.byKeeping(ctx, "", leann.Searcher{Graph: graph, Dot: c.Dotter}, leann.Params{Ratio: 1})
	if err != nil {
		return nil, err
	}
	codes, err := leann.Index{Dim: c.Dim, Dot: c.Dotter}.TrainCodes(ctx, c.Values, b.codeBytes)
	if err != nil {
		return nil, err
	}
	var ladders []ladderOf
	for i, ratio := range ratiosTried {
		for j, beam := range beamsTried {
			b.progress("two levels", i*len(beamsTried)+j, len(ratiosTried)*len(beamsTried))
			l, err := c.byKeeping(ctx, fmt.Sprintf("a=%.1f beam=%d ", ratio, beam), leann.Searcher{Graph: graph, Dot: c.Dotter, Codes: codes}, leann.Params{Ratio: ratio, Beam: beam})
			if err != nil {
				return nil, err
			}
			ladders = append(ladders, l)
		}
	}
	links := extraBytes[len(extraBytes)-1]
	return []methodRow{
		rivalRow(c, fmt.Sprintf("best first, a = 1, links of %d", links), bytes, []ladderOf{first}),
		rivalRow(c, fmt.Sprintf("LEANN's two levels, links of %d", links), bytes+codes.Bytes(), ladders),
	}, nil
}

// codeRow is dowse's own index with codes of some bytes, walked where it has links.
func (b *comparison) codeRow(ctx context.Context, c *searched, store *blocks, codeBytes int, method string) (methodRow, error) {
	index := leann.Index{Dim: c.Dim, Dot: c.Dotter}
	if _, err := index.Quantize(ctx, store, leann.QuantizeOptions{CodeBytes: codeBytes}); err != nil {
		return methodRow{}, fmt.Errorf("quantize vectors: %w", err)
	}
	graph, err := leann.ReadGraph(store)
	if err != nil {
		return methodRow{}, err
	}
	walks := []leann.Walk{{}}
	if graph != nil {
		walks = nil
		for _, pull := range pullsTried {
			walks = append(walks, leann.Walk{Graph: graph, Pull: pull})
		}
	}
	var ladders []ladderOf
	for _, walk := range walks {
		l, err := c.byNumber(ctx, index, store, walk)
		if err != nil {
			return methodRow{}, err
		}
		ladders = append(ladders, l)
	}
	return rivalRow(c, method, store.bytes(), ladders), nil
}
