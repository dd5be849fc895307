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
	"dowse/models/modeltest"
)

// TestKillWhileChangingTheModel ends the change of an index to another embedder by SIGKILL
// at random moments: each time what is searched is sound and says what it said before, or,
// once the other one has taken its place, what that says; the next run goes on with what
// was done; and nothing is lost.
func TestKillWhileChangingTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes: the plain run does it")
	}
	const seed, files = 41, 800
	kills := killCount(t, 5)
	t.Logf("seed %d, %d kills", seed, kills)
	rng := rand.New(rand.NewPCG(seed, 0))
	home, cache, folder := t.TempDir(), t.TempDir(), t.TempDir()
	writeNotes(t, rng, folder, 0, files)
	addEmbedder(t, home, cache, "old", "")
	addEmbedder(t, home, cache, "new", `{"prompts": {"query": "q: ", "document": "p: "}}`)
	settings := filepath.Join(home, "config.toml")
	if err := errors.Join(config.UseModel(settings, "old"), config.UseReranker(settings, config.NoReranker)); err != nil {
		t.Fatal(err)
	}
	index(t, home, cache, folder)
	before := meant(t, home, cache)
	if err := config.UseModel(settings, "new"); err != nil {
		t.Fatal(err)
	}
	const shortest, longest = 60 * time.Millisecond, time.Minute
	span := shortest // within which a kill falls: it begins short, since a fast machine is done soon
	done, middle := 0, 0
	for n := 0; n < kills || middle == 0 && span < longest && n < 40; n++ {
		cmd := dowse(home, cache, "index")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if middle == 0 && n%2 == 1 { // however fast the machine is, one kill falls into the change
			awaitChanged(t, home, cache, done)
		} else {
			testwait.Moment(20*time.Millisecond + time.Duration(rng.Int64N(int64(span))))
		}
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		st := status(t, home, cache)
		if check(t, home, cache); st.Files != files {
			t.Fatalf("after a kill %d files are left", st.Files)
		}
		if st.Model == "new" {
			if middle > 0 {
				break
			}
			// It was over before a kill fell into it: it begins again.
			before, done, span = changedBack(t, home, cache, folder), 0, shortest
			continue
		}
		if st.Model != "old" || st.Change == nil || st.Change.To != "new" || st.Change.Done < done {
			t.Fatalf("after a kill: %s, %+v; %d passages were done", st.Model, st.Change, done)
		}
		if said := meant(t, home, cache); said != before {
			t.Fatalf("after a kill searches say\n%s\nand said\n%s", said, before)
		}
		if st.Change.Done == done {
			span += span / 2
		}
		if done = st.Change.Done; done > 0 {
			middle++ // or, on a fast machine, behind the last passage and ahead of the exchange
		}
	}
	t.Logf("%d kills left a change in the middle, the last one behind %d passages", middle, done)
	if middle == 0 {
		t.Error("no kill fell into the change: the test shows nothing")
	}
	st, report := status(t, home, cache), index(t, home, cache, folder)
	if left := report.Chunks - done; st.Model == "old" && report.Embedded > left || report.Files != files {
		t.Errorf("the run after the kills: %+v, where %d passages were left", report, left)
	}
	check(t, home, cache)
	after := meant(t, home, cache)
	if st = status(t, home, cache); st.Model != "new" || st.Change != nil || st.Files != files || after == before {
		t.Errorf("%+v\n%s", st, after)
	}
	if left, err := filepath.Glob(filepath.Join(home, "index", "index.db.next*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	builtAtOnce(t, home, cache, folder, after)
}

// builtAtOnce builds the index anew, whose vectors must be the same. Codes depend on the order in which
// passages came, so that of those nearly as close another one may be recomputed: the best decides.
func builtAtOnce(t *testing.T, home, cache, folder, after string) {
	t.Helper()
	if err := os.Remove(filepath.Join(home, "index", "index.db")); err != nil {
		t.Fatal(err)
	}
	index(t, home, cache, folder)
	if at := meant(t, home, cache); strings.Fields(at)[0] != strings.Fields(after)[0] {
		t.Errorf("built at once it says\n%s\nand after the kills\n%s", at, after)
	}
}

// changedBack gives the index its old embedder, returns what searches say by it, and chooses the new one again.
func changedBack(t *testing.T, home, cache, folder string) (said string) {
	t.Helper()
	settings := filepath.Join(home, "config.toml")
	if err := config.UseModel(settings, "old"); err != nil {
		t.Fatal(err)
	}
	index(t, home, cache, folder)
	said = meant(t, home, cache)
	if err := config.UseModel(settings, "new"); err != nil {
		t.Fatal(err)
	}
	return said
}

// awaitChanged waits for the change to get further than some passages, or to its end.
func awaitChanged(t *testing.T, home, cache string, done int) {
	t.Helper()
	testwait.Until(t, "the change does not go on", func() bool {
		st := status(t, home, cache)
		return st.Model == "new" || st.Change != nil && st.Change.Done > done
	})
}

// addEmbedder installs a small embedder in a home.
func addEmbedder(t *testing.T, home, cache, name, prompts string) {
	t.Helper()
	folder := t.TempDir()
	if err := modeltest.WriteEmbedder(folder, prompts); err != nil {
		t.Fatal(err)
	}
	if out, err := dowse(home, cache, "models", "add", name, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}
}

// meant is what a search by meaning says.
func meant(t *testing.T, home, cache string) string {
	t.Helper()
	out, err := dowse(home, cache, "-q", "the heron of the lake", "--json", "-k", "5", "--mode", "vector").Output()
	var r engine.Result
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil || len(r.Passages) != 5 {
		t.Fatalf("%s, %v", out, err)
	}
	var said strings.Builder
	for _, p := range r.Passages {
		fmt.Fprintf(&said, "%.5f ", p.VectorScore)
	}
	return said.String()
}
