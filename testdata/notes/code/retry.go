// Package retry is the snippet that I copy from project to project.
//
// Things learnt the hard way:
//   - without jitter all clients come back in the same second;
//   - never retry what is not idempotent (see the double mails of February);
//   - a context that is already over must not cost one more sleep.
package retry

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Permanent wraps an error that no repetition will cure, such as a refused
// password.
type Permanent struct{ Err error }

func (p Permanent) Error() string { return p.Err.Error() }
func (p Permanent) Unwrap() error { return p.Err }

// Policy says how long to be patient.
type Policy struct {
	Attempts int           // tries in all, at least 1
	First    time.Duration // pause after the first failure
	Longest  time.Duration // no pause is longer
}

// Default waits about six seconds in all.
var Default = Policy{Attempts: 6, First: 100 * time.Millisecond, Longest: 3 * time.Second}

// Do calls f until it succeeds, fails permanently, or patience or ctx ends.
// The pause doubles each time and is then drawn evenly from its upper half,
// so that a crowd that failed together does not return together.
func (p Policy) Do(ctx context.Context, f func(context.Context) error) error {
	pause := p.First
	for attempt := 1; ; attempt++ {
		err := f(ctx)
		if err == nil {
			return nil
		}
		var permanent Permanent
		if errors.As(err, &permanent) {
			return permanent.Err
		}
		if attempt >= p.Attempts {
			return fmt.Errorf("gave up after %d attempts: %w", attempt, err)
		}
		if err := sleep(ctx, pause/2+rand.N(pause/2+1)); err != nil {
			return err
		}
		pause = min(pause*2, p.Longest)
	}
}

// sleep returns early, with the reason, when ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
