package testwait_test

import (
	"testing"
	"testing/synctest"
	"time"

	"dowse/internal/testwait"
)

// TestForEndsWithTheConditionOrTheLimit, whichever comes first.
func TestForEndsWithTheConditionOrTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		if !testwait.For(time.Hour, func() bool { return time.Since(begun) >= time.Minute }) || time.Since(begun) > time.Minute+time.Second {
			t.Errorf("a condition of a minute took %v", time.Since(begun))
		}
		begun = time.Now()
		if testwait.For(time.Minute, func() bool { return false }) || time.Since(begun) > time.Minute+time.Second {
			t.Errorf("a limit of a minute took %v", time.Since(begun))
		}
	})
}
