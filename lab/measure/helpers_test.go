package measure_test

import (
	"os"
	"path/filepath"
	"testing"

	"dowse/internal/app"
	"dowse/internal/testcache"
	"dowse/internal/testenv"
	"dowse/lab/measure"
	"dowse/models/modeltest"
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

// tiny is the name of a small reranker.
const tiny = "tiny"

// withReranker has a small reranker in use.
func withReranker(t *testing.T) *measure.Runner {
	t.Helper()
	a := newApp(t)
	files, err := modeltest.Reranker{LayerHeads: true, Layers: 4, Seed: 7}.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	if err := a.AddModel(t.Context(), tiny, folder, "", "", nil); err != nil {
		t.Fatal(err)
	}
	a.Config.Reranker, a.Config.Depth = tiny, 12
	return a
}
