package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"dowse/engine/kernel"
	"dowse/internal/config"
	"dowse/internal/home"
	"dowse/internal/rerankbench"
	"dowse/models"
	"dowse/models/pack"
)

// BenchRerankOptions say what BenchRerank measures.
type BenchRerankOptions struct {
	Model string // an installed reranker; "" is the one in use
	Shape string // instead of a model, weights that are made up
	Keep  bool   // leave the pack of the shape in the cache, and its config.json

	Queries, Timed, Tokens int
	Candidates, K          []int
	Threads                int     // 0 means the setting
	Target                 float64 // 0 means the setting
	Prior                  float64 // below 0: as searching does
	Pairs                  string  // file to write what is timed to; "" writes none
}

// shapeSeed is of the weights that are made up.
const shapeSeed = 1

// shapeConfig is what other programs make a model of the same shape from.
const shapeConfig = "config.json"

// BenchRerank measures reranking over judged collections, or, without any or
// with a shape, over tokens that are made up.
func (a *App) BenchRerank(ctx context.Context, dirs []string, opts BenchRerankOptions, progress func(phase string, done, total int)) (report *rerankbench.Report, err error) {
	if opts.Threads < 0 || opts.Target < 0 || opts.Target > 1 {
		return nil, errors.New("--threads wants a number from 0, --target a share from 0 to 1; 0 means the setting")
	}
	if opts.Shape != "" && opts.Model != "" {
		return nil, errors.New("--shape makes a model up and --model names a real one; choose one of them")
	}
	bench := rerankbench.Options{
		Model: opts.Model, Seeded: opts.Shape != "", Queries: opts.Queries, Timed: opts.Timed, Candidates: opts.Candidates, K: opts.K,
		Tokens: opts.Tokens, Threads: opts.Threads, Target: opts.Target, Prior: opts.Prior, Spill: a.Home.Cache,
		Pairs: opts.Pairs,
	}
	if bench.Folders, err = ResolveFolders(dirs); err != nil {
		return nil, err
	}
	if err := bench.Check(); err != nil {
		return nil, err
	}
	if bench.Threads == 0 {
		bench.Threads = a.Config.Threads
	}
	if bench.Target == 0 {
		bench.Target = a.Config.Precision
	}
	if err := home.MakeOwn(a.Home.Cache); err != nil {
		return nil, err
	}
	if opts.Shape != "" {
		bench.Model, bench.Prior = opts.Shape, 0
		if bench.Pack, err = a.makeShape(ctx, opts.Shape, progress); err != nil {
			return nil, err
		}
		if !opts.Keep {
			defer func() { err = errors.Join(err, os.RemoveAll(filepath.Dir(bench.Pack))) }()
		}
	} else if err := a.benchReranker(&bench); err != nil {
		return nil, err
	}
	k, err := kernel.New(kernel.Options{Library: a.runtimeLibrary()})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	return rerankbench.Run(ctx, bench, k, progress)
}

// benchReranker finds the pack of the named model, or of the one in use.
func (a *App) benchReranker(bench *rerankbench.Options) error {
	if bench.Model == "" {
		bench.Model = a.Config.Reranker
	}
	if bench.Model == config.NoReranker {
		return errors.New("no reranker is in use; name a model with --model, make one up with --shape, or run dowse models use")
	}
	m, err := a.findModel(bench.Model)
	if err == nil && m.Role() != models.Reranker {
		err = fmt.Errorf("the model %s is %s", m.Name, m.Role().WithArticle())
	}
	if err != nil {
		return fmt.Errorf("there is no reranker to measure: %w; or make one up with --shape", err)
	}
	bench.Pack, bench.Adapter = m.Path, m.Adapter
	if m.Job != nil {
		bench.Prompt, bench.Tokens = promptOf(m.Job.Prompt), cmp.Or(bench.Tokens, m.Job.MaxTokens)
	}
	if bench.Prior < 0 {
		bench.Prior = priorOf(m)
	}
	return nil
}

// makeShape makes the pack of a shape in a folder of its own in the cache,
// unless it was kept there, and returns its path.
func (a *App) makeShape(ctx context.Context, name string, progress func(phase string, done, total int)) (path string, err error) {
	shape, err := rerankbench.ShapeOf(name)
	if err != nil {
		return "", err
	}
	folder := filepath.Join(a.Home.Cache, "bench", "shape-"+shape.Name)
	path = filepath.Join(folder, "model.pack")
	if p, err := pack.Open(path); err == nil { // of an older format it is made again
		return path, p.Close()
	}
	if err := home.MakePrivate(folder); err != nil {
		return "", err
	}
	source, err := os.MkdirTemp(folder, "source-*")
	if err != nil {
		return "", fmt.Errorf("make the shape %s: %w", name, err)
	}
	defer func() {
		if err = errors.Join(err, os.RemoveAll(source)); err != nil {
			err = errors.Join(err, os.RemoveAll(folder))
		}
		debug.FreeOSMemory() // importing takes memory by the gigabyte
	}()
	progress("making weights up", 0, 2)
	if err := rerankbench.WriteShape(ctx, source, shape, shapeSeed); err != nil {
		return "", err
	}
	progress("importing them", 1, 2)
	if err := pack.Import(ctx, source, path, nil); err != nil {
		return "", err
	}
	return path, os.Rename(filepath.Join(source, shapeConfig), filepath.Join(folder, shapeConfig))
}
