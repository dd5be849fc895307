package app

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"dowse/engine"
	"dowse/engine/memory"
)

// MemoryChanges are what makes the memory of models smaller or larger while they work.
type MemoryChanges struct {
	Asked    <-chan bool      // by a person: true halves it, false gives it back
	Pressure string           // the file that PressureFile names; "" for none
	Ticks    <-chan time.Time // when the pressure is read
}

// FollowMemory changes the memory that models may take until ctx ends (ActiveFlow 4.1):
// layers and rows that are kept make room, idle models close, and no word of an answer
// under way changes. What changed is published.
func (s *Stack) FollowMemory(ctx context.Context, c MemoryChanges) {
	limiter := memory.NewLimiter(s.Models.Memory)
	ticks := c.Ticks
	if c.Pressure == "" {
		ticks = nil
	}
	var gauge pressureGauge
	for {
		select {
		case <-ctx.Done():
			return
		case smaller := <-c.Asked:
			if smaller {
				s.tellLimits("as the signal asked", limiter.Halve)(memory.Person)
			} else {
				s.tellLimits("as the signal asked", limiter.Restore)(memory.Person)
			}
		case <-ticks:
			percent, err := readPressure(c.Pressure)
			if err != nil {
				ticks = nil // the group is gone, or the system keeps it no more
				continue
			}
			why := fmt.Sprintf("programs waited for memory %.0f%% of the time", percent)
			switch gauge.reading(percent) {
			case 1:
				s.tellLimits(why, limiter.Halve)(memory.Pressure)
			case -1:
				if limiter.Halvings(memory.Pressure) > 0 {
					s.tellLimits(why, limiter.Ease)(memory.Pressure)
				}
			}
		}
	}
}

// tellLimits makes a change of the budget publish what it did, and why.
func (s *Stack) tellLimits(why string, change func(memory.Cause) (memory.Limits, error)) func(memory.Cause) {
	return func(c memory.Cause) {
		limits, err := change(c)
		text := fmt.Sprintf("models may take %s of memory now, %s before, %s by the settings: %s",
			humanize.Bytes(uint64(limits.After)), humanize.Bytes(uint64(limits.Before)), humanize.Bytes(uint64(limits.Full)), why)
		switch {
		case err != nil:
			text = fmt.Sprintf("the memory of models could not be changed: %v", err)
		case limits.After == limits.Before:
			text = fmt.Sprintf("models may take %s of memory as before: it cannot be changed further", humanize.Bytes(uint64(limits.After)))
		}
		s.Publish(engine.Event{Problem: text})
	}
}
