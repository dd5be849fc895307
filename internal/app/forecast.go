package app

import (
	"context"
	"errors"

	"dowse/engine/answer/local"
	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/internal/indexes"
	"dowse/internal/registry"
	"dowse/models"
)

// ModelForecast is how an installed model that writes will run beside what is there in
// every phase, or why it will not.
type ModelForecast struct {
	local.Forecast
	Problem error
}

// Forecasts returns those of the models of a list that write, by name.
func (a *App) Forecasts(ctx context.Context, list []registry.Model) (found map[string]ModelForecast, err error) {
	k, err := kernel.New(kernel.Options{Library: a.RuntimeLibrary()})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	embedder := int64(0)
	for _, m := range list {
		if m.Name == a.Config.Model {
			embedder = m.Bytes
		}
	}
	found = map[string]ModelForecast{}
	for _, m := range list {
		if !m.Installed || m.Role != string(models.Answerer) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		machine := a.Machine(&memory.Ledger{})
		machine.Kernel = k
		memo, prepared := indexes.Lasting(machine.Memory)
		machine.Memory.Reserve(embedder + memo + prepared)
		w := local.NewWriter(machine, local.Options{Name: m.Name, Costs: a.CostsFolder(), Build: Version(), Disk: a.DiskCosts()})
		forecast, problem := w.Forecast(ctx)
		found[m.Name] = ModelForecast{forecast, problem}
		if err := w.Close(); err != nil {
			return nil, err
		}
	}
	return found, nil
}
