package testcache

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"dowse/internal/testenv"
	"dowse/models"
	"dowse/models/pack"
)

// embedderFingerprint is that of the published embedder's pack, as it is imported
// where floats are rounded one operation at a time. It follows from the pinned
// files and from the format of packs.
const embedderFingerprint = "1ce4a8bad6eef4b04efccdb0fd5187b363ac6e1a2d11c416755e4e1c03448408"

// person returns the cache of the person who runs the tests.
func person() string { return os.Getenv(testenv.CacheVariable) }

// needed skips the test where no real model is to be used.
func needed(t testing.TB) {
	t.Helper()
	if person() == testenv.NoCache {
		t.Skip("uses real models: make test runs it")
	}
}

// Library returns the path of the pinned ONNX Runtime library, or the test is
// skipped.
func Library(t testing.TB) string {
	t.Helper()
	needed(t)
	path, err := models.FindRuntime(person())
	if err != nil {
		t.Skipf("%v (make models installs it)", err)
	}
	return path
}

// FullVariable is set, to anything, where tests are to take as long as they want
// and to use large models: make test-full does.
const FullVariable = "DOWSE_TEST_FULL"

// Full returns the path of the pack of a model that make test-full obtains, not to be
// written to. A test that asks for one runs there alone.
func Full(t testing.TB, name string) string {
	t.Helper()
	if os.Getenv(FullVariable) == "" {
		t.Skip("takes long: make test-full runs it")
	}
	path := models.PackPath(person(), name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the model %s is not installed; dowse models pull %s installs it", name, name)
	}
	return path
}

// Embedder returns the path of the pack of the default embedder, not to be written to.
func Embedder(t testing.TB) string {
	t.Helper()
	return models.PackPath(filepath.Join(Dir(t), "dowse"), models.DefaultEmbedder)
}

// Published returns the path of the pack of the published embedder that the default one
// learned from, or the test is skipped. References were computed with it.
func Published(t testing.TB) string {
	t.Helper()
	needed(t)
	path := models.PackPath(person(), models.PublishedEmbedder)
	switch err := checkEmbedder(path); {
	case errors.Is(err, fs.ErrNotExist):
		t.Skipf("the model %s is not installed; make models installs it", models.PublishedEmbedder)
	case err != nil:
		t.Fatal(err)
	}
	return path
}

// checkEmbedder checks whether a pack is that of the published embedder.
func checkEmbedder(path string) error {
	p, err := pack.Open(path)
	if err != nil {
		return err
	}
	sum := p.Fingerprint()
	if got := hex.EncodeToString(sum[:]); runtime.GOARCH == "amd64" && got != embedderFingerprint {
		err = fmt.Errorf("%s has the fingerprint %s, and tests want %s: pull it again, or, where the import has changed, change what testcache wants", path, got, embedderFingerprint)
	}
	return errors.Join(err, p.Close())
}

// Dir returns a folder for XDG_CACHE_HOME in which the library, if the person has it,
// and the default models that the program carries are installed. All tests of a process share it, so it is not to be written to: a test
// that installs something has a DOWSE_HOME of its own.
func Dir(t testing.TB) string {
	t.Helper()
	needed(t)
	shared.once.Do(func() { shared.err = fill(shared.dir()) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return filepath.Dir(shared.dir())
}

// Home has dowse find the models of Dir, and everything else in a new folder until the test
// ends.
func Home(t testing.TB) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", Dir(t))
	t.Setenv("DOWSE_HOME", t.TempDir())
}

// shared is the cache that a process of tests has.
var shared cache

type cache struct {
	once sync.Once
	err  error
}

// dir lies below what testenv sets and removes.
func (*cache) dir() string { return filepath.Join(os.Getenv("HOME"), "testcache", "dowse") }

// fill installs what Dir names.
func fill(dir string) error {
	for _, name := range []string{models.DefaultEmbedder, models.DefaultReranker, models.DefaultReader} {
		if err := models.Unpack(context.Background(), []string{dir}, name); err != nil {
			return err
		}
	}
	// Its own kernels do without it.
	if library, err := models.FindRuntime(person()); err == nil {
		from := models.PullOptions{From: models.Folder, Folder: filepath.Dir(library)}
		if _, err := models.EnsureRuntime(context.Background(), dir, from, nil); err != nil {
			return err
		}
	} else if !errors.Is(err, models.ErrNotInstalled) {
		return err
	}
	return nil
}
