package engine

import (
	"fmt"
	"path/filepath"
	"strings"

	"dowse/internal/fold"
)

// NamedFolder is an indexed folder and the name by which it is searched.
type NamedFolder struct {
	Name string `json:"name"` // no other folder has it
	Path string `json:"path"` // absolute
}

// FindFolder returns the path that a name, or a name and a path below its folder, stands for. The error wraps ErrQuery
// and says which names there are.
func FindFolder(name string, known []NamedFolder) (string, error) {
	name = strings.TrimSuffix(name, "/")
	same := func(a, b string) bool { return a == b }
	folded := func(a, b string) bool { return fold.String(a) == fold.String(b) }
	for _, equal := range []func(a, b string) bool{same, folded} {
		best, path := -1, ""
		for _, f := range known {
			if equal(f.Name, name) {
				return f.Path, nil
			}
			if n := len(f.Name); n > best && len(name) > n && name[n] == '/' && equal(f.Name, name[:n]) {
				best, path = n, filepath.Join(f.Path, filepath.FromSlash(name[n+1:]))
			}
		}
		if best >= 0 {
			return path, nil
		}
	}
	const most = 8
	var names []string
	for _, f := range known[:min(len(known), most)] {
		names = append(names, f.Name)
	}
	what := "there are " + strings.Join(names, ", ")
	switch {
	case len(known) == 0:
		what = "nothing is indexed yet"
	case len(known) == 1:
		what = "there is " + names[0]
	case len(known) > most:
		what += fmt.Sprintf(" and %d more, which dowse folders lists", len(known)-most)
	}
	return "", fmt.Errorf("%w: no folder is called %s; %s", ErrQuery, name, what)
}

// Resolve finds the folders that in: and -in: name.
func (q *Query) Resolve(known []NamedFolder) (err error) {
	if q.Folders, err = FindFolders(q.In, known); err != nil {
		return err
	}
	q.NotFolders, err = FindFolders(q.NotIn, known)
	return err
}

// FindFolders returns absolute paths as they are, and those that names stand for.
func FindFolders(names []string, known []NamedFolder) (found []string, err error) {
	for _, name := range names {
		path := name
		if !filepath.IsAbs(name) {
			if path, err = FindFolder(name, known); err != nil {
				return nil, err
			}
		}
		found = append(found, path)
	}
	return found, nil
}
