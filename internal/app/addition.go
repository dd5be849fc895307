package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

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

// findModel finds an installed model in any of the caches, or says what to do.
// One that the program carries is unpacked first, which takes milliseconds.
func (a *App) findModel(name string) (models.Installation, error) {
	if models.Bundled(name) {
		if err := home.MakeOwn(a.Home.Cache); err != nil {
			return models.Installation{}, fmt.Errorf("the model %s, which dowse brings along, cannot be unpacked: %w", name, err)
		}
		if err := models.Unpack(context.Background(), a.Home.Caches(), name); err != nil {
			return models.Installation{}, fmt.Errorf("the model %s, which dowse brings along, cannot be put into %s: %w; see that this folder may be written and has room", name, a.Home.Cache, err)
		}
	}
	m, err := models.Find(a.Home.Caches(), name)
	switch {
	case m.Name == "" && errors.Is(err, fs.ErrNotExist):
		return m, fmt.Errorf("the model %s is not installed; run dowse models pull or dowse models add", name)
	case errors.Is(err, models.ErrNoBase):
		return m, fmt.Errorf("the model %s cannot be used: %w", name, err)
	case err != nil && models.Bundled(name):
		return m, modelError(name, err, fmt.Sprintf("run dowse models remove %s, and dowse puts it there anew", name))
	case err != nil:
		return m, modelError(name, err, fmt.Sprintf("dowse models remove %s removes it", name))
	}
	return m, nil
}

// RemoveModel deletes an installed model from the cache that it lies in, unless
// others stand on it. What the program carries does not count: all of it is
// unpacked together again.
func (a *App) RemoveModel(name string) error {
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
