// Package paths tells which of some folders a path lies in. Paths are absolute, clean and resolved, and are compared byte by
// byte: nothing is asked of the file system. A folder lies within itself.
package paths

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// Within reports whether a path is folder or lies in it, at any depth.
func Within(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(folder, string(filepath.Separator)))
}

// WithinAny reports whether a path lies within one of folders.
func WithinAny(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return Within(path, folder) })
}

// Innermost returns the deepest of folders that a path lies within, "" where it lies within none.
func Innermost(path string, folders []string) string {
	best := ""
	for _, folder := range folders {
		if len(folder) > len(best) && Within(path, folder) {
			best = folder
		}
	}
	return best
}

// Outermost sorts paths by their components, so that a folder comes right before what is in it, and drops those within
// another one. It reuses their array.
func Outermost(paths []string) []string {
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(sortKey(a), sortKey(b)) })
	kept := paths[:0]
	for _, path := range paths {
		if len(kept) == 0 || !Within(path, kept[len(kept)-1]) {
			kept = append(kept, path)
		}
	}
	return kept
}

// sortKey orders the separator before every other byte of a name.
func sortKey(path string) string {
	return strings.ReplaceAll(path, string(filepath.Separator), "\x00")
}
