package trial

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/eval"
	"dowse/internal/indexes"
)

// With returns the same app with another configuration or home.
func With(a *app.App, change func(a *app.App)) *app.App {
	other := *a
	change(&other)
	return &other
}

// Use calls use with the app in a home of its own, which it removes.
func Use(a *app.App, use func(trial *app.App) error) (err error) {
	temp, err := os.MkdirTemp("", "dowse-trial-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	return use(With(a, func(trial *app.App) { trial.Home = a.Home.Trial(temp) }))
}

// Notes is an index of notes that questions are asked about. It searches and answers as
// dowse -q does.
type Notes struct {
	*indexes.Stack
	Folder string // of the notes, that paths are relative to; "" where they are names as they are
}

// Open opens the index of the home of a. Pruning is what it is on a new machine, the same
// in every run: nothing is traced between searches.
func Open(ctx context.Context, a *app.App, folder string) (*Notes, error) {
	s, err := a.OpenAlone(ctx)
	if err != nil {
		return nil, err
	}
	return &Notes{Stack: s, Folder: folder}, nil
}

// Fill indexes the notes and returns how many files they are.
func (n *Notes) Fill(ctx context.Context, progress func(phase string, done, total int)) (files int, err error) {
	progress("indexing", 0, 1)
	report, err := n.Index(ctx, []string{n.Folder}, nil)
	if err != nil {
		return 0, err
	}
	if report.Chunks == 0 {
		return 0, fmt.Errorf("%s holds no text that would be indexed", n.Folder)
	}
	return report.Files, nil
}

// Name is the path of a note as questions name it.
func (n *Notes) Name(path string) (string, error) {
	if n.Folder == "" {
		return path, nil
	}
	relative, err := filepath.Rel(n.Folder, path)
	return filepath.ToSlash(relative), err
}

// Retrieve implements eval.Retriever: files by their passages. One may stand in a list
// several times; the first counts.
func (n *Notes) Retrieve(ctx context.Context, stage, query string, k int) ([]eval.Ranked, eval.Cost, error) {
	ranked, stats, err := n.Engine.Retrieve(ctx, query, engine.Mode(stage), k)
	if err != nil {
		return nil, eval.Cost{}, err
	}
	found := make([]eval.Ranked, len(ranked))
	for i, h := range ranked {
		found[i].Score = h.Score
		if found[i].ID, err = n.Name(h.Path); err != nil {
			return nil, eval.Cost{}, err
		}
	}
	cost := eval.Cost{Recomputed: stats.Recomputed, Memoized: stats.Memoized}
	if stats.Rerank != nil {
		cost.ActiveLayers, cost.FullLayers = stats.Rerank.ActiveLayers, stats.Rerank.FullLayers
	}
	return found, cost, nil
}
