package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/engine/kernel"
	"dowse/engine/opened"
	"dowse/internal/bench"
)

// Swap measures how fast a model writes that does not fit into memory: the named one,
// the one in use, or the only one that writes.
func (a *Runner) Swap(ctx context.Context, opts bench.SwapOptions, progress bench.Progress) (*bench.SwapReport, error) {
	if opts.Threads < 0 {
		return nil, errors.New("--threads wants a number from 0, which means the setting")
	}
	opts.Threads = cmp.Or(opts.Threads, a.Config.Threads)
	if err := opts.Check(); err != nil {
		return nil, err
	}
	writer, _, err := a.benchWriter(opts.Model)
	if err != nil {
		return nil, err
	}
	if opts.Program, err = os.Executable(); err != nil {
		return nil, err
	}
	if writer.Rows == "" {
		return nil, fmt.Errorf("the model %s has no row pack; make one with: dowse models swap %s", writer.Name, writer.Name)
	}
	opts.Model, opts.Pack, opts.Rows = writer.Name, writer.Path, writer.Rows
	if writer.Path == writer.Rows {
		opts.Pack = ""
	}
	return bench.Swap(ctx, opts, progress)
}

// Shape measures how fast a model of a published shape decodes whose weights are random.
func (a *Runner) Shape(ctx context.Context, opts bench.ShapeOptions, progress bench.Progress) (report *bench.ShapeReport, err error) {
	if opts.Threads < 0 {
		return nil, errors.New("--threads wants a number from 0, which means the setting")
	}
	opts.Threads = cmp.Or(opts.Threads, a.Config.Threads)
	if opts.Folder == "" {
		opts.Folder = filepath.Join(a.Home.Cache, "bench", "shapes")
	}
	if opts.Program, err = os.Executable(); err != nil {
		return nil, err
	}
	err = a.withKernel(func(k *kernel.Kernel) error {
		report, err = bench.Shape(ctx, opts, k, progress)
		return err
	})
	return report, err
}

// ShapeOne measures one way in this process, of a pack of random weights that leaves out
// what the thresholds at a path say.
func (a *Runner) ShapeOne(ctx context.Context, run bench.SwapRun, thresholds string) (measured bench.SwapMeasured, err error) {
	// First of all: pages that are read before count in another group.
	if err := run.Join(); err != nil {
		return measured, err
	}
	if run.Sparsity, err = bench.ShapeSparsity(run.File, thresholds); err != nil {
		return measured, err
	}
	return a.runOne(ctx, run)
}

// SwapOne measures one way in this process, of a model and up to a sparsity.
func (a *Runner) SwapOne(ctx context.Context, run bench.SwapRun, model string, levels []float64) (measured bench.SwapMeasured, err error) {
	// First of all: pages that are read before count in another group.
	if err := run.Join(); err != nil {
		return measured, err
	}
	m, _, err := a.benchWriter(model)
	if err != nil {
		return measured, err
	}
	if run.File = m.Path; run.Way == bench.SwapRows {
		if run.File = m.Rows; len(levels) == 0 || levels[0] < 0 {
			run.Sparsity, err = opened.Sparsity(m)
		} else if levels[0] > 0 {
			run.Sparsity, err = opened.SparsityUpTo(m, levels[0])
		}
	}
	if err != nil {
		return measured, err
	}
	return a.runOne(ctx, run)
}

// runOne measures one way in this process.
func (a *Runner) runOne(ctx context.Context, run bench.SwapRun) (measured bench.SwapMeasured, err error) {
	run.Threads = cmp.Or(run.Threads, a.Config.Threads)
	err = a.withKernel(func(k *kernel.Kernel) error {
		measured, err = run.Run(ctx, k)
		return err
	})
	return measured, err
}
