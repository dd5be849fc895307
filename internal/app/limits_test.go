package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/memory"
	"dowse/internal/testcache"
)

// TestFollowMemory: signals and pressure change the budget of models, each on its own, and
// say so; a file of pressure that is gone ends the reading and nothing else.
func TestFollowMemory(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", testcache.Dir(t))
	t.Setenv("DOWSE_HOME", t.TempDir())
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	a.Config.Memory, a.Config.Threads = 512<<20, 2
	s := openWritable(t, a, &memory.Ledger{})
	file := filepath.Join(t.TempDir(), "memory.pressure")
	pressure := func(percent string) {
		t.Helper()
		if err := os.WriteFile(file, []byte("some avg10="+percent+" avg60=0 avg300=0 total=1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	events, err := s.Subscribe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	said := func(part string) {
		t.Helper()
		for e := range events {
			if e.Problem != "" {
				if !strings.Contains(e.Problem, part) {
					t.Errorf("said %q, not %q", e.Problem, part)
				}
				return
			}
		}
	}
	asked, ticks, ended := make(chan bool), make(chan time.Time), make(chan struct{})
	go func() {
		defer close(ended)
		s.FollowMemory(ctx, MemoryChanges{Asked: asked, Pressure: file, Ticks: ticks})
	}()
	arbiter := s.Models.Memory
	full, shared := arbiter.Budget(), arbiter.Shared()
	is := func(halvings int) {
		t.Helper()
		if got, want := arbiter.Budget(), full-shared+shared>>halvings; got != want {
			t.Errorf("the budget is %d, %d is wanted", got, want)
		}
	}
	asked <- true
	said("as the signal asked")
	is(1)
	pressure("40.0")
	for range pressedFor {
		ticks <- time.Time{}
	}
	said("waited for memory 40% of the time")
	is(2)
	asked <- false
	said("as the signal asked")
	is(1)
	pressure("0.00")
	for range pressureRest + relievedFor {
		ticks <- time.Time{}
	}
	said("waited for memory 0% of the time")
	is(0)
	asked <- false
	said("cannot be changed further")
	change := func(by engine.BudgetChange, halvings int) *engine.BudgetStep {
		t.Helper()
		b, err := s.ChangeBudget(ctx, by)
		if err != nil || b.Bytes != arbiter.Budget() || b.Full != full {
			t.Fatalf("%+v, %v", b, err)
		}
		is(halvings)
		return b
	}
	if b := change(engine.RaiseBudget, 0); b.Changed() {
		t.Errorf("raised above the settings: %+v", b)
	}
	change(engine.LowerBudget, 1)
	if b := change(engine.LowerBudget, 2); !b.Changed() || b.Before <= b.Bytes {
		t.Errorf("%+v", b)
	}
	change(engine.RaiseBudget, 1)
	if _, err := s.ChangeBudget(ctx, "more"); !errors.Is(err, engine.ErrBudgetChange) {
		t.Errorf("a change that there is none of: %v", err)
	}
	asked <- false // a signal takes back what a key took
	said("as the signal asked")
	is(0)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	ticks <- time.Time{}
	asked <- true
	said("as the signal asked")
	stop()
	<-ended
}
