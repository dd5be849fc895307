package measure_test

import (
	"os"
	"path/filepath"
	"testing"

	"dowse/internal/app"
	"dowse/internal/testcache"
	"dowse/internal/testenv"
	"dowse/lab/measure"
)

func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }

// newApp measures with the models of dowse and a home of its own.
func newApp(t *testing.T) *measure.Runner {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", testcache.Dir(t))
	t.Setenv("DOWSE_HOME", t.TempDir())
	a, err := app.New()
	if err != nil {
		t.Fatal(err)
	}
	return measure.With(a)
}

// ignore is told of progress.
func ignore(string, int, int) {}

// notes writes files into a folder.
func notes(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
