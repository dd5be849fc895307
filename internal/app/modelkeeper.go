package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/engine/weights"
	"dowse/internal/config"
	"dowse/internal/registry"
	"dowse/models"
)

// ModelKeeper keeps the models of a dowse for a screen, by its settings as they are at the time.
type ModelKeeper struct{ App *App }

var _ engine.ModelKeeper = ModelKeeper{}

// now is the App with the settings as they are now; what it reads files with stays as it is.
func (k ModelKeeper) now() (*App, error) {
	settings, err := config.Load(k.App.Home.ConfigFile())
	if err != nil {
		return nil, err
	}
	a := *k.App
	a.Config = settings
	a.ResolveNames()
	return &a, nil
}

// Models implements engine.ModelKeeper.
func (k ModelKeeper) Models(ctx context.Context) ([]engine.Model, error) {
	a, err := k.now()
	if err != nil {
		return nil, err
	}
	list, err := a.Models()
	if err != nil {
		return nil, err
	}
	forecasts, err := a.Forecasts(ctx, list)
	if err != nil {
		return nil, err
	}
	costs, advised := a.EmbedderCosts(list), a.Recommend(list, forecasts)
	all := a.choices()
	for _, m := range list {
		one := Listed(m, forecasts[m.Name], costs[m.Name])
		if !one.Installed {
			a.forecastPull(&one, secondsOf(m, list, forecasts))
		}
		one.Advised = advised != nil && advised.Name == m.Name
		all = append(all, one)
	}
	jobs := []engine.ModelJob{engine.Embeds, engine.Reranks, engine.Answers, engine.Reads}
	order := func(m *engine.Model) int {
		return 4*slices.Index(jobs, m.Job) + slices.Index([]bool{m.InUse, m.Installed, m.Advised, true}, true)
	}
	slices.SortStableFunc(all, func(x, y engine.Model) int { return cmp.Compare(order(&x), order(&y)) })
	return all, nil
}

// choices are what people may choose in the place of a model.
func (a *App) choices() []engine.Model {
	return []engine.Model{
		{
			Name: config.NoReranker, Job: engine.Reranks, Installed: true, Part: true, InUse: a.Config.Reranker == config.NoReranker,
			Says: "no model reads what was found: faster, and worse",
		},
		{
			Name: config.Auto, Job: engine.Answers, Installed: true, Part: true, InUse: a.Config.Answerer == config.Auto,
			Says: "answers are quoted, nothing is written; how sure they are is judged",
		},
	}
}

// Listed is a model of a list as front ends have it.
func Listed(m registry.Model, f ModelForecast, cost registry.EmbedderCost) engine.Model {
	one := engine.Model{
		Name: m.Name, Job: engine.ModelJob(m.Role), Installed: m.Installed, InUse: m.InUse, Part: models.Bundled(m.Name) && m.Installed,
		Bytes: m.Bytes, License: m.License, Source: m.Source, Says: m.Published.Languages,
		Way: f.Way, Rate: cost.Rate, Measured: cost.Measured || f.Measured,
		Seconds: f.Seconds(UsualPrompt, UsualAnswer), Large: errors.Is(f.Problem, weights.ErrBudget),
	}
	if f.Written > 0 {
		one.Rate = 1 / f.Written
	}
	if m.Published.Retrieval > 0 {
		one.Says = strings.TrimPrefix(fmt.Sprintf("%s, BEIR %.4f", one.Says, m.Published.Retrieval), ", ")
	}
	if err := errors.Join(m.Problem, f.Problem); err != nil {
		one.Problem = err.Error()
	}
	return one
}

// forecastPull says what pulling a model brings, and whether it fits then.
func (a *App) forecastPull(m *engine.Model, seconds float64) {
	name := m.Name
	if e, known := models.Lookup(name); known && e.Bundled { // what it stands on is pulled
		name = e.Base
	}
	m.Download = downloadBytes(name)
	free := freeBytes(a.Home.Caches()[0])
	m.Large = !fitsMemory(m.Bytes, a.MemoryBudget()) || free > 0 && m.Download+m.Bytes > free
	if m.Job == engine.Answers && !m.Large {
		m.Seconds = seconds
	}
}

// ChangeModel implements engine.ModelKeeper.
func (k ModelKeeper) ChangeModel(ctx context.Context, action engine.ModelAction, name string, progress func(engine.ModelPull)) (said string, err error) {
	a, err := k.now()
	if err != nil {
		return "", err
	}
	pulls := func(p models.Progress) { progress(engine.ModelPull(p)) }
	switch action {
	case engine.PullModel:
		said = name + " is installed; enter uses it"
		err = a.Pull(ctx, []string{name}, "", "", pulls, func(what string) { said += "; " + what })
		return said, err
	case engine.UseModel:
		return a.Use(ctx, name)
	case engine.RemoveModel:
		return name + " is removed", a.remove(name)
	}
	return "", fmt.Errorf("models cannot be %q", action)
}

// Use chooses an installed model, and has the process that owns the index follow, where there is one: another model
// that ranks or answers is loaded there, and does so from the next search on. Where it cannot be loaded the one
// before stays chosen. said is what follows from the choice.
func (a *App) Use(ctx context.Context, name string) (said string, err error) {
	before := a.Config
	role, err := a.UseModel(name)
	if err != nil {
		return "", err
	}
	if role == models.Embedder {
		change, err := a.FollowModel(ctx)
		if err != nil {
			return "", fmt.Errorf("%s is chosen, and will be used by the next dowse that owns the index; the one that does now could not be told: %w", name, err)
		}
		return ChoiceText(name, change), nil
	}
	asked, err := a.AskOwner(ctx, func(owner engine.Service) error {
		_, err := owner.FollowModel(ctx)
		return err
	})
	does, back := "answers", func() error { return config.UseAnswerer(a.Home.ConfigFile(), before.Answerer) }
	if role == models.Reranker {
		does, back = "ranks", func() error { return config.UseReranker(a.Home.ConfigFile(), before.Reranker) }
	}
	if asked && err != nil {
		return "", errors.Join(fmt.Errorf("%s: %w", name, err), back())
	}
	if name == config.NoReranker {
		return name + " is chosen: what is found is not ranked again from now on", nil
	}
	return fmt.Sprintf("%s is chosen, and %s from now on", name, does), nil
}

// ChoiceText says what follows from the choice of an embedder; change is nil without an index.
func ChoiceText(name string, change *engine.ModelChange) string {
	switch {
	case change == nil:
		return name + " is chosen; dowse index DIR builds an index with it"
	case change.Over:
		return name + " is chosen, and the index is built with it"
	}
	return name + " is chosen; " + change.String()
}

// remove deletes a model that nothing needs.
func (a *App) remove(name string) error {
	list, err := a.Models()
	if err != nil {
		return err
	}
	for _, m := range list {
		switch {
		case m.Name != name:
		case models.Bundled(name):
			return fmt.Errorf("%s is part of dowse: there is nothing to remove", name)
		case m.InUse:
			return fmt.Errorf("%s is in use; use another one, and remove it then", name)
		}
	}
	return a.RemoveModel(name)
}
