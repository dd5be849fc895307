package walk_test

import (
	"os"
	"path/filepath"
	"testing"

	"dowse/indexer/skip"
	"dowse/indexer/walk"
)

// TestFilesOfHoles: a file that is one hole is not here yet; one with a byte in it, or a small one, is.
func TestFilesOfHoles(t *testing.T) {
	dir := tree(t, map[string]string{"stub.pdf": "", "part.pdf": "a byte", "small.md": ""})
	for name, size := range map[string]int64{"stub.pdf": 1 << 20, "part.pdf": 1 << 20, "small.md": 100} {
		must(t, os.Truncate(filepath.Join(dir, name), size))
	}
	files, skipped := list(t, dir, walk.Options{})
	expect(t, files, "part.pdf", "small.md")
	if len(skipped) != 1 || skipped["stub.pdf"] != skip.NotHere {
		t.Errorf("left out %v", skipped)
	}
}
