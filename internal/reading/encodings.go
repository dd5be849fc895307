package reading

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"dowse/indexer/extract"
	"dowse/indexer/extract/guess"
)

// DropEncodings takes those out of the settings that nothing reads, and says which.
func (s Settings) DropEncodings() (problems []error) {
	all := s.Extract.Encoding
	for _, folder := range slices.Sorted(maps.Keys(all)) {
		if name := all[folder]; guess.Named(name) == nil {
			problems = append(problems, fmt.Errorf("extract.encoding.%q = %q: want an old encoding by its name, such as %q", folder, name, guess.Nearest(name)))
			delete(all, folder)
		}
	}
	return problems
}

// Encodings are those of the settings, by folders without links on the way to them, as roots are.
func (s Settings) Encodings() extract.Encodings {
	out := extract.Encodings{}
	for _, folder := range slices.Sorted(maps.Keys(s.Extract.Encoding)) {
		path := folder
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		out[path] = s.Extract.Encoding[folder]
	}
	return out
}
