package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/config"
	"dowse/internal/testwait"
)

// TestKillWhileMovingAFolder ends dowse index by SIGKILL at random moments while a folder
// moves to an embedder of its own, and then while it moves back: each time both indexes are
// sound, each note is found, and found once, and the next run goes on from there.
func TestKillWhileMovingAFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes: the plain run does it")
	}
	const seed, files = 43, 500
	kills := killCount(t, 3)
	t.Logf("seed %d, %d kills", seed, kills)
	rng := rand.New(rand.NewPCG(seed, 0))
	home, cache, folder := t.TempDir(), t.TempDir(), realDir(t)
	own := filepath.Join(folder, "letters")
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	writeNotes(t, rng, folder, 0, files/4)
	writeNotes(t, rng, own, files/4, files)
	addEmbedder(t, home, cache, "old", "")
	addEmbedder(t, home, cache, "new", `{"prompts": {"query": "q: ", "document": "p: "}}`)
	settings := filepath.Join(home, "config.toml")
	if err := errors.Join(config.UseModel(settings, "old"), config.UseReranker(settings, config.NoReranker)); err != nil {
		t.Fatal(err)
	}
	index(t, home, cache, folder)
	before := meant(t, home, cache)
	use := func(model string) {
		t.Helper()
		if out, err := dowse(home, cache, "models", "use", model, "--folder", own).CombinedOutput(); err != nil || !strings.Contains(string(out), "dowse index, dowse watch and the screen move its passages") {
			t.Fatalf("%v, %s", err, out)
		}
	}
	for _, model := range []string{"new", "default"} {
		use(model)
		moving, said := killsOfMoves(t, rng, kills, files, home, cache, func() {
			use(map[string]string{"new": "default", "default": "new"}[model])
			index(t, home, cache, folder)
			use(model)
		})
		if moving == 0 {
			t.Errorf("no kill fell into the move to %s: the test shows nothing", model)
		}
		t.Logf("%d kills left a move to %s in the middle; %s", moving, model, said)
		index(t, home, cache, folder)
		foundOnce(t, files, home, cache)
		check(t, home, cache)
		if st := status(t, home, cache); st.Files != files || len(st.Folders) != map[string]int{"new": 1}[model] || len(st.Folders) == 1 && (st.Folders[0].To != "" || st.Folders[0].Files != files*3/4) {
			t.Fatalf("%+v", st)
		}
	}
	if after := meant(t, home, cache); strings.Fields(after)[0] != strings.Fields(before)[0] {
		t.Errorf("at the end searches say\n%s\nand said\n%s", after, before)
	}
	if left, err := filepath.Glob(filepath.Join(home, "index", "index.folders.*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// killsOfMoves kills runs of dowse index while a folder moves, and counts those in whose middle
// a kill fell. A move that ended before any did is begun again.
func killsOfMoves(t *testing.T, rng *rand.Rand, kills, files int, home, cache string, again func()) (moving int, said string) {
	t.Helper()
	const shortest, most = 60 * time.Millisecond, 60
	span, done := shortest, 0
	for n := 0; n < kills || moving == 0 && n < most; n++ {
		cmd := dowse(home, cache, "index")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		testwait.Moment(20*time.Millisecond + time.Duration(rng.Int64N(int64(span))))
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		st := status(t, home, cache)
		if check(t, home, cache); st.Files != files {
			t.Fatalf("after a kill the status counts %d files: %+v", st.Files, st.Folders)
		}
		foundOnce(t, files, home, cache)
		if len(st.Folders) == 0 || st.Folders[0].To == "" {
			if moving > 0 {
				break
			}
			again()
			span, done = max(shortest, span/2), 0
			continue
		}
		if st.Folders[0].Done == done {
			span += span / 2
		}
		if done = st.Folders[0].Done; done > 0 {
			moving, said = moving+1, st.Folders[0].String()
		}
	}
	return moving, said
}

// foundOnce asks for all notes and more, and holds that each is there once.
func foundOnce(t *testing.T, files int, home, cache string) {
	t.Helper()
	out, err := dowse(home, cache, "-q", "ext:md", "--json", "-k", fmt.Sprint(files+200)).Output()
	var r engine.Result
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		t.Fatalf("%.200s, %v", out, err)
	}
	found := map[string]int{}
	for _, p := range r.Passages {
		found[p.Path]++
	}
	if len(found) != files || len(r.Passages) != files {
		t.Fatalf("%d notes are found by %d passages, want %d", len(found), len(r.Passages), files)
	}
}

// realDir is a new folder without links on the way to it.
func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestModelOfAFolder is what people are told of a folder's own embedder.
func TestModelOfAFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("one command after the other: nothing for the race detector")
	}
	home, cache, folder := t.TempDir(), t.TempDir(), realDir(t)
	own := filepath.Join(folder, "letters")
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	writeNotes(t, rand.New(rand.NewPCG(1, 0)), own, 0, 3)
	writeNotes(t, rand.New(rand.NewPCG(1, 0)), folder, 3, 5)
	addEmbedder(t, home, cache, "old", "")
	addEmbedder(t, home, cache, "new", `{"prompts": {"query": "q: ", "document": "p: "}}`)
	settings := filepath.Join(home, "config.toml")
	if err := errors.Join(config.UseModel(settings, "old"), config.UseReranker(settings, config.NoReranker)); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ args, says string }{
		{"models use new --folder " + own, "new is chosen for " + own + "; dowse index DIR builds an index with it"},
		{"index " + folder, "5 files"},
		{"status", own + "  new\n"},
		{"models use new --folder " + own, "new is chosen for " + own + ", which has it"},
		{"models use default --folder " + own, "dowse index, dowse watch and the screen move its passages; searches use new until then"},
		{"status", own + "  new, moving to old: 0 of 7 passages"},
		{"models use new --folder " + own, "which has it"},
		{"doctor", own + ": new, "},
		{"models use none --folder " + own, "the model none is not installed"},
		{"models use new --folder " + own + "/none", "there is no folder"},
		{"models use new --as embedder --folder " + own, "do not go together"},
		{"models use dowse-rerank-6 --folder " + own, "dowse-rerank-6 is a reranker; a folder gets an embedder of its own"},
		{"models use default --folder " + folder, "the settings give it no model of its own"},
		{"models remove new", ""},
		{"-q heron", "is built with the model new, which is not installed"},
		{"status", "by words alone; the index of " + own},
		{"index", "the model new is not installed"},
		{"models use default --folder " + own, "searches use words alone until then"},
		{"index", "5 files"},
		{"models use default --folder " + own, "the settings give it no model of its own"},
	} {
		out, err := dowse(home, cache, strings.Fields(step.args)...).CombinedOutput()
		if !strings.Contains(string(out), step.says) {
			t.Errorf("dowse %s: %v\n%s\nwant %q", step.args, err, out, step.says)
		}
	}
}
