package testsquad

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"dowse/engine/answer"
)

// path returns a path of the shared data, from any package: it lies beside the folder
// that holds go.mod.
func path(parts ...string) string {
	root := "."
	for range 8 { // more than packages lie deep
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Join(root, "..")
	}
	return filepath.Join(append([]string{root, "..", "shared", "data"}, parts...)...)
}

// Shared loads the questions of eval/squad, about articles that nothing was trained
// on. It skips the test where the shared data is not there.
func Shared(tb testing.TB, analyzer answer.Analyzer) *Collection {
	tb.Helper()
	c, err := load(path("eval", "squad"), analyzer)
	if errors.Is(err, fs.ErrNotExist) {
		tb.Skipf("needs the shared data: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return c
}
