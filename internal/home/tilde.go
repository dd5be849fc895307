package home

import (
	"os"
	"path/filepath"
	"strings"
)

// BeginsWithTilde reports whether a path is the person's home folder or lies in it, as a shell writes that: ~ or ~/notes.
// Folders of other people, such as ~anna, are not known here.
func BeginsWithTilde(path string) bool {
	return path == "~" || strings.HasPrefix(path, "~/")
}

// ExpandTilde puts the person's home folder in the place of a ~ that no shell replaced: in the settings, in quotes, or in
// what an agent sends. Other paths stay as they are.
func ExpandTilde(path string) (string, error) {
	if !BeginsWithTilde(path) {
		return path, nil
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, path[1:]), nil
}
