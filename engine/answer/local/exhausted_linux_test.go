package local

import (
	"flag"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/internal/testanswer"
)

var exhausting = flag.Bool("exhausting", false, "be the process of TestMemoryEndsHalfWay that runs out of memory")

// TestMemoryEndsHalfWay: where the system gives no more memory while a model is at work, the
// quotation stands, with the reason and what to do. Another process runs out of it.
func TestMemoryEndsHalfWay(t *testing.T) {
	if *exhausting {
		requireQuotedWithoutMemory(t)
		return
	}
	if testing.Short() {
		t.Skip("the race detector maps memory as it goes")
	}
	said, err := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-exhausting").CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, said)
	}
}

// requireQuotedWithoutMemory asks, and lets no more memory be mapped once the model reads.
// Collecting garbage might start threads, which need some too.
func requireQuotedWithoutMemory(t *testing.T) {
	a, _ := newModelAnswerer(t, install(t, testanswer.WriterFiles(t)))
	a.extract = answer.NewExtractor(testanswer.GrepSentence)
	var usual syscall.Rlimit
	if err := syscall.Getrlimit(unix.RLIMIT_AS, &usual); err != nil {
		t.Fatal(err)
	}
	debug.SetGCPercent(-1)
	job, shown := grepJob(), 0
	job.Observe = func(engine.Answer) {
		if shown++; shown == 2 {
			if err := syscall.Setrlimit(unix.RLIMIT_AS, &syscall.Rlimit{Cur: 1 << 20, Max: usual.Max}); err != nil {
				t.Error(err)
			}
		}
	}
	said, err := a.Answer(t.Context(), job)
	if err := syscall.Setrlimit(unix.RLIMIT_AS, &usual); err != nil {
		t.Fatal(err)
	}
	if err != nil || said.How != engine.Extracted || !strings.HasPrefix(said.Text, "Ken Thompson wrote grep overnight. [1]") {
		t.Fatalf("%+v, %v", said, err)
	}
	for _, want := range []string{"without the model", "cannot allocate memory", "close other programs", "dowse models use extract"} {
		if !strings.Contains(said.Problem, want) {
			t.Errorf("said %q, want %q in it", said.Problem, want)
		}
	}
}
