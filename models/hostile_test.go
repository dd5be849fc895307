package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models/modeltest"
)

func startHub(t *testing.T) *modeltest.Hub {
	t.Helper()
	h := modeltest.StartHub()
	t.Cleanup(h.Close)
	return h
}

// seeded are the files of a small decoder whose weights follow from a seed.
func seeded(t *testing.T, seed uint64) map[string][]byte {
	t.Helper()
	shape := modeltest.Decoders()["qwen3"]
	shape.Seed = seed
	files, err := shape.Files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// sumOfFiles is the fingerprint that a model of some files has.
func sumOfFiles(t *testing.T, files map[string][]byte) string {
	t.Helper()
	cache := t.TempDir()
	if err := Pull(t.Context(), cache, "x", PullOptions{From: Folder, Folder: writeFolder(t, files)}, nil); err != nil {
		t.Fatal(err)
	}
	return sumOfModel(t, cache, "x")
}

func sumOfModel(t *testing.T, cache, name string) string {
	t.Helper()
	i, err := Find([]string{cache}, name)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := Fingerprint(i.Path)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func names(t *testing.T, cache string) (all []string) {
	t.Helper()
	list, err := Installed(cache)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.Problem != nil {
			t.Errorf("%s: %v", m.Name, m.Problem)
		}
		all = append(all, m.Name)
	}
	return all
}

// TestTwoRepositoriesOfOneName lie side by side, each with its own weights, and a short name
// that means both is an error that says so.
func TestTwoRepositoriesOfOneName(t *testing.T) {
	h, cache := startHub(t), t.TempDir()
	evil, good := seeded(t, 66), seeded(t, 7)
	commit := h.Publish("evil/model", evil)
	h.Publish("good/model", good)
	opts := PullOptions{Endpoint: h.URL}
	pull := func(name string) {
		t.Helper()
		if err := Pull(t.Context(), cache, name, opts, nil); err != nil {
			t.Fatal(err)
		}
	}
	pull("evil/model")
	if got, err := Resolve([]string{cache}, "model"); got != "evil/model" || err != nil {
		t.Errorf("the short name is %q, %v", got, err)
	}
	pull("good/model")
	if got := names(t, cache); !slices.Equal(got, []string{"evil/model", "good/model"}) {
		t.Errorf("installed are %q", got)
	}
	if sumOfModel(t, cache, "evil/model") != sumOfFiles(t, evil) || sumOfModel(t, cache, "good/model") != sumOfFiles(t, good) {
		t.Error("a model has the weights of another one")
	}
	_, err := Find([]string{cache}, "model")
	if !errors.Is(err, ErrAmbiguous) || !strings.Contains(err.Error(), "evil/model and good/model") {
		t.Errorf("the short name of both: %v", err)
	}
	i, err := Find([]string{cache}, "evil/model")
	if err != nil || i.Origin == nil || i.Origin.Commit != commit || i.Origin.String() != "evil/model@"+commit[:7] || len(i.Origin.Files) < 3 {
		t.Errorf("the origin is %+v, %v", i.Origin, err)
	}
	for _, f := range i.Origin.Files {
		if sum := sha256.Sum256(evil[f.Name]); f.SHA256 != hex.EncodeToString(sum[:]) || f.Size != int64(len(evil[f.Name])) {
			t.Errorf("it says of %s %+v", f.Name, f)
		}
	}
	if err := Remove(cache, "evil/model"); err != nil {
		t.Fatal(err)
	}
	if i, err := Find([]string{cache}, "model"); err != nil || i.Name != "good/model" {
		t.Errorf("with one left, the short name is of %q, %v", i.Name, err)
	}
	if _, err := os.Stat(filepath.Join(cache, hubFolder, "evil")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the owner's folder is there: %v", err)
	}
}

// TestRevisionsLieSideBySide: a revision that is asked for is another model than the branch,
// whatever that is by then.
func TestRevisionsLieSideBySide(t *testing.T) {
	h, cache := startHub(t), t.TempDir()
	first := h.Publish("good/model", seeded(t, 1))
	h.Publish("good/model", seeded(t, 2))
	for _, opts := range []PullOptions{{Endpoint: h.URL}, {Endpoint: h.URL, Revision: first}} {
		if err := Pull(t.Context(), cache, "good/model", opts, nil); err != nil {
			t.Fatal(err)
		}
	}
	if sumOfModel(t, cache, "good/model") != sumOfFiles(t, seeded(t, 2)) || sumOfModel(t, cache, "good/model@"+first) != sumOfFiles(t, seeded(t, 1)) {
		t.Error("a revision has the weights of another one")
	}
	before := h.Asked()
	if err := Pull(t.Context(), cache, "good/model@"+first, PullOptions{Endpoint: h.URL}, nil); err != nil || h.Asked() != before {
		t.Errorf("what is there, by its whole name: %v, %d requests", err, h.Asked()-before)
	}
	if err := Pull(t.Context(), cache, "good/model@"+first, PullOptions{Endpoint: h.URL, Revision: "v2"}, nil); err == nil || !strings.Contains(err.Error(), "give one of them") {
		t.Errorf("two revisions: %v", err)
	}
}

// TestAnInterruptedPull goes on where it stopped, and leaves nothing to another repository
// of that name, nor to another commit of its own.
func TestAnInterruptedPull(t *testing.T) {
	evil, good := seeded(t, 66), seeded(t, 7)
	evil["config.json"] = append(bytes.Clone(evil["config.json"]), '\n')
	for name, c := range map[string]struct {
		then    string // what is pulled next
		moved   bool   // the branch, meanwhile
		resumed bool
	}{
		"the same":         {"evil/model", false, true},
		"another owner's":  {"good/model", false, false},
		"a later commit":   {"evil/model", true, false},
		"another revision": {"evil/model@main", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			h, cache := startHub(t), t.TempDir()
			h.Publish("evil/model", evil)
			h.Publish("good/model", good)
			h.Answer(modeltest.BreakOff(weightsFile, evil[weightsFile]))
			opts := PullOptions{Endpoint: h.URL}
			if err := Pull(t.Context(), cache, "evil/model", opts, nil); err == nil || !strings.Contains(err.Error(), "go on from there") {
				t.Fatalf("a pull that breaks off: %v", err)
			}
			want := evil
			if c.moved {
				want = seeded(t, 67)
				h.Publish("evil/model", want)
			} else if c.then == "good/model" {
				want = good
			}
			ranges := 0
			h.Answer(func(_ http.ResponseWriter, r *http.Request, _ string) bool {
				if r.Header.Get("Range") != "" {
					ranges++
				}
				return false
			})
			if err := Pull(t.Context(), cache, c.then, opts, nil); err != nil {
				t.Fatal(err)
			}
			if sumOfModel(t, cache, c.then) != sumOfFiles(t, want) {
				t.Error("it has other weights")
			}
			if (ranges > 0) != c.resumed {
				t.Errorf("%d requests go on", ranges)
			}
		})
	}
}

// TestRefusedFilesGo: what an import refuses is deleted, so that a later pull does not find
// it again.
func TestRefusedFilesGo(t *testing.T) {
	h, cache := startHub(t), t.TempDir()
	good := seeded(t, 7)
	bad := map[string][]byte{}
	for name, data := range good {
		bad[name] = bytes.ReplaceAll(data, []byte("Qwen3ForCausalLM"), []byte("MambaForCausalLM"))
	}
	h.Publish("good/model", bad)
	opts := PullOptions{Endpoint: h.URL}
	err := Pull(t.Context(), cache, "good/model", opts, nil)
	if err == nil || !strings.Contains(err.Error(), "MambaForCausalLM") || !strings.Contains(err.Error(), "the next pull starts over") {
		t.Errorf("error %v", err)
	}
	if left, err := os.ReadDir(filepath.Join(cache, "staging")); err != nil || len(left) != 0 {
		t.Errorf("staging holds %v, %v", left, err)
	}
	if _, err := os.Stat(modelFolder(cache, "good/model")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder is there: %v", err)
	}
	h.Mend("good/model", good)
	if err := Pull(t.Context(), cache, "good/model", opts, nil); err != nil {
		t.Fatal(err)
	}
	if sumOfModel(t, cache, "good/model") != sumOfFiles(t, good) {
		t.Error("it has other weights")
	}
}

// TestOldFolders: a model that was pulled when only the last part of a name counted is the
// one of the repository if it has its weights, and is told of otherwise.
func TestOldFolders(t *testing.T) {
	good := seeded(t, 7)
	for name, c := range map[string]struct {
		old   map[string][]byte
		says  string
		names []string
	}{
		"the same":    {good, "is called good/model now", []string{"good/model"}},
		"another one": {seeded(t, 66), "is another one than good/model", []string{"model", "good/model"}},
	} {
		t.Run(name, func(t *testing.T) {
			h, cache := startHub(t), t.TempDir()
			h.Publish("good/model", good)
			if err := Pull(t.Context(), cache, "model", PullOptions{From: Folder, Folder: writeFolder(t, c.old)}, nil); err != nil {
				t.Fatal(err)
			}
			var told []string
			opts := PullOptions{Endpoint: h.URL, Warn: func(s string) { told = append(told, s) }}
			for range 2 { // the second one says nothing new
				if err := Pull(t.Context(), cache, "good/model", opts, nil); err != nil {
					t.Fatal(err)
				}
			}
			if len(told) != 1 || !strings.Contains(told[0], c.says) {
				t.Errorf("told %q", told)
			}
			if got := names(t, cache); !slices.Equal(got, c.names) {
				t.Errorf("installed are %q", got)
			}
			if sumOfModel(t, cache, "good/model") != sumOfFiles(t, good) || sumOfModel(t, cache, "model") != sumOfFiles(t, c.old) {
				t.Error("a name has the weights of another one")
			}
		})
	}
}

// TestNamesOfTheCatalogue: no repository takes the place of what the catalogue knows, and
// what may be anybody's under such a name is told of.
func TestNamesOfTheCatalogue(t *testing.T) {
	h, cache := startHub(t), t.TempDir()
	h.Publish("evil/"+PublishedEmbedder, tinyFiles(t))
	if err := Pull(t.Context(), cache, "evil/"+PublishedEmbedder, PullOptions{Endpoint: h.URL}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Find([]string{cache}, PublishedEmbedder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the catalogue's name finds somebody else's: %v", err)
	}
	if err := Pull(t.Context(), cache, PublishedEmbedder, PullOptions{From: Folder, Folder: writeFolder(t, tinyFiles(t))}, nil); err != nil {
		t.Fatal(err)
	}
	var told []string
	if err := Pull(t.Context(), cache, PublishedEmbedder, PullOptions{Warn: func(s string) { told = append(told, s) }}, nil); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || !strings.Contains(told[0], "nothing says where from") {
		t.Errorf("told %q", told)
	}
}

// TestAModelThatIsNotItsOrigins: weights under the name of a repository that did not come
// from it are not used.
func TestAModelThatIsNotItsOrigins(t *testing.T) {
	h, cache := startHub(t), t.TempDir()
	h.Publish("good/model", seeded(t, 7))
	h.Publish("evil/model", seeded(t, 66))
	opts := PullOptions{Endpoint: h.URL}
	pull := func(name string) {
		t.Helper()
		if err := Pull(t.Context(), cache, name, opts, nil); err != nil {
			t.Fatal(err)
		}
	}
	for what, spoil := range map[string]func() error{
		"its weights are another's": func() error { return os.Rename(PackPath(cache, "evil/model"), PackPath(cache, "good/model")) },
		"its folder is another's": func() error {
			return errors.Join(os.RemoveAll(modelFolder(cache, "good/model")), os.Rename(modelFolder(cache, "evil/model"), modelFolder(cache, "good/model")))
		},
		"nothing says where from": func() error { return os.Remove(filepath.Join(modelFolder(cache, "good/model"), originFile)) },
	} {
		pull("good/model")
		pull("evil/model")
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if _, err := Find([]string{cache}, "good/model"); err == nil || !strings.Contains(err.Error(), "pull it again") {
			t.Errorf("%s: %v", what, err)
		}
		pull("good/model")
		if sumOfModel(t, cache, "good/model") != sumOfFiles(t, seeded(t, 7)) {
			t.Errorf("%s: a pull did not mend it", what)
		}
	}
}
