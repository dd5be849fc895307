package ticks_test

import (
	"testing"
	"testing/synctest"
	"time"

	"dowse/internal/ticks"
)

// TestTicksFallTogether: tickers that begin at different times tick at the same moments, one of twice the period at every
// second of them, and none after Stop.
func TestTicksFallTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		<-time.After(300 * time.Millisecond)
		first := ticks.New(2 * time.Second)
		<-time.After(900 * time.Millisecond)
		second, slow := ticks.New(2*time.Second), ticks.New(4*time.Second)
		defer second.Stop()
		defer slow.Stop()
		begun := time.Now()
		for i := range 4 {
			a, b := <-first.C, <-second.C
			if !a.Equal(b) || a.Nanosecond() != 0 {
				t.Errorf("ticks at %v and %v", a, b)
			}
			if i%2 == 1 {
				if c := <-slow.C; !c.Equal(a) {
					t.Errorf("the slow one at %v, not %v", c, a)
				}
			}
		}
		if took := time.Since(begun); took > 8*time.Second {
			t.Errorf("four ticks of 2s took %v", took)
		}
		first.Stop()
		<-time.After(5 * time.Second)
		select {
		case at := <-first.C:
			t.Errorf("a tick after the end, at %v", at)
		default:
		}
	})
}

// A receiver that is late gets one tick, as of a time.Ticker.
func TestTicksAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := ticks.New(time.Second)
		defer slow.Stop()
		<-time.After(10*time.Second + time.Millisecond)
		<-slow.C
		select {
		case <-slow.C:
			t.Error("two ticks were kept")
		default:
		}
	})
}
