package app

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"dowse/indexer/extract"
	"dowse/indexer/extract/guess"
)

// checkEncodings refuses settings that name an encoding which there is not.
func (a *App) checkEncodings() error {
	for _, folder := range slices.Sorted(maps.Keys(a.Config.Extract.Encoding)) {
		if name := a.Config.Extract.Encoding[folder]; guess.Named(name) == nil {
			return fmt.Errorf("%s: extract.encoding.%q = %q: want an old encoding by its name, such as %q", a.Home.ConfigFile(), folder, name, guess.Nearest(name))
		}
	}
	return nil
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
