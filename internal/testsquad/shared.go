package testsquad

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"dowse/engine/answer"
)

// path returns a path of the shared data, from a package two folders below the root.
func path(parts ...string) string {
	return filepath.Join(append([]string{"..", "..", "..", "shared", "data"}, parts...)...)
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
