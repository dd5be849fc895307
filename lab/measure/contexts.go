package measure

import (
	"cmp"
	"context"
	"errors"

	"dowse/engine/kernel"
	"dowse/internal/app"
	"dowse/lab/bench"
)

// Contexts measures switching between conversations over the text of folders, with the
// named model, the one in use, or the only one that writes.
func (a *Runner) Contexts(ctx context.Context, dirs []string, opts bench.ContextsOptions, progress bench.Progress) (report *bench.ContextsReport, err error) {
	if opts.Threads < 0 {
		return nil, errors.New("--threads wants a number from 0, which means the setting")
	}
	opts.Threads = cmp.Or(opts.Threads, a.Config.Threads)
	if err := opts.Check(); err != nil {
		return nil, err
	}
	if opts.Folders, err = app.ResolveFolders(dirs); err != nil {
		return nil, err
	}
	writer, _, err := a.benchWriter(opts.Model)
	if err != nil {
		return nil, err
	}
	opts.Model, opts.Pack, opts.Adapter = writer.Name, writer.Path, writer.Adapter
	opts.Corpus = bench.CorpusOptions{MaxFile: a.Config.MaxFile, Workers: a.Config.Threads}
	err = a.withKernel(func(k *kernel.Kernel) error {
		report, err = bench.Contexts(ctx, opts, k, progress)
		return err
	})
	return report, err
}
