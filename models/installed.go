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

// PackPath returns where the pack of a model lies, or would lie.
func PackPath(cacheDir, name string) string {
	return filepath.Join(modelFolder(cacheDir, name), packFile)
}

// Installation is a model in a cache.
type Installation struct {
	Name    string
	Path    string // of the pack, which may be another model's; of the row pack where there is no pack
	Rows    string // path of the row pack that goes with it; "" for none
	Size    int64  // bytes of its own files
	Config  pack.Config
	Job     *Job    // nil for what is only a pack
	Origin  *Origin // nil where nothing says where from
	Adapter string  // folder of the job's adapter; "" for none
	folder  string
	Problem error // why it cannot be used; nil when it can
}

// Installed lists the models in some caches by name, also those that cannot be
// used. Of one name the first cache's is used.
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

// Find looks a model up in some caches, also by a short name. The error wraps
// os.ErrNotExist if none has it, and is the installation's problem if it cannot be used.
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

// marker returns the file that makes a folder a model: its weights, or a job on those of
// another model. It is "" where there is no model, or one that is just being
// added or removed.
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

// inspect looks at a model to see whether it can be used.
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
			i.Job = nil // what the name said is not so
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

// ErrNoBase is wrapped by the problem of a job on the pack of a model that is not
// installed.
var ErrNoBase = errors.New("which is not installed")

func missingBase(name string) error {
	get := "dowse models add " + name + " with its files"
	if _, known := Lookup(name); known {
		get = "dowse models pull " + name
	}
	return fmt.Errorf("it stands on the model %s, %w; run %s", name, ErrNoBase, get)
}

// basePath returns the weights of a model in the first cache that has some; "" if
// none has.
func basePath(caches []string, name string) string {
	for _, cache := range caches {
		if path := weightsPath(cache, name); path != "" {
			return path
		}
	}
	return ""
}

// sizeOf returns the bytes of the files of a model.
func sizeOf(folder string) (size int64) {
	for _, name := range []string{packFile, rowsFile, thresholdsFile, jobFile, originFile, filepath.Join(adapterFolder, adapterConfig), filepath.Join(adapterFolder, adapterWeights)} {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil {
			size += info.Size()
		}
	}
	return size
}

// Files returns all that the model is read from: where one is replaced, what was read
// is old.
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

// AdapterMemory returns the bytes that the adapter takes when it is used: its numbers
// in 32 bits, however the file has them.
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

// Role returns what the model is for.
func (i Installation) Role() Role {
	if i.Job != nil {
		return i.Job.Role
	}
	return roleOf(i.Config)
}

// roleOf returns what a model of this configuration is for.
func roleOf(c pack.Config) Role {
	switch {
	case c.Dim() > 0:
		return Embedder
	case c.Decoder:
		return Answerer
	}
	return Reranker
}

// Remove deletes a model from the cache. A process that uses it can go on.
func Remove(cacheDir, name string) error {
	if err := checkAnyName(name); err != nil {
		return err
	}
	mark := marker(cacheDir, name)
	if mark == "" {
		return fmt.Errorf("remove model %s: %w", name, os.ErrNotExist)
	}
	// Without its markers what may be left is no model.
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
		_ = os.Remove(filepath.Dir(folder)) // the owner's, which others of theirs may be in
	}
	return nil
}
