package bench

import (
	"context"
	"errors"
	"testing"
	"time"
)

// idle is a policy that does nothing, but counts and waits as it is told.
type idle struct {
	waits, works time.Duration
	did          moved
	broken       error
	removed      int
}

func (p *idle) bring(context.Context, call) (time.Duration, error) {
	p.did.Read += 10
	return p.waits, p.broken
}

func (p *idle) leave(context.Context, call) error {
	if p.works > 0 {
		<-time.After(p.works)
	}
	return nil
}

func (p *idle) remove(context.Context, int) error {
	p.removed++
	return nil
}

func (p *idle) extend(call) error { return nil }
func (p *idle) check(call) error  { return nil }
func (p *idle) counts() moved     { return p.did }
func (p *idle) close() error      { return nil }

// Histories and beginnings are no switches; what a slow disk takes longer counts.
func TestRunner(t *testing.T) {
	p := &idle{waits: 20 * time.Second}
	m := &made{seconds: []float64{0, 64, 128}}
	r := &runner{policy: p, made: []*made{m, m}}
	if err := r.begin(t.Context(), &trace{histories: []int{8, 8}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []call{{before: 8, delta: 8}, {fresh: true, delta: 8}, {conversation: 1, before: 8, delta: 24}} {
		if err := r.turn(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	row, err := r.finish()
	if err != nil || row.Switches != 2 || row.Read != 30 || p.removed != 1 {
		t.Errorf("%+v, %d removed, %v; want 2 switches of 3 calls, each of 10 bytes", row, p.removed, err)
	}
	if row.Mean < 20e3 || row.P95 < row.Mean || row.Under25 != 0 {
		t.Errorf("%+v, want 20 s a switch", row)
	}
	if question := row.Whole - row.Mean; question < 15.9e3 || question > 16.1e3 { // 8 and 24 tokens, a second each
		t.Errorf("questions take %g ms in the mean, want 16,000", question)
	}
	p.broken = errors.New("broken")
	if err := r.turn(t.Context(), call{before: 8}); !errors.Is(err, p.broken) {
		t.Errorf("%v", err)
	}
}

// Work in the background is waited for as far as the pause has no time for it.
func TestRunnerWaitsForWork(t *testing.T) {
	for pause, want := range map[time.Duration]float64{0: 3e3, time.Second: 2e3, time.Minute: 0} {
		r := &runner{policy: &idle{works: time.Microsecond}, made: []*made{{seconds: []float64{0}}}, owed: 3 * time.Second}
		if err := r.turn(t.Context(), call{before: 8, pause: pause}); err != nil || r.owed <= 0 {
			t.Fatalf("%v are owed, %v", r.owed, err)
		}
		if got := r.row.latencies[0]; got < want || got > want+1e3 {
			t.Errorf("after a pause of %v a switch took %g ms, want %g and little more", pause, got, want)
		}
	}
}

// Times between two looks at the clock are interpolated.
func TestComputing(t *testing.T) {
	m := &made{seconds: []float64{0, 1, 3}}
	for tokens, want := range map[int]time.Duration{0: 0, madeStep / 2: time.Second / 2, madeStep: time.Second, 3 * madeStep / 2: 2 * time.Second, 2 * madeStep: 3 * time.Second} {
		if got := m.computing(0, tokens); got != want {
			t.Errorf("%d tokens take %v, want %v", tokens, got, want)
		}
	}
	if got := m.computing(madeStep, 2*madeStep); got != 2*time.Second {
		t.Errorf("the second half takes %v, want 2 s", got)
	}
}
