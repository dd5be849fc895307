package measure

import (
	"dowse/internal/app"
)

// Runner measures with the settings and models of an app.
type Runner struct{ *app.App }

// With measures with an app.
func With(a *app.App) *Runner { return &Runner{a} }

// with is the same with another configuration or home.
func (a *Runner) with(change func(a *app.App)) *Runner {
	other := *a.App
	change(&other)
	return &Runner{&other}
}
