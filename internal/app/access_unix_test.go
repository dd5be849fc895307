//go:build unix

package app_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestIndexIsKeptFromOthers opens the index to others, and the next owner takes
// that back.
func TestIndexIsKeptFromOthers(t *testing.T) {
	a := newApp(t)
	require(t, os.MkdirAll(a.Home.Data, 0o700))
	require(t, os.Chmod(a.Home.Data, 0o777))
	own(t, a, notes(t, map[string]string{"a.md": "a heron\n"}))
	for _, dir := range []string{a.Home.Data, filepath.Dir(a.Home.Socket())} {
		info, err := os.Stat(dir)
		require(t, err)
		if mode := info.Mode().Perm(); mode != 0o700 {
			t.Errorf("%s has mode %o", dir, mode)
		}
	}
}
