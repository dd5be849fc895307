package measure

import (
	"cmp"
	"context"
	"errors"
	"os"

	"dowse/engine/kernel"
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
	opts.Model, opts.Pack, opts.Rows = writer.Name, writer.Path, writer.Rows
	return bench.Swap(ctx, opts, progress)
}

// SwapOne measures one way in this process.
func (a *Runner) SwapOne(ctx context.Context, run bench.SwapRun) (measured bench.SwapMeasured, err error) {
	run.Threads = cmp.Or(run.Threads, a.Config.Threads)
	err = run.Join()
	if err == nil {
		err = a.withKernel(func(k *kernel.Kernel) error {
			measured, err = run.Run(ctx, k)
			return err
		})
	}
	return measured, err
}
