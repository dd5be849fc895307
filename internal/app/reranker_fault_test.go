package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/testapp"
	"dowse/models"
	"dowse/models/modeltest"
)

// flip changes a byte in the middle of a file, in its place.
func flip(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data[len(data)/2] ^= 0x10
	return os.WriteFile(path, data, 0o600)
}

// spoilt is what may be wrong with a pack.
var spoilt = map[string]struct {
	spoil func(path string) error
	says  string
}{
	"vanished":  {os.Remove, "is not installed"},
	"truncated": {func(path string) error { return os.Truncate(path, 5000) }, "cut short"},
	"foreign":   {func(path string) error { return os.WriteFile(path, []byte("not a pack"), 0o600) }, "not a dowse pack"},
	"damaged":   {flip, "the checksum of block"},
	"emptied":   {func(path string) error { return os.Truncate(path, 0) }, "cannot be used"},
}

// withoutReranker searches and wants the ranking of hybrid, and a sentence.
func withoutReranker(t *testing.T, s engine.Searcher, says string) {
	t.Helper()
	r := testapp.Search(t, s, "router resolver")
	if testapp.Names(r) != testapp.Names(hybrid(t, s, "router resolver")) {
		t.Errorf("found %s", testapp.Names(r))
	}
	if s := r.Stats.Rerank; s == nil || !strings.Contains(s.Problem, says) || !strings.Contains(s.Problem, "dowse models use") {
		t.Errorf("want %q, stats %+v", says, s)
	}
}

// TestSearchGoesOnWithoutAReranker: whatever is wrong with the pack, the
// results are those of hybrid, and a sentence says why and what to do.
func TestSearchGoesOnWithoutAReranker(t *testing.T) {
	for what, c := range spoilt {
		t.Run(what, func(t *testing.T) {
			a, path := withReranker(t)
			folder := testapp.Notes(t, manyNotes())
			if err := c.spoil(path); err != nil {
				t.Fatal(err)
			}
			withoutReranker(t, testapp.Own(t, a, folder), c.says)
		})
	}
}

// TestPackChangesBetweenSearches: what is done to the file of a model that is
// open, in its place, is seen by the next search; a whole pack is used again.
func TestPackChangesBetweenSearches(t *testing.T) {
	for what, c := range spoilt {
		t.Run(what, func(t *testing.T) {
			a, path := withReranker(t)
			owner := testapp.Own(t, a, testapp.Notes(t, manyNotes()))
			before := testapp.Names(testapp.Search(t, owner, "router resolver"))
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.spoil(path); err != nil {
				t.Fatal(err)
			}
			if what == "vanished" { // the mapping stays
				if r := testapp.Search(t, owner, "router resolver"); testapp.Names(r) != before || r.Stats.Rerank.Problem != "" {
					t.Errorf("found %s, %+v", testapp.Names(r), r.Stats.Rerank)
				}
			} else {
				withoutReranker(t, owner, c.says)
			}
			if err := os.WriteFile(path, whole, 0o600); err != nil {
				t.Fatal(err)
			}
			if r := testapp.Search(t, owner, "router resolver"); testapp.Names(r) != before || r.Stats.Rerank.Problem != "" {
				t.Errorf("after it is whole again: found %s, %+v", testapp.Names(r), r.Stats.Rerank)
			}
		})
	}
}

// TestPackVanishesDuringASearch: the search ends as if nothing had happened.
func TestPackVanishesDuringASearch(t *testing.T) {
	a, path := withReranker(t)
	owner := testapp.Own(t, a, testapp.Notes(t, manyNotes()))
	want := testapp.Names(testapp.Search(t, owner, "router resolver"))
	layers := 0
	r, err := owner.Search(t.Context(), engine.Request{Query: "router resolver", K: 10}, func(e engine.Event) {
		if e.Layer == nil {
			return
		}
		if layers++; layers == 2 {
			if err := os.RemoveAll(filepath.Dir(path)); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil || testapp.Names(r) != want || r.Stats.Rerank.Problem != "" || layers != 4 {
		t.Errorf("found %v, %v after %d layers", r, err, layers)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the pack is still there: %v", err)
	}
}

// TestModelOfAnotherRole: what makes vectors or text is told apart from what is
// broken.
func TestModelOfAnotherRole(t *testing.T) {
	a, _ := withReranker(t)
	files, err := modeltest.Decoders()["qwen3"].Files()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	if err := a.AddModel(t.Context(), "writer", folder, "", "", nil); err != nil {
		t.Fatal(err)
	}
	docs := testapp.Notes(t, manyNotes())
	for name, says := range map[string]string{"writer": "writes text", a.Config.Model: "is an embedder"} {
		t.Run(name, func(t *testing.T) {
			a.Config.Reranker = name
			owner := testapp.Own(t, a, docs)
			withoutReranker(t, owner, says)
		})
	}
	if role, err := a.UseModel("writer"); err != nil || role != models.Answerer {
		t.Errorf("a decoder is put to use as %q, %v", role, err)
	}
}

// TestTracesThatCannotBeKept: reranking goes on, exactly, without its samples.
func TestTracesThatCannotBeKept(t *testing.T) {
	a, _ := withReranker(t)
	owner := testapp.Own(t, a, testapp.Notes(t, manyNotes()))
	request := engine.Request{Query: "router resolver", K: 5, Trace: true}
	ask := func() string {
		t.Helper()
		r, err := owner.Search(t.Context(), request, nil)
		if err != nil || r.Stats.Rerank.Problem != "" || r.Stats.Rerank.ActiveLayers != 48 {
			t.Fatalf("%+v, %v", r, err)
		}
		return testapp.Names(r)
	}
	want := ask()
	folder := filepath.Join(a.Home.Cache, "rerank")
	kept, err := filepath.Glob(filepath.Join(folder, "*.traces"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("traces %v, %v", kept, err)
	}
	lock := filepath.Join(folder, "lock")
	if err := errors.Join(os.Remove(lock), os.Mkdir(lock, 0o700)); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := ask(); got != want {
			t.Errorf("found %s, want %s", got, want)
		}
	}
	if after, err := os.ReadFile(kept[0]); err != nil || string(after) != string(before) {
		t.Errorf("the samples kept before are spoilt: %v", err)
	}
}

// addJob gives an app a reranker made of a decoder and an adapter.
func addJob(t *testing.T, a *app.App, name string, seed uint64) {
	t.Helper()
	base := modeltest.Decoders()["qwen3"]
	base.Layers, base.Positions = 6, 512
	write := func(files map[string][]byte, err error) string {
		t.Helper()
		folder := t.TempDir()
		if err = errors.Join(err, modeltest.Write(folder, files)); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	if _, err := models.Find(a.Home.Caches(), "base"); err != nil {
		if err := a.AddModel(t.Context(), "base", write(base.Files()), "", "", nil); err != nil {
			t.Fatal(err)
		}
	}
	adapter := write(modeltest.Adapter{Base: base, Seed: seed, Heads: true}.Files())
	if err := a.AddModel(t.Context(), name, "base", adapter, "", nil); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(adapter); err != nil { // it was copied
		t.Fatal(err)
	}
}

// TestDecoderWithAdapterReranks: one base, two jobs, two rankings.
func TestDecoderWithAdapterReranks(t *testing.T) {
	a := testapp.New(t)
	docs := testapp.Notes(t, manyNotes())
	found := map[string]string{}
	for i, name := range []string{"one", "two"} {
		addJob(t, a, name, uint64(i+1))
		if role, err := a.UseModel(name); err != nil || role != models.Reranker {
			t.Fatal(role, err)
		}
		a.Config.Reranker, a.Config.Depth = name, 12
		t.Run(name, func(t *testing.T) {
			r := testapp.Search(t, testapp.Own(t, a, docs), "router resolver")
			if s := r.Stats.Rerank; s == nil || s.Problem != "" || s.Model != name || s.FullLayers != 6*12 {
				t.Fatalf("stats %+v", s)
			}
			found[name] = testapp.Names(r)
		})
	}
	if found["one"] == found["two"] {
		t.Error("two adapters rank alike")
	}
	list, err := a.Models()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.Name == "two" && (m.Role != "reranker" || !m.InUse || m.Source != "on base with an adapter, prompt plain") {
			t.Errorf("listed as %+v", m)
		}
	}
	if err := a.RemoveModel("base"); err == nil || !strings.Contains(err.Error(), "is needed by one, two; remove that first") {
		t.Errorf("the base of two: %v", err)
	}
	for _, name := range []string{"one", "two", "base"} {
		if err := a.RemoveModel(name); err != nil {
			t.Error(err)
		}
	}
	if err := a.RemoveModel("one"); err == nil || !strings.Contains(err.Error(), "is not installed") {
		t.Errorf("removed twice: %v", err)
	}
}

// TestAdapterMustFit: the executor's own checks speak when a model is added.
func TestAdapterMustFit(t *testing.T) {
	a := testapp.New(t)
	addJob(t, a, "one", 1)
	other := modeltest.Decoders()["qwen3"]
	other.Hidden, other.Layers = 48, 6
	for want, change := range map[string]func(files map[string][]byte){
		"shapes":               func(map[string][]byte) {},
		"type \"IA3\"":         func(files map[string][]byte) { files["adapter_config.json"] = []byte(`{"peft_type": "IA3"}`) },
		"adapter_config.json:": func(files map[string][]byte) { files["adapter_config.json"] = []byte(`{`) },
	} {
		files, err := modeltest.Adapter{Base: other, Heads: true}.Files()
		if err != nil {
			t.Fatal(err)
		}
		change(files)
		folder := t.TempDir()
		if err := modeltest.Write(folder, files); err != nil {
			t.Fatal(err)
		}
		if err := a.AddModel(t.Context(), "two", "base", folder, "", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if _, err := models.Find(a.Home.Caches(), "two"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("it was added: %v", err)
		}
	}
	if err := a.AddModel(t.Context(), "two", "base", "", "yes", nil); err == nil || !strings.Contains(err.Error(), "--prompt: there is no prompt \"yes\"") {
		t.Errorf("an unknown prompt: %v", err)
	}
	if err := a.AddModel(t.Context(), "two", "base", "", "qwen3", nil); err == nil || !strings.Contains(err.Error(), "\"yes\" of the prompt is no token") {
		t.Errorf("a prompt whose words the model does not know: %v", err)
	}
}
