package measure

import (
	"cmp"
	"errors"

	"dowse/engine/kernel"
	"dowse/internal/app"
	"dowse/internal/trial"
)

// Runner measures with the settings and models of an app.
type Runner struct{ *app.App }

// With measures with an app.
func With(a *app.App) *Runner { return &Runner{a} }

// reranking is the same with so many candidates where the settings name no number, so
// that it does not follow from how fast the machine is.
func (a *Runner) reranking(candidates int) *Runner {
	return &Runner{trial.With(a.App, func(a *app.App) { a.Config.Depth = cmp.Or(a.Config.Depth, candidates) })}
}

// onTrial calls use with this dowse in a home of its own, which it removes.
func (a *Runner) onTrial(use func(trial *Runner) error) error {
	return trial.Use(a.App, func(trial *app.App) error { return use(&Runner{trial}) })
}

// withKernel calls use with the fastest kernels, which are closed afterwards.
func (a *Runner) withKernel(use func(k *kernel.Kernel) error) error {
	k, err := kernel.New(kernel.Options{Library: a.RuntimeLibrary()})
	if err != nil {
		return err
	}
	return errors.Join(use(k), k.Close())
}
