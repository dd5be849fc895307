package memory

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestArbiterRests: those that are idle for long yield, whoever works or did so lately does not.
func TestArbiterRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := NewArbiter(100)
		idle, late, busy := hold(a), hold(a), hold(a)
		for _, h := range []*holder{idle, late, busy} {
			h.take(t, 30, 30)
		}
		idle.rest()
		<-time.After(time.Minute)
		late.rest()
		<-time.After(time.Minute)
		for _, want := range []bool{true, false} {
			if rested, err := a.Rest(time.Now().Add(-90 * time.Second)); rested != want || err != nil {
				t.Errorf("rested %t, %v; want %t", rested, err, want)
			}
		}
		if !idle.gone || late.gone || busy.gone {
			t.Errorf("gave up: idle %t, idle for a minute %t, busy %t", idle.gone, late.gone, busy.gone)
		}
		hold(a).take(t, 40, 40)
	})
	for _, a := range []*Arbiter{nil, NewArbiter(0)} {
		if rested, err := a.Rest(time.Now()); rested || err != nil {
			t.Errorf("without a budget: %t, %v", rested, err)
		}
	}
}
