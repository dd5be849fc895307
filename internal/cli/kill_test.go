package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/leann"
	"dowse/internal/testcache"
	"dowse/internal/testwait"
)

// dowse is a command of the program under test in a home of its own.
func dowse(home, cache string, args ...string) *exec.Cmd {
	cmd := exec.Command("dowse", args...)
	cmd.Env = append(os.Environ(), "DOWSE_HOME="+home, "XDG_CACHE_HOME="+cache)
	return cmd
}

// killsVariable sets how often the tests kill, for runs longer than usual.
const killsVariable = "DOWSE_TEST_KILLS"

func killCount(t *testing.T, usual int) int {
	t.Helper()
	value := os.Getenv(killsVariable)
	if value == "" {
		return usual
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		t.Fatalf("%s: %v", killsVariable, err)
	}
	return n
}

// writeNotes writes notes with numbers from from to to-1, each a chunk of new
// text.
func writeNotes(t *testing.T, rng *rand.Rand, folder string, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		text := fmt.Sprintf("# Note %d\n\nThe heron number %d stood in the reeds of lake %d.\n", i, i, rng.IntN(1_000_000))
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("n%04d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKillWhileIndexing ends dowse index by SIGKILL at random moments: each
// time the index is sound, nothing that was committed is missing, and the next
// run goes on from there. It begins anew whenever everything is indexed.
func TestKillWhileIndexing(t *testing.T) {
	cache := testcache.Dir(t)
	const seed, files = 31, 1500
	kills := killCount(t, 5)
	if testing.Short() {
		kills = 1
	}
	t.Logf("seed %d, %d kills", seed, kills)
	rng := rand.New(rand.NewPCG(seed, 0))
	folder := t.TempDir()
	writeNotes(t, rng, folder, 0, files)
	home, kept, partial := t.TempDir(), 0, 0
	const shortest, longest = 600 * time.Millisecond, time.Minute
	span := shortest // within which a kill falls; a busy machine needs a longer one
	for n := 0; n < kills || partial == 0 && span < longest; n++ {
		cmd := dowse(home, cache, "index", folder)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		testwait.Moment(20*time.Millisecond + time.Duration(rng.Int64N(int64(span))))
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		if out, err := dowse(home, cache, "check").CombinedOutput(); err != nil && strings.Contains(string(out), "nothing is indexed yet") && kept == 0 {
			span *= 2 // killed before anything was written
			continue
		}
		report := check(t, home, cache)
		if report.Files < kept {
			t.Fatalf("after a kill: %+v; %d files had been committed", report, kept)
		}
		if report.Files == kept {
			span *= 2
		}
		if kept = report.Files; kept > 0 && kept < files {
			partial++
		}
		if kept == files {
			home, kept, span = t.TempDir(), 0, shortest
		}
	}
	t.Logf("%d kills left an index in the middle", partial)
	if partial == 0 {
		t.Error("no kill fell into indexing: the test shows nothing")
	}
	if report := index(t, home, cache, folder); report.Files != files || report.Added != files-kept {
		t.Errorf("the run after the kills: %+v; %d were kept", report, kept)
	}
}

// check is the report of dowse check, which must find nothing wrong.
func check(t *testing.T, home, cache string) (report engine.CheckReport) {
	t.Helper()
	cmd := dowse(home, cache, "check", "--json")
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &report)
	}
	if err != nil || report.Problems != 0 {
		t.Fatalf("after a kill: %s, %v, %s", out, err, &said)
	}
	return report
}

// index is the report of a whole run of dowse index.
func index(t *testing.T, home, cache, folder string) (report engine.IndexReport) {
	t.Helper()
	out, err := dowse(home, cache, "index", "--json", folder).Output()
	if err == nil {
		err = json.Unmarshal(out, &report)
	}
	if err != nil {
		t.Fatalf("dowse index: %s, %v", out, err)
	}
	return report
}

// TestKillWhileQuantizing edits a part of an index that is large enough for its
// vectors to become codes, and ends dowse index by SIGKILL at random moments
// from when it has committed the edits on: in linking, quantizing, merging or
// vacuuming. Each time the index is sound, and the next run has nothing to
// embed.
func TestKillWhileQuantizing(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes: the plain run does it")
	}
	cache := testcache.Dir(t)
	const seed, files, edited = 37, leann.MinChunks + 100, 60
	kills := killCount(t, 6)
	t.Logf("seed %d, %d kills", seed, kills)
	rng := rand.New(rand.NewPCG(seed, 0))
	folder, home := t.TempDir(), t.TempDir()
	writeNotes(t, rng, folder, 0, files)
	if report := index(t, home, cache, folder); report.Chunks < files {
		t.Fatalf("%d chunks are not enough to be quantized", report.Chunks)
	}
	edit := func() {
		first := rng.IntN(files - edited)
		writeNotes(t, rng, folder, first, first+edited)
	}
	vacuum := filepath.Join(home, "index", "index.db.compact")
	longest, unquantized, vacuuming := 50*time.Millisecond, 0, 0
	// Where a kill falls is chance: more are tried until both kinds came.
	n := 0
	for ; n < kills || (unquantized == 0 || vacuuming == 0) && n < 60; n++ {
		edit()
		pause := time.Duration(rng.Int64N(int64(longest)))
		wait := func(ended <-chan struct{}) { sleep(ended, pause) }
		if n%2 == 1 {
			wait = func(ended <-chan struct{}) { sleepUntil(ended, vacuum) }
		}
		longest = max(longest, killWhileTidying(t, dowse(home, cache, "index", folder), wait))
		if _, err := os.Stat(vacuum); err == nil {
			vacuuming++
		}
		if report := check(t, home, cache); report.Files != files || report.Chunks < files {
			t.Fatalf("after a kill: %+v", report)
		}
		if status(t, home, cache).Bytes["vectors"] > 0 {
			unquantized++
		}
	}
	t.Logf("%d of %d kills came before vectors had become codes, %d while vacuuming", unquantized, n, vacuuming)
	if unquantized == 0 || vacuuming == 0 {
		t.Error("no kill fell into quantizing, or none into vacuuming: the test shows little")
	}
	if report := index(t, home, cache, folder); report.Embedded != 0 || report.Files != files {
		t.Errorf("the run after the kills: %+v", report)
	}
	check(t, home, cache)
	st := status(t, home, cache)
	if n := st.Bytes["vectors"]; n > 0 {
		t.Errorf("%d bytes of vectors are left", n)
	}
	if st.Graph == nil || st.Graph.Nodes != st.Chunks {
		t.Errorf("%d chunks, graph %+v", st.Chunks, st.Graph)
	}
	if _, err := os.Stat(vacuum); err == nil {
		t.Errorf("%s is still there", vacuum)
	}
}

// killWhileTidying runs dowse index and kills it once wait returns, which is
// called when it begins to tidy. It returns how long that went on.
func killWhileTidying(t *testing.T, cmd *exec.Cmd, wait func(ended <-chan struct{})) time.Duration {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var began time.Time
	var killer sync.WaitGroup
	ended := make(chan struct{})
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if began.IsZero() && strings.Contains(lines.Text(), "tidying") {
			began = time.Now()
			killer.Go(func() {
				wait(ended)
				_ = cmd.Process.Kill() // it may have ended
			})
		}
	}
	close(ended)
	killer.Wait()
	took := time.Since(began)
	if err := cmd.Wait(); began.IsZero() {
		t.Fatalf("dowse index did not tidy: %v", err)
	}
	return took
}

// sleep waits for a while, but not beyond the end of the process.
func sleep(ended <-chan struct{}, d time.Duration) {
	select {
	case <-ended:
	case <-time.After(d):
	}
}

// sleepUntil waits for a file to be there.
func sleepUntil(ended <-chan struct{}, path string) {
	for {
		if _, err := os.Stat(path); err == nil {
			return
		}
		select {
		case <-ended:
			return
		case <-time.After(time.Millisecond / 2):
		}
	}
}

// status is what dowse status says.
func status(t *testing.T, home, cache string) (st engine.Status) {
	t.Helper()
	out, err := dowse(home, cache, "status", "--json").Output()
	if err == nil {
		err = json.Unmarshal(out, &st)
	}
	if err != nil {
		t.Fatalf("dowse status: %s, %v", out, err)
	}
	return st
}
