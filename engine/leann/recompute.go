package leann

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// candidate is a chunk whose vector may be recomputed.
type candidate struct {
	scored         // the expected exact score
	bonus  float32 // Query.Bonus
}

// rank is the score by which candidates are ordered.
func (c candidate) rank() float32 { return c.score + c.bonus }

// sortByRank puts candidates in order, most promising first.
func sortByRank(list []candidate) {
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.rank(), a.rank()) })
}

// recomputation recomputes the vectors of candidates, most promising first.
type recomputation struct {
	query   []float32
	batch   int
	exact   Exact
	dot     Dotter
	stats   *Stats
	hits    []scored // exact
	rule    stopRule
	vectors []float32
	// next, if not nil, orders the candidates left before each batch.
	next func(left []candidate)
}

// run replaces the estimates of at most count candidates by exact scores, in batches so
// that a cancelled search ends soon, until the rule says enough. It returns the rest.
func (r *recomputation) run(ctx context.Context, near []candidate, count int) (left []candidate, err error) {
	for count = min(count, len(near)); count > 0; {
		if r.next != nil {
			r.next(near)
		}
		if r.rule.enough(near[0].rank()) {
			break
		}
		n := min(r.batch, count)
		if err := r.recompute(ctx, near[:n]); err != nil {
			return nil, err
		}
		near, count = near[n:], count-n
	}
	return near, nil
}

func (r *recomputation) recompute(ctx context.Context, near []candidate) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	dim := len(r.query)
	nodes, ok := make([]uint32, len(near)), make([]bool, len(near))
	for i, c := range near {
		nodes[i] = c.node
	}
	r.vectors = slices.Grow(r.vectors[:0], len(near)*dim)[:len(near)*dim]
	if err := r.exact.Vectors(ctx, nodes, r.vectors, ok); err != nil {
		return fmt.Errorf("recompute vectors: %w", err)
	}
	r.stats.Recomputed += len(near)
	for i, c := range near {
		if !ok[i] {
			r.stats.Stale++
			continue
		}
		score := r.dot.Dot(r.query, r.vectors[i*dim:(i+1)*dim])
		r.hits = append(r.hits, scored{c.node, score})
		r.rule.found(c.score, score, c.bonus)
	}
	return nil
}
