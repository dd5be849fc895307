package bench

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary stands in for dowse: asked anything, it answers as dowse does.
func TestMain(m *testing.M) {
	if os.Getenv("BENCH_FAKE_DOWSE") == "" {
		os.Exit(m.Run())
	}
	home := os.Getenv("DOWSE_HOME")
	log, err := os.OpenFile(filepath.Join(home, "..", "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(log, strings.Join(os.Args[1:], " "))
	watching := filepath.Join(home, "watching")
	_, err = os.Stat(watching)
	warm := err == nil
	switch os.Args[1] {
	case "index":
	case "bench":
		fakeExtract(os.Args[1:])
	case "watch":
		if err := os.WriteFile(watching, nil, 0o600); err != nil {
			panic(err)
		}
		ended := make(chan os.Signal, 1)
		signal.Notify(ended, syscall.SIGTERM)
		<-ended
		fmt.Fprintln(log, "ended")
	case "status":
		fmt.Printf(`{"watching": %v, "progress": {"phase": "idle"}, "memory": {"vectors.memo": {"bytes": 7}}}`, warm)
	case "-q":
		if os.Args[2] == "nothing" {
			fmt.Printf(`{"results": [], "stats": {"ms": 1, "recomputed": 0, "warm": %v}}`, warm)
			os.Exit(nothingFound)
		}
		if os.Args[2] == "broken" {
			fmt.Fprintln(os.Stderr, "the index is gone")
			os.Exit(2)
		}
		fmt.Printf(`{"results": [{}], "stats": {"ms": 3, "recomputed": 4, "warm": %v, "rerank": {"active_layers": 60, "full_layers": 120}}}`, warm)
	}
}

// fake makes Ask's program this test, and returns what it was called with.
func fake(t *testing.T, questions ...string) (AskOptions, func() []string) {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Setenv("BENCH_FAKE_DOWSE", "1")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	asked := filepath.Join(t.TempDir(), "questions")
	if err := os.WriteFile(asked, []byte(strings.Join(questions, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return AskOptions{Program: exe, Folder: folder, Queries: 1, Questions: asked, pause: time.Millisecond}, func() []string {
		log, err := os.ReadFile(filepath.Join(folder, "log"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(log)), "\n")
	}
}

func TestEveryWayIsAskedColdAndWarm(t *testing.T) {
	opts, calls := fake(t, "one", "nothing")
	report, err := Ask(t.Context(), opts, silent)
	if err != nil {
		t.Fatal(err)
	}
	for i, way := range askWays {
		row := report.Rows[i]
		for _, times := range []askTimes{row.Cold, row.Warm} {
			if row.Way != way.name || times.Found != 1 || times.Recomputed != 2 || 2*times.Active != times.Full || times.Full == 0 || times.P95 < times.P50 || times.P50 <= 0 {
				t.Errorf("%+v", row)
			}
		}
	}
	log := calls()
	watch := slices.IndexFunc(log, func(line string) bool { return strings.HasPrefix(line, "watch ") })
	asked := func(log []string) (n int) {
		for _, line := range log {
			if strings.HasPrefix(line, "-q ") {
				n++
			}
		}
		return n
	}
	if n := 2 * len(askWays); watch < 0 || asked(log[:watch]) != n || asked(log[watch:]) != n {
		t.Errorf("want %d questions before the watcher and after it starts: %q", n, log)
	}
	if log[len(log)-1] != "ended" {
		t.Errorf("the watcher was not told to end: %q", log)
	}
	left, err := filepath.Glob(filepath.Join(opts.Folder, "dowse-ask-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("the home is still there: %q, %v", left, err)
	}
}

func TestFailureNamesTheQuestionAndTheReason(t *testing.T) {
	opts, _ := fake(t, "broken")
	_, err := Ask(t.Context(), opts, silent)
	if err == nil || !strings.Contains(err.Error(), `"broken"`) || !strings.Contains(err.Error(), "the index is gone") {
		t.Errorf("%v", err)
	}
}

func TestTitlesAreSpreadOverTheNotes(t *testing.T) {
	dir := t.TempDir()
	for i := range 10 {
		text := fmt.Sprintf("# Note %d\n\ntext\n", i)
		if i == 3 {
			text = "no heading\n# later\n"
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := titles(dir, 3)
	if want := []string{"Note 0", "Note 4", "Note 7"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, want %q: %v", got, want, err)
	}
	if _, err := titles(t.TempDir(), 3); err == nil {
		t.Error("a folder without notes has titles")
	}
}
