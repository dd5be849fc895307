package models

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dowse/internal/pattern"
)

// A model has a name from a person or the catalogue, or is OWNER/NAME by its
// repository, with @REVISION if one was requested. The latter have a folder of
// their own, so that names are unique.

// hubFolder holds models from repositories outside the catalogue.
const hubFolder = "hub"

var (
	repositoryForm = pattern.New(`^[\pL\pN_][\pL\pN._-]*/[\pL\pN_][\pL\pN._-]*$`)
	// revisionForm matches a revision; "" of a folder.
	revisionForm = pattern.New(`^([\pL\pN][\pL\pN._-]*)?$`)
)

// repositoryName is the name of a repository's model; revision may be "".
func repositoryName(repository, revision string) string {
	if revision == "" {
		return repository
	}
	return repository + "@" + revision
}

// splitName returns a name's repository and revision, or "" for other names.
func splitName(name string) (repository, revision string) {
	repository, revision, at := strings.Cut(name, "@")
	if !repositoryForm.MatchString(repository) || !revisionForm.MatchString(revision) || at != (revision != "") {
		return "", ""
	}
	return repository, revision
}

// checkName keeps names within their folder.
func checkName(name string) error {
	if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
		return fmt.Errorf("%q cannot be the name of a model", name)
	}
	return nil
}

// checkAnyName is checkName that also allows a repository's name.
func checkAnyName(name string) error {
	if repository, _ := splitName(name); repository != "" {
		return nil
	}
	return checkName(name)
}

// modelFolder returns a checked name's folder.
func modelFolder(cacheDir, name string) string {
	if owner, rest, ok := strings.Cut(name, "/"); ok {
		return filepath.Join(cacheDir, hubFolder, owner, rest)
	}
	return filepath.Join(cacheDir, "models", name)
}

// namesIn lists all model names in a cache, sorted: people's and the
// catalogue's, then repositories'.
func namesIn(cache string) ([]string, error) {
	names, err := foldersIn(filepath.Join(cache, "models"))
	if err != nil {
		return nil, err
	}
	owners, err := foldersIn(filepath.Join(cache, hubFolder))
	if err != nil {
		return nil, err
	}
	for _, owner := range owners {
		below, err := foldersIn(filepath.Join(cache, hubFolder, owner))
		if err != nil {
			return nil, err
		}
		for _, name := range below {
			if repository, _ := splitName(owner + "/" + name); repository != "" {
				names = append(names, owner+"/"+name)
			}
		}
	}
	return names, nil
}

// foldersIn lists a folder's folders; nil without the folder.
func foldersIn(folder string) (names []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("list models: %w", err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, nil
}

// ErrAmbiguous is wrapped where a short name fits several models.
var ErrAmbiguous = errors.New("several installed models are called so")

// Resolve returns the full name of an installed model: the name itself, if
// installed or in the catalogue, or else the repository's model with that name
// without owner or revision. Unknown names are returned as they are; ambiguous
// ones give an error that wraps ErrAmbiguous.
func Resolve(caches []string, name string) (string, error) {
	if _, known := Lookup(name); known || checkAnyName(name) != nil {
		return name, nil
	}
	var meant []string
	for _, cache := range caches {
		if marker(cache, name) != "" {
			return name, nil
		}
		names, err := namesIn(cache)
		if err != nil {
			return name, nil // using the model will report it
		}
		for _, whole := range names {
			repository, _ := splitName(whole)
			short := repository != "" && slices.Contains([]string{repository, path.Base(repository), path.Base(whole)}, name)
			if short && !slices.Contains(meant, whole) && marker(cache, whole) != "" {
				meant = append(meant, whole)
			}
		}
	}
	switch len(meant) {
	case 0:
		return name, nil
	case 1:
		return meant[0], nil
	}
	return name, fmt.Errorf("%w: %s; name one of them in full in the place of %s", ErrAmbiguous, strings.Join(meant, " and "), name)
}
