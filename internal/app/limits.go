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
	limiter := s.limiter
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
			change := limiter.Restore
			if smaller {
				change = limiter.Halve
			}
			limits, err := change(memory.Person)
			s.tellLimits(limits, err, "as the signal asked")
		case <-ticks:
			percent, err := readPressure(c.Pressure)
			if err != nil {
				ticks = nil // the group is gone, or the system keeps it no more
				continue
			}
			if limits, changed, err := limitByPressure(limiter, gauge.reading(percent)); changed {
				s.tellLimits(limits, err, fmt.Sprintf("programs waited for memory %.0f%% of the time", percent))
			}
		}
	}
}

// ChangeBudget implements engine.Service.
func (s *Stack) ChangeBudget(ctx context.Context, change engine.BudgetChange) (*engine.BudgetStep, error) {
	return within(ctx, &s.gate, func(context.Context) (*engine.BudgetStep, error) {
		by := s.limiter.Halve
		switch change {
		case engine.LowerBudget:
		case engine.RaiseBudget:
			by = s.limiter.Ease
		default:
			return nil, engine.ErrBudgetChange
		}
		limits, err := by(memory.Person)
		if err != nil {
			return nil, err
		}
		return &engine.BudgetStep{Budget: engine.Budget{Bytes: limits.After, Full: limits.Full}, Before: limits.Before}, nil
	})
}

// limitByPressure halves the budget, gives back a step of what pressure took, or changes
// nothing, as the gauge says.
func limitByPressure(limiter *memory.Limiter, by int) (limits memory.Limits, changed bool, err error) {
	switch {
	case by > 0:
		limits, err = limiter.Halve(memory.Pressure)
	case by < 0 && limiter.Halvings(memory.Pressure) > 0:
		limits, err = limiter.Ease(memory.Pressure)
	}
	return limits, limits.After != limits.Before, err // at the least budget there is nothing to say
}

// tellLimits publishes what became of the budget, and why.
func (s *Stack) tellLimits(limits memory.Limits, err error, why string) {
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
