package pressure

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"dowse/internal/testwait"
)

// Work waits on battery at once, under load after a while, and goes on when both are over for a while.
func TestCalm(t *testing.T) {
	c := &Calm{Battery: true, Load: .6}
	for n, step := range []struct {
		reading
		why string
	}{
		{reading{false, .9}, ""}, {reading{false, .9}, ""}, {reading{false, .9}, "90% of the processors"}, {reading{false, .5}, "50%"}, {reading{false, .1}, "50%"},
		{reading{false, .1}, "50%"}, {reading{false, .1}, ""}, {reading{true, 0}, "on its battery"}, {reading{true, .9}, "on its battery"}, {reading{false, 0}, "on its battery"},
		{reading{false, 0}, "on its battery"}, {reading{false, 0}, ""}, {reading{false, .9}, ""}, {reading{false, .1}, ""},
	} {
		c.decide(step.reading)
		if got := c.Why(); step.why == "" && got != "" || !strings.Contains(got, step.why) {
			t.Errorf("step %d: %q, want %q", n, got, step.why)
		}
	}
	never := &Calm{}
	never.decide(reading{true, 1})
	if never.Why() != "" || never.Wait(t.Context()) != nil || (*Calm)(nil).Wait(t.Context()) != nil {
		t.Error(never.Why())
	}
}

func TestCalmWaits(t *testing.T) {
	c := &Calm{Battery: true}
	c.decide(reading{onBattery: true})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait(t.Context()) }()
	testwait.Moment(5 * time.Millisecond)
	select {
	case err := <-done:
		t.Fatal("it did not wait", err)
	default:
	}
	c.note("")
	if err := <-done; err != nil {
		t.Error(err)
	}
}
