package tui

import (
	"path/filepath"
	"slices"
	"strings"
)

// names writes paths as people call them: from the name of the indexed folder
// on, notes/server/dns.md, and elsewhere from ~ on. All parts share one.
type names struct {
	home  string
	roots []root // the innermost first
}

// root is an indexed folder and its name: the end of its path that no other
// folder has.
type root struct{ path, name string }

// set takes the indexed folders, and reports whether they are others than
// before.
func (n *names) set(folders []string) bool {
	var roots []root
	for _, folder := range folders {
		if folder == n.home || folder == filepath.Dir(folder) {
			continue // ~ says it, or it has no name
		}
		roots = append(roots, root{folder, ownName(folder, folders)})
	}
	slices.SortStableFunc(roots, func(a, b root) int { return len(b.path) - len(a.path) })
	same := slices.Equal(roots, n.roots)
	n.roots = roots
	return !same
}

// ownName returns the shortest end of a folder's path that is no other one's;
// "" where only the whole path is.
func ownName(folder string, folders []string) string {
	name := filepath.Base(folder)
	for up := filepath.Dir(folder); ; up = filepath.Dir(up) {
		taken := slices.ContainsFunc(folders, func(other string) bool {
			return other != folder && strings.HasSuffix(other, string(filepath.Separator)+name)
		})
		switch {
		case !taken:
			return name
		case up == filepath.Dir(up):
			return ""
		}
		name = filepath.Join(filepath.Base(up), name)
	}
}

// short returns the name of a path, sanitized, in w cells.
func (n *names) short(path string, w int) string {
	for _, r := range n.roots {
		if rest, ok := strings.CutPrefix(path, r.path); ok && r.name != "" && rest != "" && rest[0] == filepath.Separator {
			return shortenPath(r.name+rest, "", w)
		}
	}
	return shortenPath(path, n.home, w)
}
