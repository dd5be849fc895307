package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"dowse/engine"
)

// dowse is a command of the program under test in a home of its own.
func dowse(home, cache string, args ...string) *exec.Cmd {
	cmd := exec.Command("dowse", args...)
	cmd.Env = append(os.Environ(), "DOWSE_HOME="+home, "XDG_CACHE_HOME="+cache)
	return cmd
}

// TestKillWhileIndexing ends dowse index by SIGKILL at random moments: each
// time the index is sound, nothing that was committed is missing, and the next
// run goes on from there. It begins anew whenever everything is indexed.
func TestKillWhileIndexing(t *testing.T) {
	cache := userCache(t)
	const seed = 31
	kills := 50
	if testing.Short() {
		kills = 5
	}
	t.Logf("seed %d, %d kills", seed, kills)
	rng := rand.New(rand.NewPCG(seed, 0))
	const files = 1500
	folder := t.TempDir()
	for i := range files {
		text := fmt.Sprintf("# Note %d\n\nThe heron number %d stood in the reeds of lake %d.\n", i, i, rng.IntN(1000))
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("n%04d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	home, kept, partial := t.TempDir(), 0, 0
	for range kills {
		cmd := dowse(home, cache, "index", folder)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+rng.IntN(600)) * time.Millisecond)
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		if _, err := os.Stat(filepath.Join(home, "index", "index.db")); err != nil {
			continue // killed before anything was written
		}
		var report engine.CheckReport
		out, err := dowse(home, cache, "check", "--json").Output()
		if err == nil {
			err = json.Unmarshal(out, &report)
		}
		if err != nil || report.Problems != 0 || report.Files < kept {
			t.Fatalf("after a kill: %s, %v; %d files had been committed", out, err, kept)
		}
		if kept = report.Files; kept > 0 && kept < files {
			partial++
		}
		if kept == files {
			home, kept = t.TempDir(), 0
		}
	}
	t.Logf("%d kills left an index in the middle", partial)
	if partial == 0 {
		t.Error("no kill fell into indexing: the test shows nothing")
	}
	var report engine.IndexReport
	out, err := dowse(home, cache, "index", "--json", folder).Output()
	if err == nil {
		err = json.Unmarshal(out, &report)
	}
	if err != nil || report.Files != files || report.Added != files-kept {
		t.Errorf("the run after the kills: %s, %v; %d were kept", out, err, kept)
	}
}
