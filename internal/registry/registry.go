package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"dowse/engine/memory"
	"dowse/engine/opened"
	"dowse/internal/config"
	"dowse/internal/home"
	"dowse/models"
)

// Registry is the models of one home, as its settings choose them.
type Registry struct {
	Home   home.Home
	Config config.Config
	Build  string // version of this build of dowse, by which what was measured is known
	// Tell gets sentences for the person while an index is being opened; it may be nil.
	Tell func(string)
}

// memoryShare of the machine's memory, as 1/memoryShare, is what dowse may hold
// unless the settings say otherwise.
const memoryShare = 4

// MemoryBudget is the bytes that dowse may hold, 0 for any number.
func (r *Registry) MemoryBudget() int64 {
	if r.Config.Memory > 0 {
		return r.Config.Memory
	}
	return memory.Machine() / memoryShare
}

// Machine is where models of this home are found.
func (r *Registry) Machine(ledger *memory.Ledger) opened.Machine {
	return opened.Machine{Find: r.FindModel, Ledger: ledger, Threads: r.Config.Threads, Memory: memory.NewArbiter(r.MemoryBudget())}
}

// FindModel finds an installed model in any of the caches, or says what to do.
func (r *Registry) FindModel(name string) (models.Installation, error) {
	return opened.Find(r.Home.Caches(), name)
}

// PackPath finds the weights of a model in the caches; a bundled model is unpacked first.
func (r *Registry) PackPath(name string) (string, error) {
	if err := opened.Unpack(r.Home.Caches(), name); err != nil {
		return "", err
	}
	name, err := models.Resolve(r.Home.Caches(), name)
	if err != nil {
		return "", err
	}
	for _, cache := range r.Home.Caches() {
		path, err := models.WeightsPath(cache, name)
		if err == nil {
			return path, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("the model %s cannot be read: %w", name, err)
		}
	}
	return "", fmt.Errorf("the model %s is not installed; run dowse models pull", name)
}

// hasPack reports whether a model is installed that others can stand on.
func (r *Registry) hasPack(name string) bool {
	_, err := r.PackPath(name)
	return err == nil
}

// RuntimeLibrary is the path of ONNX Runtime's library, or "": without it the
// kernels of dowse do the work.
func (r *Registry) RuntimeLibrary() string {
	path, _ := r.FindRuntime() // dowse doctor reports the error
	return path
}

// FindRuntime looks for ONNX Runtime's library in all caches.
func (r *Registry) FindRuntime() (string, error) {
	var first error
	for _, cache := range r.Home.Caches() {
		path, err := models.FindRuntime(cache)
		if err == nil {
			return path, nil
		}
		if first == nil {
			first = err
		}
	}
	return "", first
}

// CostsFolder is where is kept what passes of writing models cost on this machine.
func (r *Registry) CostsFolder() string { return filepath.Join(r.Home.Cache, "generate") }

// DiskCosts measures the disks that models lie on, once each.
func (r *Registry) DiskCosts() opened.DiskCosts { return opened.MeasuredDisk(r.CostsFolder(), r.Build) }

// ResolveNames puts whole names of models in the place of short ones in the settings.
func (r *Registry) ResolveNames() {
	notModels := []string{config.NoReranker, config.Extract, config.Auto, config.FromEndpoint}
	for _, name := range []*string{&r.Config.Model, &r.Config.Folders.Model, &r.Config.Reranker, &r.Config.Answerer} {
		if slices.Contains(notModels, *name) {
			continue
		}
		if whole, err := models.Resolve(r.Home.Caches(), *name); err == nil { // opening the model says what is wrong
			*name = whole
		}
	}
}
