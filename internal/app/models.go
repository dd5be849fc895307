package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/docs"
	"dowse/engine/answer/local"
	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/opened"
	"dowse/internal/indexes"
	"dowse/internal/registry"
	"dowse/models"
)

// SwapModel makes a row pack of an installed decoder, and measures on a text, the file
// at path or the manual, what it may leave out. Where o names no size of groups, the disk
// says which.
func (a *App) SwapModel(ctx context.Context, name string, o models.SwapOptions, path string, progress func(models.Progress)) (models.Swapped, error) {
	text, err := calibrationText(path)
	if err != nil {
		return models.Swapped{}, err
	}
	if o.GroupLayers == 0 {
		o.GroupLayers = 1
		if m, err := a.FindModel(name); err == nil { // otherwise Swap says what is wrong
			o.GroupLayers = opened.GroupLayers(ctx, m, o.Bits, a.MemoryBudget(), a.DiskCosts())
		}
	}
	swapped, err := models.Swap(ctx, a.Home.Caches(), name, o, progress)
	if err != nil {
		return swapped, a.PullError(err)
	}
	m, err := a.FindModel(name)
	if err != nil {
		return swapped, err
	}
	if found, err := opened.Calibrated(m); found && err == nil && path == "" {
		return swapped, nil
	}
	k, err := kernel.New(kernel.Options{Library: a.RuntimeLibrary()})
	if err != nil {
		return swapped, err
	}
	err = opened.Calibrate(ctx, m, k, a.Config.Threads, a.MemoryBudget(), text, func(done, total int) {
		progress(models.Progress{Step: fmt.Sprintf("measure what %s may leave out: %d%%", name, 100*done/max(total, 1))})
	})
	return swapped, errors.Join(err, k.Close())
}

// calibrationText reads a file, or the manual where none is named.
func calibrationText(path string) (opened.Calibration, error) {
	if path == "" {
		pages, err := docs.Texts()
		return opened.Calibration{Name: "the manual of dowse", Texts: pages}, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return opened.Calibration{}, fmt.Errorf("--text: %w", err)
	}
	return opened.Calibration{Name: filepath.Base(path), Texts: []string{string(text)}}, nil
}

// The usual tokens of an answer.
const (
	UsualPrompt = 600 // of a question with its passages
	UsualAnswer = 40  // of what is written to it
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
