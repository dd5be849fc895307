package indexer

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestPollingKeepsItsPace: a root is due at every tick though its looks end a while after theirs, and less often where a
// look takes long: at most a hundredth of the time is looked.
func TestPollingKeepsItsPace(t *testing.T) {
	for look, want := range map[time.Duration]int{20 * time.Millisecond: 20, 3 * time.Second: 2} {
		synctest.Test(t, func(t *testing.T) {
			var p polling
			p.set("/srv", "because")
			tick := time.NewTicker(rescanEvery)
			defer tick.Stop()
			looks := 0
			for range 20 {
				if now := <-tick.C; len(p.due(now)) > 0 {
					looks++
					<-time.After(look)
					p.took(look, rescanEvery)
				}
			}
			if looks != want {
				t.Errorf("a look of %v: %d in 20 ticks, want %d", look, looks, want)
			}
		})
	}
}
