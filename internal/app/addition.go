package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"dowse/engine/kernel"
	"dowse/engine/transformer"
	"dowse/internal/home"
	"dowse/models"
)

// AddModel imports a model from a local folder or GGUF file. With an adapter, a
// folder as PEFT writes it, or a prompt, a decoder becomes a reranker; path may
// then name an installed one.
func (a *App) AddModel(ctx context.Context, name, path, adapter, prompt string, progress func(models.Progress)) error {
	asked, err := models.ParsePrompt(prompt)
	if err != nil {
		return fmt.Errorf("--prompt: %w", err)
	}
	if err := home.MakePrivate(a.Home.Cache); err != nil {
		return err
	}
	err = models.Add(ctx, a.Home.Caches(), models.Addition{Name: name, Path: path, Adapter: adapter, Prompt: asked, Check: checkJob}, progress)
	if err != nil {
		return a.pullError(err)
	}
	return nil
}

// checkJob opens a reranker as a search would, to see whether its parts fit.
func checkJob(path, adapter string, prompt models.Prompt) error {
	k, err := kernel.New(kernel.Options{Backend: kernel.Own})
	if err != nil {
		return err
	}
	c, err := transformer.OpenCrossEncoder(path, k, transformer.CrossEncoderOptions{Adapter: adapter, Prompt: promptOf(prompt)})
	if err == nil {
		err = c.Close()
	}
	return errors.Join(err, k.Close())
}

// promptOf is a prompt by its name; nil for none.
func promptOf(name models.Prompt) *transformer.Prompt {
	var p transformer.Prompt
	switch name {
	case models.Qwen3Prompt:
		p = transformer.Qwen3Prompt()
	case models.MxbaiPrompt:
		p = transformer.MxbaiPrompt()
	case models.PlainPrompt:
		p = transformer.PlainPrompt()
	default:
		return nil
	}
	return &p
}

// findModel finds an installed model in any of the caches, or says what to do.
// One that the program carries is unpacked first, which takes milliseconds.
func (a *App) findModel(name string) (models.Installation, error) {
	if models.Bundled(name) {
		if err := errors.Join(home.MakePrivate(a.Home.Cache), models.Unpack(context.Background(), a.Home.Caches(), name)); err != nil {
			return models.Installation{}, fmt.Errorf("the model %s, which dowse brings along, cannot be put into %s: %w", name, a.Home.Cache, err)
		}
	}
	m, err := models.Find(a.Home.Caches(), name)
	switch {
	case m.Name == "" && errors.Is(err, fs.ErrNotExist):
		return m, fmt.Errorf("the model %s is not installed; run dowse models pull or dowse models add", name)
	case err != nil:
		return m, fmt.Errorf("the model %s cannot be used: %w; dowse models remove %s removes it", name, err, name)
	}
	return m, nil
}

// sourceOf is where a model that is not in the catalogue came from.
func sourceOf(m models.Installation) string {
	if m.Job == nil {
		return "local"
	}
	source := "local"
	if m.Job.Base != "" {
		source = "on " + m.Job.Base
	}
	if m.Adapter != "" {
		source += " with an adapter"
	}
	return source + ", prompt " + string(m.Job.Prompt)
}

// RemoveModel deletes an installed model from the cache that it lies in, unless
// others stand on it.
func (a *App) RemoveModel(name string) error {
	installed, err := models.Installed(a.Home.Caches()...)
	if err != nil {
		return err
	}
	var users []string
	for _, m := range installed {
		if m.Job != nil && m.Job.Base == name {
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
