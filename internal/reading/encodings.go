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
		out[withoutLinks(folder)] = s.Extract.Encoding[folder]
	}
	return out
}

// Browsers are the files and folders of browsers that are indexed, in order, without links on the way to them.
func (s Settings) Browsers() (paths []string) {
	for _, path := range s.Extract.Browsers {
		paths = append(paths, withoutLinks(path))
	}
	slices.Sort(paths)
	return paths
}

// withoutLinks returns a path without links on the way to it, as roots are; or as it is where nothing lies there.
func withoutLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
