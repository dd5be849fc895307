package transformer

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"dowse/engine/weights"
)

// run borrows the layers first to end-1 of a model from source, one after the other, and
// calls compute with each. It checks ctx before each layer. After an error the pass is over;
// source serves the next one.
func run[L any](ctx context.Context, source weights.Source[L], first, end int, compute func(i int, layer L) error) error {
	for i := first; i < end; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		layer, err := source.Acquire(ctx, i)
		if err != nil {
			return err
		}
		if err := compute(i, layer); err != nil {
			return err
		}
		source.Release(i)
	}
	return nil
}

// share lets workers take the numbers 0 to n-1 in turn. It checks ctx before each.
func share(ctx context.Context, workers []*workspace, n int, work func(i int, w *workspace) error) error {
	var taken atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for _, w := range workers[:min(len(workers), n)] {
		group.Go(func() error {
			for {
				i := int(taken.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := work(i, w); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}
