package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"dowse/internal/testcache"
	"dowse/models/modeltest"
)

// published are the folders that scripts about models find, made once: a decoder, an
// encoder with a head, and adapters for the decoder.
var published = sync.OnceValues(func() (folder string, err error) {
	folder = filepath.Join(os.Getenv("HOME"), "published") // gone when the tests have ended
	return folder, publish(folder)
})

func publish(to string) error {
	base := modeltest.Decoders()["qwen3"]
	base.Layers, base.Positions = 4, 512
	narrow := base
	narrow.Hidden = 16
	var problems []error
	write := func(name string, files map[string][]byte, err error) {
		folder := filepath.Join(to, name)
		problems = append(problems, err, os.MkdirAll(folder, 0o700), modeltest.Write(folder, files))
	}
	files, err := base.Files()
	write("decoder", files, err)
	other := map[string][]byte{}
	for name, data := range files {
		other[name] = []byte(strings.ReplaceAll(string(data), "Qwen3ForCausalLM", "MambaForCausalLM"))
	}
	write("unsupported", other, nil)
	wide := base
	wide.Positions = 4096
	files, err = wide.Files()
	files["tokenizer_config.json"] = []byte(`{"chat_template": "{% for m in messages %}<|begin|>{{ m.role }} {{ m.content }}<|end|>{% endfor %}<|begin|>"}`)
	write("writer", files, err)
	mute := maps.Clone(files)
	delete(mute, "tokenizer_config.json")
	write("mute", mute, nil)
	files, err = modeltest.Reranker{LayerHeads: true, Layers: 4, Seed: 7}.Files()
	write("encoder", files, err)
	files, err = modeltest.Adapter{Base: base, Heads: true}.Files()
	write("adapter", files, err)
	files, err = modeltest.Adapter{Base: base}.Files()
	write("headless", files, err)
	files, err = modeltest.Adapter{Base: narrow, Heads: true}.Files()
	write("narrow", files, err)
	files, err = modeltest.Reranker{LayerHeads: true, Layers: 12, Hidden: 128, Intermediate: 512, Seed: 7}.Files()
	write("wide", files, err)
	files, err = modeltest.Files()
	write("embedder", files, err)
	return errors.Join(problems...)
}

// scriptModels writes what a script finds: a copy of what is published, and notes.
func scriptModels(work string) error {
	folder, err := published()
	problems := []error{err}
	if err == nil {
		problems = append(problems, os.CopyFS(filepath.Join(work, "published"), os.DirFS(folder)))
	}
	for i := range scriptNotes {
		text := strings.Repeat(fmt.Sprintf("The heron stands in lake %c. ", 'a'+i), 12)
		problems = append(problems, os.WriteFile(filepath.Join(work, "notes", fmt.Sprintf("many%d.md", i)), []byte(text), 0o600))
	}
	return errors.Join(problems...)
}

// scriptNotes is how many notes on one thing there are: as many as are reranked.
const scriptNotes = 20

// TestModelScripts runs testdata/models/*.txt, sessions about models of one's
// own.
func TestModelScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("one command after the other: nothing for the race detector")
	}
	cache := testcache.Dir(t)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "models"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", cache)
			env.Setenv("DOWSE_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("HOME", filepath.Join(env.WorkDir, "user"))
			hub := modeltest.StartHub()
			env.Defer(hub.Close)
			env.Setenv("HF_ENDPOINT", hub.URL)
			env.Values[hubKey{}] = hub
			return scriptModels(env.WorkDir)
		},
		Cmds:                map[string]func(ts *testscript.TestScript, neg bool, args []string){"hub": hubCommand},
		RequireExplicitExec: true,
	})
}

// hubKey is where a script's hub lies.
type hubKey struct{}

// hubCommand tells the hub of a script what to do:
//
//	hub publish OWNER/NAME FOLDER  adds a commit with the files of a folder
//	hub break FILE FOLDER          ends connections in the middle of a file
//	hub page FILE                  has a web page in the place of a file
//	hub other FILE                 has other bytes in the place of a file, once it was asked about
//	hub lead OWNER/NAME            redirects to another repository
//	hub honest                     has it answer as it should again
func hubCommand(ts *testscript.TestScript, _ bool, args []string) {
	hub, ok := ts.Value(hubKey{}).(*modeltest.Hub)
	if !ok || len(args) == 0 {
		ts.Fatalf("there is no hub, or it is told nothing")
	}
	switch args[0] {
	case "publish":
		files := map[string][]byte{}
		folder := ts.MkAbs(args[2])
		ts.Check(filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			name, err := filepath.Rel(folder, path)
			files[filepath.ToSlash(name)] = []byte(ts.ReadFile(path))
			return err
		}))
		hub.Publish(args[1], files)
	case "break":
		hub.Answer(modeltest.BreakOff(args[1], []byte(ts.ReadFile(filepath.Join(args[2], args[1])))))
	case "page":
		hub.Answer(modeltest.Instead(args[1], "<!doctype html><title>Please log in</title>", true))
	case "other":
		hub.Answer(modeltest.Instead(args[1], "{}", false))
	case "lead":
		hub.Answer(modeltest.Lead(args[1]))
	case "honest":
		hub.Answer(nil)
	default:
		ts.Fatalf("the hub cannot %s", args[0])
	}
}
