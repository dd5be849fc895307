package pressure

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"dowse/engine/memory"
)

// Changes are what makes the memory of models smaller or larger while they work.
type Changes struct {
	Asked <-chan bool      // by a person: true halves it, false gives it back
	File  string           // as File names it; "" for none
	Ticks <-chan time.Time // when the file is read
}

// Follow changes the memory that models may take until ctx ends (ActiveFlow 4.1): layers and
// rows that are kept make room, idle models close, and no word of an answer under way
// changes. tell is told what changed, in a sentence.
func Follow(ctx context.Context, limiter *memory.Limiter, c Changes, tell func(string)) {
	ticks := c.Ticks
	if c.File == "" {
		ticks = nil
	}
	var g gauge
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
			tell(sentence(limits, err, "as the signal asked"))
		case <-ticks:
			percent, err := readFile(c.File)
			if err != nil {
				ticks = nil // the group is gone, or the system keeps it no more
				continue
			}
			if limits, changed, err := limit(limiter, g.reading(percent)); changed {
				tell(sentence(limits, err, fmt.Sprintf("programs waited for memory %.0f%% of the time", percent)))
			}
		}
	}
}

// limit halves the budget, gives back a step of what pressure took, or changes nothing, as
// the gauge says.
func limit(limiter *memory.Limiter, by int) (limits memory.Limits, changed bool, err error) {
	switch {
	case by > 0:
		limits, err = limiter.Halve(memory.Pressure)
	case by < 0 && limiter.Halvings(memory.Pressure) > 0:
		limits, err = limiter.Ease(memory.Pressure)
	}
	return limits, limits.After != limits.Before, err // at the least budget there is nothing to say
}

// sentence says what became of the budget, and why.
func sentence(limits memory.Limits, err error, why string) string {
	switch {
	case err != nil:
		return fmt.Sprintf("the memory of models could not be changed: %v", err)
	case limits.After == limits.Before:
		return fmt.Sprintf("models may take %s of memory as before: it cannot be changed further", humanize.Bytes(uint64(limits.After)))
	}
	return fmt.Sprintf("models may take %s of memory now, %s before, %s by the settings: %s",
		humanize.Bytes(uint64(limits.After)), humanize.Bytes(uint64(limits.Before)), humanize.Bytes(uint64(limits.Full)), why)
}
