package testcache_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/internal/testcache"
	"dowse/internal/testenv"
	"dowse/models"
)

func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }

// TestHoldsWhatIsNamed: what else a person has in the cache is not there.
func TestHoldsWhatIsNamed(t *testing.T) {
	full := t.TempDir()
	if err := os.CopyFS(full, os.DirFS(os.Getenv(testenv.CacheVariable))); err != nil {
		t.Skipf("no models are installed: %v", err)
	}
	for _, more := range []string{"models/mine/model.pack", "models/" + models.DefaultReranker + "/model.pack", "past.bin", "runtime/onnxruntime-1.0/libonnxruntime.so"} {
		path := filepath.Join(full, more)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("of the person"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(testenv.CacheVariable, full)
	var got []string
	dir := testcache.Dir(t)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Base(filepath.Dir(path)) != "locks" {
			data, readErr := os.ReadFile(path)
			if readErr != nil || string(data) == "of the person" {
				t.Errorf("%s: the person's, %v", path, readErr)
			}
			got = append(got, strings.TrimPrefix(path, dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{models.DefaultEmbedder, models.DefaultReranker, models.DefaultReader} {
		if !slices.ContainsFunc(got, func(path string) bool { return strings.HasPrefix(path, "/dowse/models/"+want+"/") }) {
			t.Errorf("%s is missing from %v", want, got)
		}
	}
	for _, path := range got {
		if strings.Contains(path, "mine") || strings.Contains(path, "past") || strings.Contains(path, "onnxruntime-1.0") {
			t.Errorf("%s came along", path)
		}
	}
}
