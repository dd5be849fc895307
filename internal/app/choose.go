package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"dowse/engine"
	"dowse/internal/config"
	"dowse/internal/daemon"
	"dowse/models"
)

// PullForUse obtains a model that the catalogue knows and that is not installed.
func (a *App) PullForUse(ctx context.Context, name string, progress func(models.Progress)) error {
	if _, known := models.Lookup(name); !known || models.Bundled(name) {
		return nil
	}
	if _, err := models.Find(a.Home.Caches(), name); !errors.Is(err, fs.ErrNotExist) {
		return nil // what is wrong with one that is there UseModel says
	}
	return a.Pull(ctx, []string{name}, "", "", progress, func(string) {})
}

// FollowModel has the process that owns the index follow the choice of an embedder. Where
// none does it says what the next one will do; nil where nothing is indexed.
func (a *App) FollowModel(ctx context.Context) (*engine.ModelChange, error) {
	client, err := daemon.Dial(ctx, a.Home.Socket())
	if err == nil {
		change, err := client.FollowModel(ctx)
		if !lost(err) {
			return change, err
		}
	} else if !lost(err) {
		return nil, err
	}
	now, err := New() // the settings have changed
	if err != nil {
		return nil, err
	}
	service, err := now.open(ctx, Read)
	if errors.Is(err, errNothingIndexed) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	change, err := service.FollowModel(ctx)
	return change, errors.Join(err, service.Close())
}

// TryEmbedder has this App use an installed embedder, and leaves the settings as they are;
// "" means the one that they name.
func (a *App) TryEmbedder(name string) error {
	if name == "" {
		return nil
	}
	m, err := a.FindModel(name)
	if err != nil {
		return fmt.Errorf("--embedder: %w", err)
	}
	if m.Role() != models.Embedder {
		return fmt.Errorf("--embedder: the model %s is %s; dowse models list shows the embedders", name, m.Role().WithArticle())
	}
	a.Config.Model = m.Name
	return nil
}

// UseFolderModel gives a folder, which is resolved, an installed embedder of its own, or, by
// the name DefaultForFolder, that of the rest again.
func (a *App) UseFolderModel(folder, name string) error {
	path := a.Home.ConfigFile()
	if name == DefaultForFolder {
		return config.UseFolderModel(path, folder, "")
	}
	m, err := a.FindModel(name)
	if err != nil {
		return err
	}
	if m.Role() != models.Embedder {
		return fmt.Errorf("the model %s is %s; a folder gets an embedder of its own, and nothing else", name, m.Role().WithArticle())
	}
	return config.UseFolderModel(path, folder, m.Name)
}

// DefaultForFolder is the name by which a folder has the embedder of the rest again.
const DefaultForFolder = "default"
