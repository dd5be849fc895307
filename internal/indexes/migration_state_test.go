package indexes

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestMigrationState: a choice ends the change to another model, and no other; what ended a
// change is known until the next one begins; who was shown one is told once that it was
// taken back.
func TestMigrationState(t *testing.T) {
	c := &migrationState{wanted: "new"}
	to, inside, end := c.begin(t.Context())
	if c.want("new"); to != "new" || inside.Err() != nil || c.takenBack() {
		t.Errorf("the same choice ends the change to %s", to)
	}
	c.show(&progress{})
	if c.want("old"); !errors.Is(inside.Err(), context.Canceled) || !end(inside.Err()) || c.problem != "" || c.progress != nil {
		t.Errorf("another choice: %v, %q", inside.Err(), c.problem)
	}
	if !c.takenBack() || c.takenBack() {
		t.Error("subscribers are not told once")
	}
	_, _, end = c.begin(t.Context())
	if end(errors.New("no room")) || c.problem != "no room" {
		t.Errorf("after a failure: %q", c.problem)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, inside, end = c.begin(ctx)
	cancel()
	if end(inside.Err()) || c.problem != "" {
		t.Errorf("who ends the process has no problem: %q", c.problem)
	}
}

func TestRemaining(t *testing.T) {
	for _, c := range []struct {
		elapsed    time.Duration
		done, left int
		want       float64
	}{
		{time.Second, 10, 10, 0}, {10 * time.Second, 0, 10, 0}, {10 * time.Second, 10, 0, 0}, {10 * time.Second, 100, 300, 30},
	} {
		if got := remaining(c.elapsed, c.done, c.left); got != c.want {
			t.Errorf("%d done in %v, %d left: %v s, want %v", c.done, c.elapsed, c.left, got, c.want)
		}
	}
}
