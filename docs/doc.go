// Package docs carries the pages beside it, as text of which there is always some.
package docs

import (
	"embed"
	"io/fs"
)

//go:embed *.md
var pages embed.FS

// Texts returns the pages in the order of their names.
func Texts() ([]string, error) {
	var texts []string
	err := fs.WalkDir(pages, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := pages.ReadFile(path)
		texts = append(texts, string(text))
		return err
	})
	return texts, err
}
