package models

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/models/modeltest"
)

// decoderFiles returns those of a small Qwen3.
func decoderFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := modeltest.Decoders()["qwen3"].Files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// adapterOf returns the folder of an adapter for it.
func adapterOf(t testing.TB, heads bool) string {
	t.Helper()
	files, err := modeltest.Adapter{Base: modeltest.Decoders()["qwen3"], Seed: 5, Heads: heads}.Files()
	if err != nil {
		t.Fatal(err)
	}
	return writeFolder(t, files)
}

// fits returns a Check that finds nothing wrong, and notes what it was asked.
func fits(asked *[]string) func(string, string, Purpose) error {
	return func(pack, adapter string, purpose Purpose) error {
		*asked = append(*asked, string(purpose.Prompt))
		for _, path := range []string{pack, adapter} {
			if _, err := os.Stat(path); path != "" && err != nil {
				return err
			}
		}
		return nil
	}
}

// entries returns the names of the files below a cache, but for locks.
func entries(t *testing.T, cache string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(cache, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.HasSuffix(path, ".lock") {
			names = append(names, strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(cache)+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

// One decoder writes, and serves two jobs with adapters of their own.
func TestAddJobs(t *testing.T) {
	user, cache := t.TempDir(), t.TempDir()
	caches := []string{cache, user}
	var asked []string
	for _, a := range []struct {
		Addition
		caches []string
		prompt string
	}{
		{Addition{Name: "base", Path: writeFolder(t, decoderFiles(t))}, caches[1:], ""},
		{Addition{Name: "scores", Path: "base", Adapter: adapterOf(t, true)}, caches, "plain"},
		{Addition{Name: "asks", Path: "base", Adapter: adapterOf(t, false), Prompt: "mxbai"}, caches, "mxbai"},
		{Addition{Name: "own", Path: writeFolder(t, decoderFiles(t)), Adapter: adapterOf(t, true), Prompt: "qwen3"}, caches, "qwen3"},
		{Addition{Name: "bare", Path: writeFolder(t, decoderFiles(t)), Prompt: "qwen3"}, caches, "qwen3"},
	} {
		asked = nil
		a.Check = fits(&asked)
		if err := Add(t.Context(), a.caches, a.Addition, nil); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(asked, " "); got != a.prompt {
			t.Errorf("%s: checked with the prompt %q, want %q", a.Name, got, a.prompt)
		}
		i, err := Find(caches, a.Name)
		if err != nil {
			t.Fatal(err)
		}
		if (i.Role() == Reranker) != (a.prompt != "") || i.Job != nil && string(i.Job.Prompt) != a.prompt || (i.Adapter != "") != (a.Adapter != "") {
			t.Errorf("%s: %+v, job %+v", a.Name, i, i.Job)
		}
		if want := PackPath(a.caches[0], a.Name); a.Path != "base" && i.Path != want || a.Path == "base" && i.Path != PackPath(user, "base") {
			t.Errorf("%s: pack %s", a.Name, i.Path)
		}
	}
	if got, want := entries(t, cache), "models/asks/adapter/adapter_config.json models/asks/adapter/adapter_model.safetensors models/asks/job.json "+
		"models/bare/job.json models/bare/model.pack "+
		"models/own/adapter/adapter_config.json models/own/adapter/adapter_model.safetensors models/own/job.json models/own/model.pack "+
		"models/scores/adapter/adapter_config.json models/scores/adapter/adapter_model.safetensors models/scores/job.json"; got != want {
		t.Errorf("the cache holds\n%s, want\n%s", got, want)
	}
	list, err := Installed(caches...)
	if err != nil || len(list) != 5 {
		t.Fatalf("installed %+v, %v", list, err)
	}
	for _, name := range []string{"scores", "own", "asks", "bare"} {
		if err := Remove(cache, name); err != nil {
			t.Error(err)
		}
		if err := Remove(cache, name); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("removing %s twice: %v", name, err)
		}
	}
	if got := entries(t, cache); got != "" {
		t.Errorf("left: %s", got)
	}
}

// What was published as a reranker is one, whatever it is called here.
func TestPublishedNameTellsTheJob(t *testing.T) {
	named := func(name string, files map[string][]byte) string {
		folder := filepath.Join(t.TempDir(), name)
		if err := errors.Join(os.Mkdir(folder, 0o700), modeltest.Write(folder, files)); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	cache := t.TempDir()
	var asked []string
	add := func(name, path string) Installation {
		t.Helper()
		err := Add(t.Context(), []string{cache}, Addition{Name: name, Path: path, Check: fits(&asked)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		i, err := Find([]string{cache}, name)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	folder := named("Qwen3-Reranker-0.6B", decoderFiles(t))
	for range 2 { // the second one finds it there
		if i := add("q", folder); i.Job == nil || i.Job.Prompt != "qwen3" {
			t.Errorf("from its folder: %+v", i.Job)
		}
	}
	if len(asked) != 1 {
		t.Errorf("checked %d times", len(asked))
	}
	plain := writeFolder(t, decoderFiles(t))
	if i := add("mxbai-rerank-base-v2", plain); i.Job == nil || i.Job.Prompt != "mxbai" {
		t.Errorf("by the name given here: %+v", i.Job)
	}
	if i := add("chat", plain); i.Job != nil || i.Role() != Answerer {
		t.Errorf("a decoder like others: %+v", i.Job)
	}
	if i := add("encoder", named("mxbai-rerank-small", tinyFiles(t))); i.Job != nil || i.Role() != Embedder {
		t.Errorf("an encoder: %+v", i.Job)
	}
	p, err := newPull(cache, "owner/Qwen3-Reranker-tiny", PullOptions{From: Hub}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.origin = &Origin{Repository: "owner/Qwen3-Reranker-tiny", Revision: branch}
	if err := p.importFiles(t.Context(), plain); err != nil {
		t.Fatal(err)
	}
	if i, err := Find([]string{cache}, "Qwen3-Reranker-tiny"); err != nil || i.Job == nil || i.Job.Prompt != "qwen3" {
		t.Errorf("from the hub: %+v, %v", i.Job, err)
	}
	if err := os.Remove(filepath.Join(cache, hubFolder, "owner", "Qwen3-Reranker-tiny", jobFile)); err != nil {
		t.Fatal(err)
	}
	if i, err := Find([]string{cache}, "Qwen3-Reranker-tiny"); err != nil || i.Job == nil || i.Job.Prompt != "qwen3" {
		t.Errorf("imported before there were jobs: %+v, %v", i.Job, err)
	}
}

// What does not fit is refused in words, and leaves nothing behind.
func TestAddRefuses(t *testing.T) {
	decoder, good := writeFolder(t, decoderFiles(t)), adapterOf(t, true)
	broken := adapterOf(t, true)
	if err := os.WriteFile(filepath.Join(broken, adapterWeights), []byte("?"), 0o600); err != nil {
		t.Fatal(err)
	}
	unsupported := decoderFiles(t)
	unsupported["config.json"] = []byte(strings.ReplaceAll(string(unsupported["config.json"]), "Qwen3ForCausalLM", "GPT2LMHeadModel"))
	no := errors.New("they do not fit")
	for want, a := range map[string]Addition{
		"neither a file or folder nor":        {Name: "x", Path: "nosuch", Adapter: good},
		"there is no adapter_config.json":     {Name: "x", Path: decoder, Adapter: t.TempDir()},
		"adapter_model.safetensors: ":         {Name: "x", Path: decoder, Adapter: broken},
		"it has no head that scores; say how": {Name: "x", Path: decoder, Adapter: adapterOf(t, false)},
		"--prompt plain is for models":        {Name: "x", Path: decoder, Prompt: PlainPrompt},
		"adapters and prompts are for dec":    {Name: "x", Path: writeFolder(t, tinyFiles(t)), Adapter: good},
		"cannot be the name":                  {Name: "../x", Path: decoder, Adapter: good},
		"they do not fit":                     {Name: "x", Path: decoder, Adapter: good, Check: func(string, string, Purpose) error { return no }},
		"GPT2LMHeadModel] is not supported":   {Name: "x", Path: writeFolder(t, unsupported), Adapter: good},
		"a model of this name is installed":   {Name: "there", Path: decoder, Adapter: good},
	} {
		cache := t.TempDir()
		caches := []string{cache}
		var asked []string
		if a.Check == nil {
			a.Check = fits(&asked)
		}
		before := ""
		if a.Name == "there" {
			if err := Add(t.Context(), caches, Addition{Name: "there", Path: decoder}, nil); err != nil {
				t.Fatal(err)
			}
			before = entries(t, cache)
		}
		if err := Add(t.Context(), caches, a, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if got := entries(t, cache); got != before {
			t.Errorf("%s: left %s", want, got)
		}
	}
}

// A job tells when its parts are no longer those that it was made of.
func TestJobThatDoesNotFitAnyMore(t *testing.T) {
	other := modeltest.Decoders()["qwen3"]
	other.Seed++
	files, err := other.Files()
	if err != nil {
		t.Fatal(err)
	}
	replacement := writeFolder(t, files)
	for want, spoil := range map[string]func(cache string) error{
		"the model base, which is not": func(cache string) error { return Remove(cache, "base") },
		"another pack than the one": func(cache string) error {
			if err := Remove(cache, "base"); err != nil {
				return err
			}
			return Add(t.Context(), []string{cache}, Addition{Name: "base", Path: replacement}, nil)
		},
		"its adapter is damaged": func(cache string) error {
			return os.Truncate(filepath.Join(cache, "models", "job", adapterFolder, adapterWeights), 300)
		},
		"job.json is damaged": func(cache string) error {
			return os.WriteFile(filepath.Join(cache, "models", "job", jobFile), []byte("{"), 0o600)
		},
		`it names the model "../x"`: func(cache string) error {
			return os.WriteFile(filepath.Join(cache, "models", "job", jobFile), []byte(`{"prompt": "plain", "base": "../x"}`), 0o600)
		},
		`there is no prompt "odd"`: func(cache string) error {
			return os.WriteFile(filepath.Join(cache, "models", "job", jobFile), []byte(`{"prompt": "odd", "base": "base"}`), 0o600)
		},
	} {
		cache := t.TempDir()
		caches := []string{cache}
		var asked []string
		for _, a := range []Addition{
			{Name: "base", Path: writeFolder(t, decoderFiles(t))},
			{Name: "job", Path: "base", Adapter: adapterOf(t, true), Check: fits(&asked)},
		} {
			if err := Add(t.Context(), caches, a, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := spoil(cache); err != nil {
			t.Fatal(err)
		}
		if _, err := Find(caches, "job"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		list, err := Installed(cache)
		if err != nil || list[len(list)-1].Name != "job" || list[len(list)-1].Problem == nil {
			t.Errorf("%s: installed %+v, %v", want, list, err)
		}
		if err := Remove(cache, "job"); err != nil {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A plain import does not mix with what is left of a job.
func TestImportOverAJob(t *testing.T) {
	cache, plain := t.TempDir(), writeFolder(t, decoderFiles(t))
	caches := []string{cache}
	var asked []string
	for _, a := range []Addition{
		{Name: "base", Path: plain},
		{Name: "on", Path: "base", Adapter: adapterOf(t, true)},
		{Name: "own", Path: plain, Adapter: adapterOf(t, true)},
	} {
		a.Check = fits(&asked)
		if err := Add(t.Context(), caches, a, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := Add(t.Context(), caches, Addition{Name: "on", Path: plain}, nil); err == nil || !strings.Contains(err.Error(), "stands on base; run dowse models remove on first") {
		t.Errorf("over a job on another pack: %v", err)
	}
	if err := os.Truncate(PackPath(cache, "own"), 100); err != nil {
		t.Fatal(err)
	}
	if err := Add(t.Context(), caches, Addition{Name: "own", Path: plain}, nil); err != nil {
		t.Fatal(err)
	}
	if i, err := Find(caches, "own"); err != nil || i.Job != nil || i.Role() != Answerer {
		t.Errorf("over a broken one: %+v, %v", i.Job, err)
	}
}

func TestParsePrompt(t *testing.T) {
	for _, name := range []string{"", "qwen3", "mxbai", "plain", "passages"} {
		if p, err := ParsePrompt(name); err != nil || string(p) != name {
			t.Errorf("%q: %q, %v", name, p, err)
		}
	}
	if _, err := ParsePrompt("Plain"); err == nil || !strings.Contains(err.Error(), "choose qwen3, mxbai, plain or passages") {
		t.Errorf("an unknown one: %v", err)
	}
}
