package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"dowse/engine/leann"
	"dowse/engine/memory"
)

// replicaReport says what estimates take in an index of copies.
type replicaReport struct {
	Chunks      int     `json:"chunks"`
	MemoryBytes int64   `json:"memory_bytes"`
	Scan        replied `json:"scan"`
	Walk        replied `json:"walk"`
	Shared      float64 `json:"shared"` // of the scan's best, those that the walk has too
}

// replied is how estimates were found, per query.
type replied struct {
	Median float64 `json:"median_ms"`
	Most   float64 `json:"most_ms"`
	Codes  float64 `json:"codes"` // looked at
}

// Of the queries so many are asked of a replica, for so many estimates each: as many as a
// search shows while somebody types.
const (
	replicaQueries = 30
	replicaDepth   = 10
)

// memoryShare of the machine's memory, as 1/memoryShare, may be taken by a replica.
const memoryShare = 2

// replicaRoom refuses a replica for which memory is short.
func replicaRoom(n, codeBytes int, machine int64) error {
	const links = 4 // that a chunk owns, at most, of the default bytes
	need := leann.ReplicaBytes(n, codeBytes, links)
	if machine > 0 && need > machine/memoryShare {
		return fmt.Errorf("%d passages would take some %.1f GB of memory, and this machine has %.1f GB, of which a half may be taken; name fewer with --replicate",
			n, float64(need)/(1<<30), float64(machine)/(1<<30))
	}
	return nil
}

// replica measures estimates over copies of the index, by a scan and by a walk in turns.
func (b *comparison) replica(ctx context.Context, c *searched, store *blocks, n int) (*replicaReport, error) {
	if err := replicaRoom(n, b.codeBytes, memory.Machine()); err != nil {
		return nil, err
	}
	if b.graph == nil {
		return nil, fmt.Errorf("an index of %d passages has no graph to copy; --replicate wants %d or more", c.Len(), leann.MinChunks)
	}
	b.progress("copying codes and links", 0, 1)
	p, err := leann.Index{Dim: c.Dim, Dot: c.Dotter}.Replicate(ctx, store, n)
	if err != nil {
		return nil, fmt.Errorf("copy the index: %w", err)
	}
	queries := c.queries[:min(replicaQueries, len(c.queries))]
	report := &replicaReport{Chunks: n, MemoryBytes: p.MemoryBytes()}
	var took [2][]float64
	ways := [2]*replied{&report.Scan, &report.Walk}
	found := make([][2][]uint32, len(queries))
	err = turns("estimates of copies", len(queries), len(ways), b.progress, func(query, way int) error {
		start := time.Now()
		best, seen, err := p.Estimate(ctx, queries[query], replicaDepth, way == 1)
		took[way] = append(took[way], millis(time.Since(start)))
		ways[way].Codes += float64(seen) / float64(len(queries))
		found[query][way] = numbers(best)
		return err
	})
	if err != nil {
		return nil, err
	}
	for way, r := range ways {
		r.Median, r.Most = median(took[way]), slices.Max(took[way])
	}
	shared := 0
	for _, f := range found {
		for _, chunk := range f[0] {
			countIf(&shared, slices.Contains(f[1], chunk))
		}
	}
	report.Shared = ratio(shared, replicaDepth*len(queries))
	return report, nil
}

// write tells of it.
func (r *replicaReport) write(w io.Writer) error {
	fmt.Fprintf(w, "\nestimates while typing, over %d copies of these codes, a fifth of whose numbers are noise, and of their links; %.0f MB of memory\n",
		r.Chunks, float64(r.MemoryBytes)/(1<<20))
	t := newTable(w, "by\tmedian ms\tmost ms\tcodes looked at")
	t.row("a scan of all codes\t%.1f\t%.1f\t%.0f", r.Scan.Median, r.Scan.Most, r.Scan.Codes)
	t.row("links, from the upper levels down\t%.1f\t%.1f\t%.0f", r.Walk.Median, r.Walk.Most, r.Walk.Codes)
	if err := t.flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "of the scan's best %d the links find %s\n", replicaDepth, percent(r.Shared))
	return err
}
