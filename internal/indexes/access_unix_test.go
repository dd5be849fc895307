//go:build unix

package indexes_test

import (
	"os"
	"path/filepath"
	"testing"

	"dowse/internal/testapp"
)

// TestIndexIsKeptFromOthers opens the index to others, and the next owner takes
// that back.
func TestIndexIsKeptFromOthers(t *testing.T) {
	a := testapp.New(t)
	testapp.Require(t, os.MkdirAll(a.Home.Data, 0o700))
	testapp.Require(t, os.Chmod(a.Home.Data, 0o777))
	testapp.Own(t, a, testapp.Notes(t, map[string]string{"a.md": "a heron\n"}))
	for _, dir := range []string{a.Home.Data, filepath.Dir(a.Home.Socket())} {
		info, err := os.Stat(dir)
		testapp.Require(t, err)
		if mode := info.Mode().Perm(); mode != 0o700 {
			t.Errorf("%s has mode %o", dir, mode)
		}
	}
}
