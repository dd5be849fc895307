package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"dowse/internal/cli"
	"dowse/internal/testcache"
	"dowse/internal/testenv"
	"dowse/models/modeltest"
)

// TestMain lets the test binary be lab and dowse, so that scripts run both in processes of
// their own.
func TestMain(m *testing.M) {
	testscript.Main(testenv.Of(m), map[string]func(){
		"lab":   func() { os.Exit(run(os.Args[1:])) },
		"dowse": func() { os.Exit(cli.Main(os.Args[1:])) },
	})
}

// manyNotes adds notes to a folder, if a script has one.
func manyNotes(folder string) error {
	if _, err := os.Stat(folder); err != nil {
		return nil //nolint:nilerr // this script needs none
	}
	var problems []error
	for i := range 20 {
		text := strings.Repeat(fmt.Sprintf("The heron stands in lake %c. ", 'a'+i), 12)
		problems = append(problems, os.WriteFile(filepath.Join(folder, fmt.Sprintf("many%d.md", i)), []byte(text), 0o600))
	}
	return errors.Join(problems...)
}

// TestScripts runs testdata/script/*.txt, command line sessions that find the folder of a
// small decoder in published/decoder.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("one command after the other: nothing for the race detector")
	}
	cache := testcache.Dir(t)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", cache)
			env.Setenv("DOWSE_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("HOME", filepath.Join(env.WorkDir, "user"))
			decoder := modeltest.Decoders()["qwen3"]
			decoder.Layers, decoder.Positions = 4, 512
			files, err := decoder.Files()
			if err != nil {
				return err
			}
			folder := filepath.Join(env.WorkDir, "published", "decoder")
			if err := os.MkdirAll(folder, 0o700); err != nil {
				return err
			}
			return errors.Join(modeltest.Write(folder, files), manyNotes(filepath.Join(env.WorkDir, "notes")))
		},
		RequireExplicitExec: true,
	})
}
