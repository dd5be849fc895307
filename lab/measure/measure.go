package measure

import (
	"cmp"

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
