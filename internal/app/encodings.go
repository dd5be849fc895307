package app

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"dowse/indexer/extract"
	"dowse/indexer/extract/guess"
)

// dropEncodings takes those out of the settings that nothing reads, and says which.
func (a *App) dropEncodings() (problems []error) {
	all := a.Config.Extract.Encoding
	for _, folder := range slices.Sorted(maps.Keys(all)) {
		if name := all[folder]; guess.Named(name) == nil {
			problems = append(problems, fmt.Errorf("extract.encoding.%q = %q: want an old encoding by its name, such as %q", folder, name, guess.Nearest(name)))
			delete(all, folder)
		}
	}
	return problems
}

// encodings are those of the settings, by folders without links on the way to them, as roots are.
func (a *App) encodings() extract.Encodings {
	out := extract.Encodings{}
	for _, folder := range slices.Sorted(maps.Keys(a.Config.Extract.Encoding)) {
		path := folder
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		out[path] = a.Config.Extract.Encoding[folder]
	}
	return out
}
