package models

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A model is called what a person or the catalogue calls it, or OWNER/NAME by the
// repository that it came from, with @REVISION behind it where one was asked for. The
// second kind lies in a folder of its own, so that no two models have one.

// hubFolder holds what came from repositories that are not in the catalogue, below a cache.
const hubFolder = "hub"

var (
	repositoryForm = regexp.MustCompile(`^[\pL\pN_][\pL\pN._-]*/[\pL\pN_][\pL\pN._-]*$`)
	// revisionForm matches a revision. A folder has the revision "".
	revisionForm = regexp.MustCompile(`^([\pL\pN][\pL\pN._-]*)?$`)
)

// repositoryName is the name of a model from a repository, at a revision that was asked
// for; "" for none.
func repositoryName(repository, revision string) string {
	if revision == "" {
		return repository
	}
	return repository + "@" + revision
}

// splitName returns the repository and the revision of a model's name, or "" where it is
// none of a repository.
func splitName(name string) (repository, revision string) {
	repository, revision, at := strings.Cut(name, "@")
	if !repositoryForm.MatchString(repository) || !revisionForm.MatchString(revision) || at != (revision != "") {
		return "", ""
	}
	return repository, revision
}

// checkName keeps names that a person gives from leading out of their folder.
func checkName(name string) error {
	if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
		return fmt.Errorf("%q cannot be the name of a model", name)
	}
	return nil
}

// checkAnyName is checkName, or lets the name of a repository pass.
func checkAnyName(name string) error {
	if repository, _ := splitName(name); repository != "" {
		return nil
	}
	return checkName(name)
}

// modelFolder returns the folder of a model whose name was checked.
func modelFolder(cacheDir, name string) string {
	if owner, rest, ok := strings.Cut(name, "/"); ok {
		return filepath.Join(cacheDir, hubFolder, owner, rest)
	}
	return filepath.Join(cacheDir, "models", name)
}

// namesIn lists the names of all folders of models in a cache, sorted: first those that
// people and the catalogue gave, then those of repositories.
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

// foldersIn lists the names in a folder; none where there is no folder.
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

// ErrAmbiguous is wrapped where a short name is that of several models.
var ErrAmbiguous = errors.New("several installed models are called so")

// Resolve returns the whole name of the installed model that a name means: that one, if
// there is such a model or the catalogue knows it, or else the one from a repository whose
// name without its owner, or without its revision, it is. A name that means none comes back
// as it is; one that means several is an error that wraps ErrAmbiguous.
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
			return name, nil // whoever needs the model says what is wrong
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
