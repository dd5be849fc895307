package app

import (
	"context"
	"errors"
	"path/filepath"

	"dowse/engine/transformer"
	"dowse/internal/home"
	"dowse/internal/indexbench"
)

// BenchIndexOptions say what BenchIndex compares.
type BenchIndexOptions struct {
	Chunks    int // at most so many; 0 means all
	Queries   int
	CodeBytes int // 0: what the setting of the index's size leaves
}

// BenchIndex compares vector indexes over the text below folders, or below the
// indexed ones if none is named. The vectors are kept in the cache.
func (a *App) BenchIndex(ctx context.Context, dirs []string, opts BenchIndexOptions, progress func(phase string, done, total int)) (*indexbench.Report, error) {
	if opts.Chunks < 0 || opts.CodeBytes < 0 {
		return nil, errors.New("--chunks and --code-bytes want a number from 0, which leaves the choice to dowse")
	}
	if opts.Queries < 1 {
		return nil, errors.New("--queries wants a number from 1")
	}
	folders, err := a.benchFolders(ctx, dirs)
	if err != nil {
		return nil, err
	}
	m, err := a.openModel(nil)
	if err != nil {
		return nil, err
	}
	// Vectors of another model, or of other arithmetic, are not these.
	cache := filepath.Join(a.Home.Cache, "bench", m.embedder.Fingerprint()+"."+transformer.Version+".vec")
	if err := home.MakePrivate(filepath.Dir(cache)); err != nil {
		return nil, errors.Join(err, m.close())
	}
	report, err := indexbench.Run(ctx, indexbench.Options{
		Folders: folders, Chunks: opts.Chunks, Queries: opts.Queries, CodeBytes: opts.CodeBytes,
		Budget: a.Config.Budget, Cache: cache,
		Corpus: indexbench.CorpusOptions{MaxFile: a.Config.MaxFile, Workers: a.Config.Threads, Count: m.embedder.Count},
	}, m.embedder, m.kernel, progress)
	return report, errors.Join(err, m.close())
}

// benchFolders resolves folders; without any they are those of the index.
func (a *App) benchFolders(ctx context.Context, dirs []string) ([]string, error) {
	if len(dirs) > 0 {
		return ResolveFolders(dirs)
	}
	service, err := a.Open(ctx, Read)
	if err != nil {
		return nil, err
	}
	status, err := service.Status(ctx)
	if err = errors.Join(err, service.Close()); err != nil {
		return nil, err
	}
	return status.Roots, nil
}
