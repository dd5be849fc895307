package timed

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestDo: what hangs is told of each second and ended by the limit; what ends, or is ended
// by the person, says why itself.
func TestDo(t *testing.T) {
	hang := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	synctest.Test(t, func(t *testing.T) {
		var told []time.Duration
		err := Do(t.Context(), 3500*time.Millisecond, "try again", func(took time.Duration) { told = append(told, took) }, hang)
		if err == nil || !strings.Contains(err.Error(), "not done within 3.5s and was ended: try again") {
			t.Errorf("what hangs: %v", err)
		}
		if !slices.Equal(told, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}) {
			t.Errorf("told %v", told)
		}
		broken := errors.New("broken")
		if err := Do(t.Context(), time.Hour, "", nil, func(context.Context) error { return broken }); !errors.Is(err, broken) {
			t.Errorf("what fails: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		if err := Do(ctx, time.Hour, "", nil, hang); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("what a person ends: %v", err)
		}
	})
}
