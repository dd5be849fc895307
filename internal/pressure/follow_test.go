package pressure

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dowse/engine/memory"
)

// TestFollow: signals and pressure change the budget of models, each on its own, and say so;
// a file of pressure that is gone ends the reading and nothing else.
func TestFollow(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.pressure")
	asked, ticks, told := make(chan bool), make(chan time.Time), make(chan string, 1)
	arbiter := memory.NewArbiter(512 << 20)
	full, shared := arbiter.Budget(), arbiter.Shared()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Follow(ctx, memory.NewLimiter(arbiter), Changes{Asked: asked, File: file, Ticks: ticks}, func(s string) { told <- s })
	}()
	t.Cleanup(func() { stop(); <-ended })
	read := func(percent string, times int) {
		t.Helper()
		if err := os.WriteFile(file, []byte("some avg10="+percent+" avg60=0 avg300=0 total=1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for range times {
			ticks <- time.Time{}
		}
	}
	expect := func(part string, halvings int) {
		t.Helper()
		if said := <-told; !strings.Contains(said, part) {
			t.Errorf("said %q, not %q", said, part)
		}
		if got, want := arbiter.Budget(), full-shared+shared>>halvings; got != want {
			t.Errorf("the budget is %d, %d is wanted", got, want)
		}
	}
	asked <- true
	expect("as the signal asked", 1)
	read("40.0", pressedFor)
	expect("waited for memory 40% of the time", 2)
	asked <- false
	expect("as the signal asked", 1)
	read("0.00", restFor+relievedFor)
	expect("waited for memory 0% of the time", 0)
	asked <- false
	expect("cannot be changed further", 0)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	ticks <- time.Time{}
	asked <- true
	expect("as the signal asked", 1)
}
