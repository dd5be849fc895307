package disk

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"dowse/internal/testwait"
)

func TestThrottleTakesAsLongAsASlowDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, began := newThrottle(1000), time.Now()
		done := make(chan error)
		for range 3 {
			go func() { done <- slow.pass(t.Context(), 500) }()
		}
		for i := range 3 {
			if err := <-done; err != nil || time.Since(began) != time.Duration(i+1)*500*time.Millisecond {
				t.Errorf("call %d ends after %v (%v)", i, time.Since(began), err)
			}
		}
		testwait.Moment(time.Hour) // what was not used is not saved up
		began = time.Now()
		if err := slow.pass(t.Context(), 1000); err != nil || time.Since(began) != time.Second {
			t.Errorf("after a rest: %v (%v)", time.Since(began), err)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if err := slow.pass(ctx, 5000); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 2*time.Second {
			t.Errorf("ends with %v after %v", err, time.Since(began))
		}
		var none *throttle
		if err := none.pass(t.Context(), 1<<40); err != nil {
			t.Error(err)
		}
	})
}
