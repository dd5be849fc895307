package indexes

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/internal/config"
)

// nameFolders names folders, by name. One that has no name of the settings has its own, with as much of the path to it
// as tells it from the others.
func nameFolders(folders []string, places []config.Place) []engine.NamedFolder {
	given := map[string]string{}
	for _, p := range places {
		if p.Name != "" {
			given[p.Path] = p.Name
		}
	}
	taken := map[string]bool{}
	for _, folder := range folders {
		if name := given[folder]; name != "" {
			taken[name] = true
		}
	}
	out := make([]engine.NamedFolder, 0, len(folders))
	for _, folder := range folders {
		name := given[folder]
		for parts := 1; name == ""; parts++ {
			tail := tailOf(folder, parts)
			unique := !taken[tail] && !slices.ContainsFunc(folders, func(o string) bool {
				return o != folder && given[o] == "" && tailOf(o, parts) == tail
			})
			if unique || tail == tailOf(folder, parts+1) {
				name = tail
			}
		}
		out = append(out, engine.NamedFolder{Name: name, Path: folder})
	}
	slices.SortFunc(out, func(a, b engine.NamedFolder) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
	})
	return out
}

// tailOf is the end of a path, of so many names.
func tailOf(path string, parts int) string {
	names := strings.FieldsFunc(filepath.ToSlash(path), func(r rune) bool { return r == '/' })
	if len(names) == 0 {
		return "root"
	}
	return strings.Join(names[max(0, len(names)-parts):], "/")
}
