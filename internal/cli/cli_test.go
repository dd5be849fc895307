package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"dowse/engine/endpoint/endpointtest"
	"dowse/internal/testcache"
	"dowse/internal/testenv"
)

// TestMain lets the test binary be dowse itself, so that scripts and tests
// run the real program in processes of its own.
func TestMain(m *testing.M) {
	testscript.Main(testenv.Of(m), map[string]func(){
		"dowse": func() { os.Exit(Main(os.Args[1:])) },
	})
}

// TestScripts runs testdata/script/*.txt: each is a command line session with
// its files below it. DOWSE_HOME is $WORK/home there, and ENDPOINT a server of
// endpointtest.
func TestScripts(t *testing.T) {
	cache := testcache.Dir(t)
	params := testscript.Params{
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", cache)
			env.Setenv("DOWSE_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("HOME", filepath.Join(env.WorkDir, "user"))
			env.Setenv("ESC", "\x1b")
			server := endpointtest.Start("It was Ken Thompson, overnight, in 1974. [1]")
			env.Defer(server.Close)
			env.Setenv("ENDPOINT", server.URL)
			return nil
		},
		RequireExplicitExec: true,
	}
	if testing.Short() { // with the race detector: what several processes and goroutines do
		for _, name := range []string{"answer", "search", "watch"} {
			params.Files = append(params.Files, filepath.Join("testdata", "script", name+".txt"))
		}
	} else {
		params.Dir = filepath.Join("testdata", "script")
	}
	testscript.Run(t, params)
}
