package models

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"dowse/models/pack"
)

// PackPath returns the path of a model's pack.
func PackPath(cacheDir, name string) string {
	return filepath.Join(modelFolder(cacheDir, name), packFile)
}

// Installation is a model in a cache.
type Installation struct {
	Name    string
	Path    string // of the pack, perhaps another model's; of the row pack without one
	Rows    string // of the row pack; "": none
	Size    int64  // bytes of its own files
	Config  pack.Config
	Job     *Job    // nil for a plain pack
	Origin  *Origin // nil if unknown
	Adapter string  // folder of the job's adapter; "": none
	folder  string
	Problem error // why it cannot be used, or nil
}

// Installed lists the models in some caches by name, unusable ones included.
// The first cache wins.
func Installed(caches ...string) ([]Installation, error) {
	var list []Installation
	seen := map[string]bool{}
	for _, cache := range caches {
		names, err := namesIn(cache)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if !seen[name] && marker(cache, name) != "" {
				seen[name] = true
				list = append(list, inspect(caches, cache, name))
			}
		}
	}
	return list, nil
}

// Find returns a model by full or short name. The error wraps os.ErrNotExist if
// it is in no cache, or is the installation's problem.
func Find(caches []string, name string) (Installation, error) {
	name, err := Resolve(caches, name)
	if err != nil {
		return Installation{}, err
	}
	for _, cache := range caches {
		if checkAnyName(name) == nil && marker(cache, name) != "" {
			i := inspect(caches, cache, name)
			return i, i.Problem
		}
	}
	return Installation{}, fmt.Errorf("the model %s is not installed: %w", name, os.ErrNotExist)
}

// marker returns the file that makes a folder a model: its weights, or a job on
// another model's. "": no model, or one being added or removed.
func marker(cache, name string) string {
	if path := weightsPath(cache, name); path != "" {
		return path
	}
	folder := modelFolder(cache, name)
	path := filepath.Join(folder, jobFile)
	if j, err := readJob(folder); err == nil && (j == nil || j.Base == "") || !exists(path) {
		return ""
	}
	return path
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// inspect checks whether a model can be used.
func inspect(caches []string, cache, name string) Installation {
	folder := modelFolder(cache, name)
	i := Installation{Name: name, Path: weightsPath(cache, name), Size: sizeOf(folder), folder: folder}
	if i.Job, i.Problem = readJob(folder); i.Problem != nil {
		return i
	}
	if i.Job != nil && i.Job.Base != "" {
		if i.Job.Base, i.Problem = Resolve(caches, i.Job.Base); i.Problem != nil {
			return i
		}
		if i.Path = basePath(caches, i.Job.Base); i.Path == "" {
			i.Problem = missingBase(i.Job.Base)
			return i
		}
	}
	w, err := lookAt(i.Path)
	if err != nil {
		i.Problem = err
		return i
	}
	i.Config, i.Rows = w.config, w.rows
	if !i.Config.Decoder {
		if i.Job != nil && i.Job.Role != Reader {
			i.Job = nil // the name was misleading
		}
	} else if prompt := usualPrompt(path.Base(name)); i.Job == nil && prompt != NoPrompt {
		i.Job = &Job{Purpose: asked(prompt)}
	}
	if i.Origin, i.Problem = readOrigin(folder); i.Problem == nil && (i.Job == nil || i.Job.Base == "") {
		i.Problem = checkOrigin(i.Origin, name, w.sum)
	}
	if i.Job != nil && i.Problem == nil {
		i.Adapter, i.Problem = i.Job.adapter(folder), i.Job.check(w.sum, folder)
	}
	return i
}

// ErrNoBase is wrapped by the problem of a job whose base is not installed.
var ErrNoBase = errors.New("which is not installed")

func missingBase(name string) error {
	get := "dowse models add " + name + " with its files"
	if _, known := Lookup(name); known {
		get = "dowse models pull " + name
	}
	return fmt.Errorf("it stands on the model %s, %w; run %s", name, ErrNoBase, get)
}

// basePath returns a model's weights in the first cache that has them, or "".
func basePath(caches []string, name string) string {
	for _, cache := range caches {
		if path := weightsPath(cache, name); path != "" {
			return path
		}
	}
	return ""
}

func sizeOf(folder string) (size int64) {
	for _, name := range []string{packFile, rowsFile, thresholdsFile, jobFile, originFile, filepath.Join(adapterFolder, adapterConfig), filepath.Join(adapterFolder, adapterWeights)} {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil {
			size += info.Size()
		}
	}
	return size
}

// Files returns all files that the model is read from; a replaced one makes it
// outdated.
func (i Installation) Files() []string {
	files := []string{i.Path}
	if i.Rows != "" && i.Rows != i.Path {
		files = append(files, i.Rows)
	}
	if i.Job != nil && exists(filepath.Join(i.folder, jobFile)) {
		files = append(files, filepath.Join(i.folder, jobFile))
	}
	if i.Adapter != "" {
		files = append(files, filepath.Join(i.Adapter, adapterConfig), filepath.Join(i.Adapter, adapterWeights))
	}
	return files
}

// AdapterMemory returns the adapter's bytes in use: 32-bit numbers.
func (i Installation) AdapterMemory() (int64, error) {
	if i.Adapter == "" {
		return 0, nil
	}
	r, closeFile, err := openWeights(filepath.Join(i.Adapter, adapterWeights))
	if err != nil {
		return 0, err
	}
	defer closeFile()
	size := int64(0)
	for _, t := range r.Tensors() {
		n := int64(4)
		for _, side := range t.Shape {
			n *= int64(side)
		}
		size += n
	}
	return size, nil
}

// Role returns the model's role.
func (i Installation) Role() Role {
	if i.Job != nil {
		return i.Job.Role
	}
	return roleOf(i.Config)
}

// roleOf returns the role of a configuration.
func roleOf(c pack.Config) Role {
	switch {
	case c.Dim() > 0:
		return Embedder
	case c.Decoder:
		return Answerer
	}
	return Reranker
}

// Remove deletes a model from the cache. Processes that use it go on.
func Remove(cacheDir, name string) error {
	if err := checkAnyName(name); err != nil {
		return err
	}
	mark := marker(cacheDir, name)
	if mark == "" {
		return fmt.Errorf("remove model %s: %w", name, os.ErrNotExist)
	}
	// Without markers the remains are no model.
	for ; mark != ""; mark = marker(cacheDir, name) {
		if err := os.Remove(mark); err != nil {
			return fmt.Errorf("remove model %s: %w", name, err)
		}
	}
	folder := modelFolder(cacheDir, name)
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove model %s: %w", name, err)
	}
	if strings.Contains(name, "/") {
		_ = os.Remove(filepath.Dir(folder)) // the owner's folder, if empty
	}
	return nil
}
