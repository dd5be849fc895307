package registry

import (
	"path/filepath"

	"dowse/engine/answer/local"
	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/modelset"
	"dowse/engine/opened"
	"dowse/engine/rerank/crossencoder"
	"dowse/internal/config"
	"dowse/models"
)

// OpenModels opens what the settings name.
func (r *Registry) OpenModels(ledger *memory.Ledger) (*modelset.Set, error) {
	return r.OpenModelsWith(kernel.Options{Library: r.RuntimeLibrary()}, r.Machine(ledger))
}

// OpenModelsWith opens what the settings name on particular kernels.
func (r *Registry) OpenModelsWith(kernels kernel.Options, machine opened.Machine) (*modelset.Set, error) {
	path, err := r.EmbedderPath(r.Config.Model)
	if err != nil {
		return nil, err
	}
	return r.OpenWith(kernels, r.EmbedderOptions(machine, r.Config.Model, path))
}

// OpenWith opens an embedder, and what the settings name besides.
func (r *Registry) OpenWith(kernels kernel.Options, o modelset.Options) (*modelset.Set, error) {
	o.Kernel, o.Choice, o.Keys = kernels, r.Choice(), r.Keys()
	return modelset.Open(o)
}

// Choice says which models the settings have rank and answer.
func (r *Registry) Choice() modelset.Choice {
	return modelset.Choice{
		Reranker: r.RerankerOptions(), Depth: r.Config.Depth, RerankServer: r.rerankServer(),
		Writer: r.writerOptions(), Verifies: r.Config.Answerer == config.Auto, AnswerServer: r.AnswerServer(),
	}
}

// EmbedderOptions are those of the embedder of a name, as embedderPath gave its path.
func (r *Registry) EmbedderOptions(machine opened.Machine, name, path string) modelset.Options {
	if name == config.FromEndpoint {
		return modelset.Options{Machine: machine, Embedder: name, Pack: r.SameModel(), Server: r.EmbedServer()}
	}
	return modelset.Options{Machine: machine, Embedder: name, Pack: path, Fitted: name == models.DefaultEmbedder, Static: models.StaticTable(name)}
}

// RerankerOptions name no model where none is wanted.
func (r *Registry) RerankerOptions() crossencoder.Options {
	if r.Config.Reranker == config.NoReranker {
		return crossencoder.Options{}
	}
	o := crossencoder.Options{
		Name: r.Config.Reranker, Spill: r.Home.Cache, Folder: filepath.Join(r.Home.Cache, "rerank"), Target: r.Config.Precision,
	}
	if r.Config.Depth == 0 {
		o.Time, o.Costs, o.Build = r.Config.Time, filepath.Join(r.Home.Cache, "rerank", "pace"), r.Build
	}
	return o
}

// writerOptions name no model where answers are extracted.
func (r *Registry) writerOptions() local.Options {
	name := r.Answerer()
	if name == config.Extract {
		return local.Options{}
	}
	return local.Options{Name: name, Costs: r.CostsFolder(), Past: r.Home.Answers(), Build: r.Build, Disk: r.DiskCosts()}
}

// Answerer is the model that judges or writes answers, or config.Extract.
func (r *Registry) Answerer() string {
	switch {
	case r.Config.Answerer != config.Auto:
		return r.Config.Answerer
	case r.hasPack(models.SmallestAnswerer):
		return models.TrainedAnswerer
	}
	return config.Extract
}

// keysRatio is the part of their bytes at 8 bits that older keys and values of a
// conversation may have in the mean.
const keysRatio = 0.5

// Keys keeps the keys and values of conversations, beside their text.
func (r *Registry) Keys() *local.Keys {
	return local.NewKeys(local.KeysOptions{
		Folder: filepath.Join(r.Home.Conversations(), "keys"), Quota: r.Config.Keys, Ratio: keysRatio,
	})
}
