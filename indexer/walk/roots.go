package walk

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// ResolveRoots returns the folders absolute, with symbolic links resolved,
// sorted and each once. A folder inside another stays in the list: it was asked
// for, so it is entered even where a rule of the outer one ignores it.
func ResolveRoots(roots []string) ([]string, error) {
	resolved := make([]string, 0, len(roots))
	for _, root := range roots {
		path, err := filepath.Abs(root)
		if err != nil {
			return nil, fmt.Errorf("folder %q: %w", root, err)
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, fmt.Errorf("folder %q cannot be indexed: %w", root, err)
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("folder %q cannot be indexed: %w", root, err)
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%q is not a folder: name the folder that holds it", root)
		}
		resolved = append(resolved, path)
	}
	slices.Sort(resolved)
	return slices.Compact(resolved), nil
}
