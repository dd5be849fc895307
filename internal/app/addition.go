package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"dowse/engine/opened"
	"dowse/internal/home"
	"dowse/models"
)

// AddModel imports a model from a local folder or GGUF file. With an adapter, a
// folder as PEFT writes it, or a prompt, a decoder becomes a reranker or an
// answerer; path may then name an installed one.
func (a *App) AddModel(ctx context.Context, name, path, adapter, prompt string, progress func(models.Progress)) error {
	asked, err := models.ParsePrompt(prompt)
	if err != nil {
		return fmt.Errorf("--prompt: %w", err)
	}
	if err := home.MakeOwn(a.Home.Cache); err != nil {
		return err
	}
	err = models.Add(ctx, a.Home.Caches(), models.Addition{Name: name, Path: path, Adapter: adapter, Prompt: asked, Check: checkJob}, progress)
	if err != nil {
		return a.pullError(err)
	}
	return nil
}

// FindModel finds an installed model in any of the caches, or says what to do.
func (a *App) FindModel(name string) (models.Installation, error) {
	return opened.Find(a.Home.Caches(), name)
}

// RemoveModel deletes an installed model from the cache that it lies in, unless
// others stand on it. What the program carries does not count: all of it is
// unpacked together again.
func (a *App) RemoveModel(name string) error {
	name, err := models.Resolve(a.Home.Caches(), name)
	if err != nil {
		return err
	}
	installed, err := models.Installed(a.Home.Caches()...)
	if err != nil {
		return err
	}
	var users []string
	for _, m := range installed {
		if m.Job != nil && m.Job.Base == name && !(models.Bundled(m.Name) && models.Bundled(name)) {
			users = append(users, m.Name)
		}
	}
	if len(users) > 0 {
		return fmt.Errorf("the model %s is needed by %s; remove that first", name, strings.Join(users, ", "))
	}
	for _, cache := range a.Home.Caches() {
		if err := models.Remove(cache, name); !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return fmt.Errorf("the model %s is not installed; dowse models list shows those that are", name)
}
