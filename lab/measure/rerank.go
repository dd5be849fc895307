package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/rerank/crossencoder"
	"dowse/internal/app"
	"dowse/internal/config"
	"dowse/lab/bench"
	"dowse/models"
)

// Rerank measures what pruning saves over judged collections. opts names a model,
// or means the one in use; a number of threads or a target of 0 means the setting, a
// prior below 0 what searching takes.
func (a *Runner) Rerank(ctx context.Context, dirs []string, opts bench.RerankOptions, progress bench.Progress) (report *bench.RerankReport, err error) {
	if opts.Threads < 0 || opts.Target < 0 || opts.Target > 1 {
		return nil, errors.New("--threads wants a number from 0, --target a share from 0 to 1; 0 means the setting")
	}
	opts.Threads, opts.Target = cmp.Or(opts.Threads, a.Config.Threads), cmp.Or(opts.Target, a.Config.Precision)
	opts.Base = crossencoder.PruningBase
	if opts.Folders, err = app.ResolveFolders(dirs); err != nil {
		return nil, err
	}
	if err := opts.Check(); err != nil {
		return nil, err
	}
	if err := a.benchReranker(&opts); err != nil {
		return nil, err
	}
	err = a.withKernel(func(k *kernel.Kernel) error {
		report, err = bench.Rerank(ctx, opts, k, progress)
		return err
	})
	return report, err
}

// withKernel calls use with the fastest kernels, which are closed afterwards.
func (a *Runner) withKernel(use func(k *kernel.Kernel) error) error {
	k, err := kernel.New(kernel.Options{Library: a.RuntimeLibrary()})
	if err != nil {
		return err
	}
	return errors.Join(use(k), k.Close())
}

// benchReranker finds the pack of the named model, or of the one in use.
func (a *Runner) benchReranker(opts *bench.RerankOptions) error {
	opts.Model = cmp.Or(opts.Model, a.Config.Reranker)
	if opts.Model == config.NoReranker {
		return errors.New("no reranker is in use; name a model with --model, or run dowse models use")
	}
	m, err := a.FindModel(opts.Model)
	if err == nil && m.Role() != models.Reranker {
		err = fmt.Errorf("the model %s is %s", m.Name, m.Role().WithArticle())
	}
	if err != nil {
		return fmt.Errorf("there is no reranker to measure: %w", err)
	}
	opts.Pack, opts.Adapter = m.Path, m.Adapter
	if m.Job != nil {
		opts.Prompt, opts.Tokens = crossencoder.PromptOf(m.Job.Prompt), cmp.Or(opts.Tokens, m.Job.MaxTokens)
	}
	if opts.Prior < 0 {
		opts.Prior = crossencoder.PriorOf(m)
	}
	return nil
}
