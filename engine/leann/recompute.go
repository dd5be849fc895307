package leann

import (
	"context"
	"fmt"
	"slices"
)

// recomputation recomputes the vectors of scanned chunks, most promising first.
type recomputation struct {
	query   []float32
	batch   int
	exact   Exact
	dot     Dotter
	stats   *Stats
	hits    []scored // exact
	line    regression
	vectors []float32
	// next, if not nil, puts those that are left in order before each batch.
	next func(left []scored) []scored
}

// run replaces the estimates of the first of near by exact scores, a batch at a time,
// so that a search that is not wanted any more ends soon. It returns those that are left.
func (r *recomputation) run(ctx context.Context, near []scored, count int) (left []scored, err error) {
	for count = min(count, len(near)); count > 0; {
		if r.next != nil {
			near = r.next(near)
		}
		n := min(r.batch, count)
		if err := r.recompute(ctx, near[:n]); err != nil {
			return nil, err
		}
		near, count = near[n:], count-n
	}
	return near, nil
}

func (r *recomputation) recompute(ctx context.Context, near []scored) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	dim := len(r.query)
	nodes, ok := make([]uint32, len(near)), make([]bool, len(near))
	for i, s := range near {
		nodes[i] = s.node
	}
	r.vectors = slices.Grow(r.vectors[:0], len(near)*dim)[:len(near)*dim]
	if err := r.exact.Vectors(ctx, nodes, r.vectors, ok); err != nil {
		return fmt.Errorf("recompute vectors: %w", err)
	}
	r.stats.Recomputed += len(near)
	r.stats.Batches++
	for i, s := range near {
		if !ok[i] {
			r.stats.Stale++
			continue
		}
		score := r.dot.Dot(r.query, r.vectors[i*dim:(i+1)*dim])
		r.hits = append(r.hits, scored{s.node, score})
		r.line.add(float64(s.score), float64(score))
	}
	return nil
}

// regression fits exact scores to estimates by least squares. The best
// estimates of many are best by luck too: exact scores regress towards the
// mean, and those that are not recomputed are best guessed the same way.
type regression struct{ n, x, y, xx, xy float64 }

func (l *regression) add(estimate, exact float64) {
	l.n++
	l.x += estimate
	l.y += exact
	l.xx += estimate * estimate
	l.xy += estimate * exact
}

// at returns the exact score to be expected for an estimate.
func (l *regression) at(estimate float64) float64 {
	if l.n == 0 {
		return estimate
	}
	slope := 0.0
	if spread := l.n*l.xx - l.x*l.x; spread > 1e-12 {
		slope = min(max((l.n*l.xy-l.x*l.y)/spread, 0), 1)
	}
	return (l.y + slope*(l.n*estimate-l.x)) / l.n
}
