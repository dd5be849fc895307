package indexbench

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"dowse/engine/leann"
)

// truthDepth is how many of the nearest passages of a query are to be found:
// recall@3, as LEANN measures it.
const truthDepth = 3

// Collection is what is searched, what for, and what is to be found.
type Collection struct {
	Vectors   *Vectors
	TextBytes int64
	Queries   [][]float32
	Truth     [][]uint32 // by query, the nearest by exact scan

	// scanMicros is the mean time of an exact scan.
	scanMicros float64
}

// timedScans is how many exact scans are timed, one after the other.
const timedScans = 16

// NewCollection finds the truth by exact scan.
func NewCollection(ctx context.Context, v *Vectors, textBytes int64, queries [][]float32) (*Collection, error) {
	c := &Collection{Vectors: v, TextBytes: textBytes, Queries: queries, Truth: make([][]uint32, len(queries))}
	flat, raw := leann.Flat{Dim: v.Dim, Dot: v.Dotter}, v.raw()
	source := func(f func(first uint32, raw []byte) error) error { return f(0, raw) }
	scan := func(ctx context.Context, i, _ int) error {
		hits, _, err := flat.Search(ctx, queries[i], truthDepth, nil, source)
		c.Truth[i] = numbers(hits)
		return err
	}
	if err := each(ctx, len(queries), workers(), scan); err != nil {
		return nil, err
	}
	timed := min(timedScans, len(queries))
	start := time.Now()
	if err := each(ctx, timed, 1, scan); err != nil {
		return nil, err
	}
	c.scanMicros = micros(time.Since(start)) / float64(max(timed, 1))
	return c, nil
}

// recalled is how many of a query's nearest are among the hits.
func (c *Collection) recalled(query int, hits []leann.Hit) int {
	n := 0
	for _, h := range hits {
		if slices.Contains(c.Truth[query], h.Chunk) {
			n++
		}
	}
	return n
}

// wanted is how many hits full recall takes.
func (c *Collection) wanted() int {
	n := 0
	for _, truth := range c.Truth {
		n += len(truth)
	}
	return n
}

// each calls f for 0 to n-1 from a number of goroutines, which f is told.
func each(ctx context.Context, n, goroutines int, f func(ctx context.Context, i, goroutine int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for g := range min(goroutines, n) {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := f(ctx, i, g); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
