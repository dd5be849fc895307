package testwait

import (
	"testing"
	"time"
)

// Patience is how long a condition may take on a machine that is busy with
// other tests; none takes that long when all is well.
const Patience = time.Minute

// pause lies between two looks.
const pause = time.Millisecond

// Until waits until a condition holds, and ends the test if it does not within
// Patience. What names the condition in the failure. It is for the goroutine of
// the test.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	if !For(Patience, holds) {
		t.Fatalf("after %v: %s", Patience, what)
	}
}

// For waits until a condition holds, but not longer than limit, and says
// whether it does.
func For(limit time.Duration, holds func() bool) bool {
	for deadline := time.Now().Add(limit); !holds(); time.Sleep(pause) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// Moment lets what runs beside go on for a while that the test draws by lot, to
// come upon it there. Nothing is waited for: the test holds however short or long
// that was. In a bubble of testing/synctest, time passes by it.
func Moment(d time.Duration) { time.Sleep(d) }
