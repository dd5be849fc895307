package models

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"dowse/models/hub"
	"dowse/models/modeltest"
)

// tinyFiles returns the files of a small model.
func tinyFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := modeltest.Files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// writeFolder writes files into a new folder.
func writeFolder(t testing.TB, files map[string][]byte) string {
	t.Helper()
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	return folder
}

// hubOf serves files as OWNER/tiny, and counts requests.
func hubOf(t *testing.T, files map[string][]byte) (endpoint string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		name, ok := strings.CutPrefix(r.URL.Path, "/owner/tiny/resolve/main/")
		data, there := files[name]
		if !ok || !there {
			http.NotFound(w, r)
			return
		}
		sum := sha256.Sum256(data)
		w.Header().Set("X-Linked-Etag", hex.EncodeToString(sum[:]))
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = w.Write(data) // the client sees what it sees
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func TestPullFromHub(t *testing.T) {
	endpoint, requests := hubOf(t, tinyFiles(t))
	cache := t.TempDir()
	opts := PullOptions{From: Hub, Endpoint: endpoint}
	steps := map[string]bool{}
	err := Pull(context.Background(), cache, "owner/tiny", opts, func(p Progress) { steps[p.Step] = true })
	if err != nil {
		t.Fatal(err)
	}
	path := PackPath(cache, "owner/tiny")
	if !steps["download model.safetensors"] || !steps["import owner/tiny"] {
		t.Errorf("path %s, steps %v", path, steps)
	}
	if left, err := os.ReadDir(filepath.Join(cache, "staging")); err != nil || len(left) != 0 {
		t.Errorf("staging holds %v, %v", left, err)
	}
	before := requests.Load()
	if err := Pull(context.Background(), cache, "owner/tiny", opts, nil); err != nil || requests.Load() != before {
		t.Errorf("a pull of what is there: %v, %d requests", err, requests.Load()-before)
	}
}

func TestPullWithoutOptionalFiles(t *testing.T) {
	files := tinyFiles(t)
	for _, name := range []string{"modules.json", "sentence_bert_config.json", "1_Pooling/config.json"} {
		delete(files, name)
	}
	endpoint, _ := hubOf(t, files)
	if err := Pull(context.Background(), t.TempDir(), "owner/tiny", PullOptions{Endpoint: endpoint}, nil); err != nil {
		t.Error(err)
	}
	delete(files, "model.safetensors")
	err := Pull(context.Background(), t.TempDir(), "owner/tiny", PullOptions{Endpoint: endpoint}, nil)
	if !errors.Is(err, hub.ErrNotFound) {
		t.Errorf("without weights: %v", err)
	}
}

// TestPullShards fetches weights that lie in two files.
func TestPullShards(t *testing.T) {
	files := tinyFiles(t)
	delete(files, weightsFile)
	shards, index := []map[string]modeltest.Tensor{{}, {}}, map[string]string{}
	for name, tensor := range modeltest.Tensors() {
		i := len(name) % 2
		shards[i][name] = tensor
		index[name] = fmt.Sprintf("model-%d.safetensors", i)
	}
	for i, shard := range shards {
		data, err := modeltest.Safetensors(shard)
		if err != nil {
			t.Fatal(err)
		}
		files[fmt.Sprintf("model-%d.safetensors", i)] = data
	}
	put := func() {
		data, err := json.Marshal(map[string]any{"weight_map": index})
		if err != nil {
			t.Fatal(err)
		}
		files[weightIndex] = data
	}
	put()
	endpoint, _ := hubOf(t, files)
	cache := t.TempDir()
	if err := Pull(context.Background(), cache, "owner/tiny", PullOptions{Endpoint: endpoint}, nil); err != nil {
		t.Fatal(err)
	}
	list, err := Installed(cache)
	if err != nil || len(list) != 1 || list[0].Problem != nil || list[0].Role() != Embedder {
		t.Errorf("installed %+v, %v", list, err)
	}
	for name := range index {
		index[name] = "../../etc/passwd"
	}
	put()
	if err := Pull(context.Background(), t.TempDir(), "owner/tiny", PullOptions{Endpoint: endpoint}, nil); err == nil || !strings.Contains(err.Error(), "no file of the repository") {
		t.Errorf("an index that leads out of its folder: %v", err)
	}
}

// Pulls at the same time do the work once, and all succeed.
func TestConcurrentPulls(t *testing.T) {
	files := tinyFiles(t)
	endpoint, requests := hubOf(t, files)
	cache := t.TempDir()
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if err := Pull(context.Background(), cache, "owner/tiny", PullOptions{Endpoint: endpoint}, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	// One for the commit, two for each file, and one for each optional one that is not there.
	if got, want := requests.Load(), int64(1+2*len(files)+len(anyFiles)-len(files)); got != want {
		t.Errorf("%d requests, want %d", got, want)
	}
}

func TestPullFromFolderListAndRemove(t *testing.T) {
	cache := t.TempDir()
	folder := writeFolder(t, tinyFiles(t))
	if list, err := Installed(cache); err != nil || len(list) != 0 {
		t.Fatalf("an empty cache holds %v, %v", list, err)
	}
	path := PackPath(cache, "mine")
	err := Pull(context.Background(), cache, "mine", PullOptions{From: Folder, Folder: folder}, nil)
	if err != nil {
		t.Fatal(err)
	}
	broken := PackPath(cache, "broken")
	if err := errors.Join(os.MkdirAll(filepath.Dir(broken), 0o755), os.WriteFile(broken, []byte("?"), 0o600)); err != nil {
		t.Fatal(err)
	}
	list, err := Installed(cache)
	if err != nil || len(list) != 2 {
		t.Fatalf("installed %v, %v", list, err)
	}
	if list[0].Name != "broken" || list[0].Problem == nil {
		t.Errorf("a broken pack is listed as %+v", list[0])
	}
	if m := list[1]; m.Name != "mine" || m.Path != path || m.Problem != nil || m.Config.Layers != modeltest.Layers {
		t.Errorf("a good pack is listed as %+v", m)
	}
	if err := Remove(cache, "mine"); err != nil {
		t.Error(err)
	}
	if err := Remove(cache, "mine"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("removing what is not there: %v", err)
	}
	if list, err := Installed(cache); err != nil || len(list) != 1 {
		t.Errorf("installed %v, %v", list, err)
	}
}

func TestNamesStayInTheirFolder(t *testing.T) {
	for _, name := range []string{"", ".", "..", "a/b/c", `a\b`, "../x", "owner/..", ".hidden"} {
		if err := Pull(context.Background(), t.TempDir(), name, PullOptions{From: Folder, Folder: t.TempDir()}, nil); err == nil {
			t.Errorf("Pull accepts the name %q", name)
		}
		if err := Remove(t.TempDir(), name); err == nil {
			t.Errorf("Remove accepts the name %q", name)
		}
	}
	if err := Pull(context.Background(), t.TempDir(), "nonsense", PullOptions{}, nil); !errors.Is(err, errUnknown) {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestCatalogueIsComplete(t *testing.T) {
	isSum := func(s string) bool {
		raw, err := hex.DecodeString(s)
		return err == nil && len(raw) == sha256.Size
	}
	for _, e := range Catalogue() {
		found, ok := Lookup(e.Name)
		if !ok || found.Repository != e.Repository || checkName(e.Name) != nil {
			t.Errorf("%s is not found by its name", e.Name)
		}
		if e.Summary == "" || e.Licence == "" || e.Size == 0 || e.MaxTokens == 0 {
			t.Errorf("the entry of %s has gaps: %+v", e.Name, e)
		}
		commit, err := hex.DecodeString(e.Revision)
		if !e.Bundled && (e.Repository == "" || len(e.Files) == 0 || err != nil || len(commit) != sha1.Size) {
			t.Errorf("the entry of %s has gaps: %+v", e.Name, e)
		}
		for _, f := range e.Files {
			if !isSum(f.SHA256) || f.Size == 0 || f.Optional {
				t.Errorf("%s of %s is not pinned: %+v", f.Name, e.Name, f)
			}
		}
		if e.Wheel != nil && !isSum(e.Wheel.SHA256) {
			t.Errorf("the wheel of %s is not pinned", e.Name)
		}
	}
	for platform, r := range runtimes {
		if !isSum(r.sha256) || !isSum(r.wheelSHA256) || r.size == 0 {
			t.Errorf("the runtime for %s is not pinned", platform)
		}
	}
	for _, name := range []string{DefaultEmbedder, PublishedEmbedder, DefaultReranker, SmallestAnswerer} {
		if _, ok := Lookup(name); !ok {
			t.Errorf("the default %s is not in the catalogue", name)
		}
	}
}

func TestFindRuntime(t *testing.T) {
	t.Setenv(RuntimeVariable, "")
	cache := t.TempDir()
	if _, err := FindRuntime(cache); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("an empty cache: %v", err)
	}
	library := filepath.Join(t.TempDir(), "lib.so")
	t.Setenv(RuntimeVariable, library)
	if _, err := FindRuntime(cache); !errors.Is(err, ErrNotInstalled) || !strings.Contains(err.Error(), RuntimeVariable) {
		t.Errorf("a named library that is not there: %v", err)
	}
	if err := os.WriteFile(library, []byte("elf"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := FindRuntime(cache); err != nil || got != library {
		t.Errorf("a named library: %q, %v", got, err)
	}
}

func TestEnsureRuntimeChecksWhatItInstalls(t *testing.T) {
	r, ok := runtimes[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		t.Skip("no runtime is known for this platform")
	}
	t.Setenv(RuntimeVariable, "")
	folder, cache := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, r.name()), []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := EnsureRuntime(context.Background(), cache, PullOptions{From: Folder, Folder: folder}, nil)
	if err == nil || !strings.Contains(err.Error(), "sha256") {
		t.Errorf("another library than the pinned one: %v", err)
	}
	if _, err := os.Stat(runtimeFolder(cache)); !os.IsNotExist(err) {
		t.Errorf("it was installed: %v", err)
	}
}

func TestLockEndsWithTheContext(t *testing.T) {
	cache := t.TempDir()
	unlock, err := lock(context.Background(), cache, "x")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := lock(ctx, cache, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("a second lock: %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := lock(context.Background(), cache, "x")
	if err != nil {
		t.Fatal(err)
	}
	if err := again(); err != nil {
		t.Error(err)
	}
}
