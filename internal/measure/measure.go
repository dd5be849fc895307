package measure

import (
	"cmp"

	"dowse/internal/app"
)

// Runner measures with the settings and models of an app.
type Runner struct{ *app.App }

// With measures with an app.
func With(a *app.App) *Runner { return &Runner{a} }

// reranking is the same with so many candidates where the settings name no number, so
// that it does not follow from how fast the machine is.
func (a *Runner) reranking(candidates int) *Runner {
	return a.with(func(a *app.App) { a.Config.Depth = cmp.Or(a.Config.Depth, candidates) })
}

// with is the same with another configuration or home.
func (a *Runner) with(change func(a *app.App)) *Runner {
	other := *a.App
	change(&other)
	return &Runner{&other}
}
