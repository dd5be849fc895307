package models

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/models/pack"
)

// PackPath is where the pack of a model lies, or would lie.
func PackPath(cacheDir, name string) string {
	return filepath.Join(cacheDir, "models", name, "model.pack")
}

// Installation is a model in the cache.
type Installation struct {
	Name    string
	Path    string // of the pack
	Size    int64  // bytes
	Config  pack.Config
	Problem error // why the pack cannot be used; nil when it can
}

// Installed lists the models in the cache by name, also those whose pack cannot
// be used.
func Installed(cacheDir string) ([]Installation, error) {
	folders, err := os.ReadDir(filepath.Join(cacheDir, "models"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	var list []Installation
	for _, f := range folders {
		path := PackPath(cacheDir, f.Name())
		info, err := os.Stat(path)
		if err != nil {
			continue // no model, or one that is just being removed
		}
		list = append(list, inspect(f.Name(), path, info.Size()))
	}
	return list, nil
}

// inspect opens a pack to see whether it can be used.
func inspect(name, path string, size int64) Installation {
	i := Installation{Name: name, Path: path, Size: size}
	p, err := pack.Open(path)
	if err != nil {
		i.Problem = err
		return i
	}
	i.Config = p.Config()
	i.Problem = p.Close()
	return i
}

// Role is what the model is for.
func (i Installation) Role() Role { return RoleOf(i.Config) }

// RoleOf is what a model of this configuration is for: one with a head scores,
// a decoder without writes, another one makes vectors.
func RoleOf(c pack.Config) Role {
	switch {
	case c.Head != pack.NoHead:
		return Reranker
	case c.Decoder:
		return Answerer
	}
	return Embedder
}

// Remove deletes a model from the cache. A process that uses it can go on.
func Remove(cacheDir, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	path := PackPath(cacheDir, name)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("remove model %s: %w", name, err)
	}
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		return fmt.Errorf("remove model %s: %w", name, err)
	}
	return nil
}
