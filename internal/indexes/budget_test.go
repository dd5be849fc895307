package indexes

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/memory"
	"dowse/engine/search"
	"dowse/internal/pressure"
	"dowse/internal/testcache"
	"dowse/store"
)

// followed is a stack whose budget follows signals.
type followed struct {
	*Stack
	t            *testing.T
	full, shared int64
	asked        chan bool
	events       <-chan engine.Event
	stop         func()
	ended        chan struct{}
}

func newFollowed(t *testing.T) *followed {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", testcache.Dir(t))
	t.Setenv("DOWSE_HOME", t.TempDir())
	a := newOpener(t)
	a.Config.Memory, a.Config.Threads = 512<<20, 2
	f := &followed{
		Stack: openWritable(t, a, &memory.Ledger{}), t: t, asked: make(chan bool), ended: make(chan struct{}),
	}
	arbiter := f.Models.Memory
	f.full, f.shared = arbiter.Budget(), arbiter.Shared()
	ctx, stop := context.WithCancel(t.Context())
	f.stop = stop
	var err error
	if f.events, err = f.Subscribe(ctx); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(f.ended)
		f.FollowMemory(ctx, pressure.Changes{Asked: f.asked})
	}()
	t.Cleanup(func() { stop(); <-f.ended })
	return f
}

// said waits for what is said next.
func (f *followed) said(part string) {
	f.t.Helper()
	for e := range f.events {
		if e.Problem != "" {
			if !strings.Contains(e.Problem, part) {
				f.t.Errorf("said %q, not %q", e.Problem, part)
			}
			return
		}
	}
}

// is compares the budget.
func (f *followed) is(halvings int) {
	f.t.Helper()
	if got, want := f.Models.Memory.Budget(), f.full-f.shared+f.shared>>halvings; got != want {
		f.t.Errorf("the budget is %d, %d is wanted", got, want)
	}
}

// change calls the service.
func (f *followed) change(by engine.BudgetChange, halvings int) *engine.BudgetStep {
	f.t.Helper()
	b, err := f.ChangeBudget(f.t.Context(), by)
	if err != nil || b.Bytes != f.Models.Memory.Budget() || b.Full != f.full {
		f.t.Fatalf("%+v, %v", b, err)
	}
	f.is(halvings)
	return b
}

// A call of the service changes the budget by halves, up to the settings' own; a signal
// takes back what a key took.
func TestChangeBudget(t *testing.T) {
	f := newFollowed(t)
	if b := f.change(engine.RaiseBudget, 0); b.Changed() {
		t.Errorf("raised above the settings: %+v", b)
	}
	f.change(engine.LowerBudget, 1)
	if b := f.change(engine.LowerBudget, 2); !b.Changed() || b.Before <= b.Bytes {
		t.Errorf("%+v", b)
	}
	f.change(engine.RaiseBudget, 1)
	if _, err := f.ChangeBudget(t.Context(), "more"); !errors.Is(err, engine.ErrBudgetChange) {
		t.Errorf("a change that there is none of: %v", err)
	}
	f.asked <- false
	f.said("as the signal asked")
	f.is(0)
}

// openWritable opens an index that is written to, and counts what it holds.
func openWritable(t *testing.T, op *Opener, ledger *memory.Ledger) *Stack {
	t.Helper()
	m, err := op.OpenModels(ledger)
	if err != nil {
		t.Fatal(err)
	}
	db, err := op.openIndex(store.Options{Fingerprint: Fingerprint(m.Embedder.Fingerprint())})
	if err != nil {
		t.Fatal(err, m.Close())
	}
	s := op.Assemble(db, m, ledger, false, search.Options{})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
