package bench

import (
	"context"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"dowse/engine/leann"
)

// Vectors are vectors in memory, numbered from 0.
type Vectors struct {
	Dim    int
	Values []float32 // [n, Dim]
	Dotter leann.Dotter
}

// Len returns the number of vectors.
func (v *Vectors) Len() int { return len(v.Values) / v.Dim }

// Vector returns one of them.
func (v *Vectors) Vector(node uint32) []float32 {
	return v.Values[int(node)*v.Dim : (int(node)+1)*v.Dim]
}

// floatBytes are numbers as a store holds them.
func floatBytes(values []float32) []byte {
	raw := make([]byte, 0, 4*len(values))
	for _, x := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return raw
}

// truthDepth is how many of the nearest passages of a query are to be found:
// recall@3, as LEANN measures it.
const truthDepth = 3

// searched is what is searched, what for, and what is to be found.
type searched struct {
	*Vectors
	textBytes  int64
	queries    [][]float32
	truth      [][]uint32 // by query, the nearest by exact scan
	scanMicros float64    // mean time of an exact scan
}

// timedScans is how many exact scans are timed, one after the other.
const timedScans = 16

// newSearched finds the truth by exact scan for queries [n, Dim].
func newSearched(ctx context.Context, v *Vectors, textBytes int64, queries []float32) (*searched, error) {
	c := &searched{Vectors: v, textBytes: textBytes, queries: slices.Collect(slices.Chunk(queries, v.Dim))}
	c.truth = make([][]uint32, len(c.queries))
	flat, raw := leann.Flat{Dim: v.Dim, Dot: v.Dotter}, floatBytes(v.Values)
	source := func(f func(first uint32, raw []byte) error) error { return f(0, raw) }
	scan := func(ctx context.Context, i int) error {
		hits, _, err := flat.Search(ctx, c.queries[i], truthDepth, nil, source)
		c.truth[i] = numbers(hits)
		return err
	}
	if err := each(ctx, len(c.queries), workers(), scan); err != nil {
		return nil, err
	}
	timed := min(timedScans, len(c.queries))
	start := time.Now()
	if err := each(ctx, timed, 1, scan); err != nil {
		return nil, err
	}
	c.scanMicros = micros(time.Since(start)) / float64(max(timed, 1))
	return c, nil
}

// recalled returns how many of a query's nearest are among the hits.
func (c *searched) recalled(query int, hits []leann.Hit) (n int) {
	for _, h := range hits {
		countIf(&n, slices.Contains(c.truth[query], h.Chunk))
	}
	return n
}

// numbers returns the chunks of hits.
func numbers(hits []leann.Hit) []uint32 {
	out := make([]uint32, len(hits))
	for i, h := range hits {
		out[i] = h.Chunk
	}
	return out
}

// meter is the leann.Exact of a measurement: it hands out vectors that are at hand
// and counts the passages that would be embedded again. It serves one search.
type meter struct {
	vectors *Vectors
	asked   int           // vectors
	handing time.Duration // time spent handing out
}

// Vectors implements leann.Exact.
func (m *meter) Vectors(_ context.Context, nodes []uint32, dst []float32, ok []bool) error {
	start := time.Now()
	for i, node := range nodes {
		copy(dst[i*m.vectors.Dim:], m.vectors.Vector(node))
		ok[i] = true
	}
	m.asked += len(nodes)
	m.handing += time.Since(start)
	return nil
}

// workers returns how many queries are asked at the same time while settings are
// looked for.
func workers() int { return runtime.GOMAXPROCS(0) }

// each calls f for 0 to n-1 from a number of goroutines.
func each(ctx context.Context, n, goroutines int, f func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(goroutines, n) {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := f(ctx, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
