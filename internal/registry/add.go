package registry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"dowse/engine/answer/local"
	"dowse/engine/kernel"
	"dowse/engine/rerank/crossencoder"
	"dowse/internal/home"
	"dowse/models"
)

// AddModel imports a model from a local folder or GGUF file. With an adapter, a
// folder as PEFT writes it, or a prompt, a decoder becomes a reranker or an
// answerer; path may then name an installed one.
func (r *Registry) AddModel(ctx context.Context, name, path, adapter, prompt string, progress func(models.Progress)) error {
	asked, err := models.ParsePrompt(prompt)
	if err != nil {
		return fmt.Errorf("--prompt: %w", err)
	}
	if err := home.MakeOwn(r.Home.Cache); err != nil {
		return err
	}
	err = models.Add(ctx, r.Home.Caches(), models.Addition{Name: name, Path: path, Adapter: adapter, Prompt: asked, Check: checkJob}, progress)
	if err != nil {
		return r.PullError(err)
	}
	return nil
}

// RemoveModel deletes an installed model from the cache that it lies in, unless
// others stand on it. What the program carries does not count: all of it is
// unpacked together again.
func (r *Registry) RemoveModel(name string) error {
	name, err := models.Resolve(r.Home.Caches(), name)
	if err != nil {
		return err
	}
	installed, err := models.Installed(r.Home.Caches()...)
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
	for _, cache := range r.Home.Caches() {
		if err := models.Remove(cache, name); !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return fmt.Errorf("the model %s is not installed; dowse models list shows those that are", name)
}

// checkJob opens a model as a search or a question would, to see whether its
// parts fit.
func checkJob(path, adapter string, purpose models.Purpose) error {
	k, err := kernel.New(kernel.Options{Backend: kernel.Own})
	if err != nil {
		return err
	}
	if purpose.Role == models.Answerer {
		err = local.Check(path, adapter, k)
	} else {
		err = crossencoder.Check(path, adapter, purpose.Prompt, k)
	}
	return errors.Join(err, k.Close())
}
