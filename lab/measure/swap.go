package measure

import (
	"context"
	"fmt"
	"os"

	"dowse/engine/kernel"
	"dowse/engine/opened"
	"dowse/engine/swap"
	"dowse/engine/weights"
	"dowse/lab/bench"
	"dowse/models"
)

// Swap measures how fast a model writes that does not fit into memory: the named one,
// the one in use, or the only one that writes.
func (a *Runner) Swap(ctx context.Context, opts bench.SwapOptions, progress bench.Progress) (report *bench.SwapReport, err error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	writer, _, err := a.benchWriter(&opts.WriterOptions)
	if err != nil {
		return nil, err
	}
	if opts.Program, err = os.Executable(); err != nil {
		return nil, err
	}
	if writer.Rows == "" {
		return nil, fmt.Errorf("the model %s has no row pack; make one with: dowse models swap %s", writer.Name, writer.Name)
	}
	opts.Rows = writer.Rows
	if writer.Path == writer.Rows {
		opts.Pack = ""
	}
	a.DiskCosts().Of(ctx, opts.Rows) // kept for the processes that measure, which have no memory to spare
	return bench.Swap(ctx, opts, progress)
}

// SwapOne measures one way of a model in this process.
func (a *Runner) SwapOne(ctx context.Context, run bench.SwapRun, opts bench.WriterOptions) (measured bench.SwapMeasured, err error) {
	// First of all: pages that are read before count in another group.
	if err := run.Join(); err != nil {
		return measured, err
	}
	m, _, err := a.benchWriter(&opts)
	if err != nil {
		return measured, err
	}
	run.Threads = opts.Threads
	if err := a.placeSwap(ctx, &run, m); err != nil {
		return measured, err
	}
	err = a.withKernel(func(k *kernel.Kernel) error {
		measured, err = run.Run(ctx, k)
		return err
	})
	return measured, err
}

// placeSwap sets the form of the model that a way reads, and its sparsity.
func (a *Runner) placeSwap(ctx context.Context, run *bench.SwapRun, m models.Installation) (err error) {
	run.File = m.Path
	if m.Rows == "" {
		return nil
	}
	switch run.Way {
	case bench.SwapRows:
		run.Swapped = true
		run.Sparsity, err = opened.Sparsity(m)
	case bench.SwapAuto, bench.SwapDrafted:
		err = a.chooseSwap(ctx, run, m)
	}
	if run.Swapped {
		run.File, run.Disk = m.Rows, a.DiskCosts().Of(ctx, m.Rows)
	}
	return err
}

// chooseSwap chooses as a question would have it: active rows where they pay, layers
// otherwise, and the row pack anyway where there is nothing else.
func (a *Runner) chooseSwap(ctx context.Context, run *bench.SwapRun, m models.Installation) error {
	model, layout, err := opened.MeasureRows(m)
	if err != nil {
		return err
	}
	sparsity, err := opened.Sparsity(m)
	if err != nil {
		return err
	}
	tokens := run.Prompt + run.Tokens
	model.Config.MaxTokens = tokens
	rows, err := weights.NewRowRoom(model, swap.Least(layout), swap.Whole(layout), weights.Limits{Budget: run.Memory, Threads: run.Threads})
	pays := false
	if err == nil && !rows.Resident() {
		pays, err = opened.SwapPays(&rows, layout, sparsity, tokens, a.DiskCosts().Of(ctx, m.Rows))
	}
	if run.Swapped = pays || m.Path == m.Rows; !run.Swapped {
		return nil // as where rows find no room
	}
	if pays {
		run.Sparsity = sparsity
	}
	return err
}
