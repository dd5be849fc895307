package measure

import (
	"context"

	"dowse/engine/kernel"
	"dowse/internal/app"
	"dowse/lab/bench"
)

// Contexts measures how a conversation of the text of folders goes on, with the named
// model, the one in use, or the only one that writes.
func (a *Runner) Contexts(ctx context.Context, dirs []string, opts bench.ContextsOptions, progress bench.Progress) (report *bench.ContextsReport, err error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	if opts.Folders, err = app.ResolveFolders(dirs); err != nil {
		return nil, err
	}
	if _, _, err := a.benchWriter(&opts.WriterOptions); err != nil {
		return nil, err
	}
	opts.Corpus = bench.CorpusOptions{MaxFile: a.Config.MaxFile, Workers: a.Config.Threads}
	err = a.withKernel(func(k *kernel.Kernel) error {
		report, err = bench.Contexts(ctx, opts, k, progress)
		return err
	})
	return report, err
}
