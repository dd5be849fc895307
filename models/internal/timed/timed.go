// Package timed bounds what another program may take, and tells meanwhile how long it has
// been at it: of a package client nobody sees how much it has downloaded.
package timed

import (
	"context"
	"fmt"
	"time"
)

// every is how often is told how long it takes.
const every = time.Second

// Do does something under a limit. tell, unless nil, is told each second how long that has
// taken, by one goroutine. Where the limit is met, ctx of what is done ends with an error
// that says so, followed by advice, as its cause, and that is the error.
func Do(ctx context.Context, limit time.Duration, advice string, tell func(took time.Duration), do func(ctx context.Context) error) error {
	over := fmt.Errorf("it was not done within %v and was ended: %s", limit, advice)
	within, cancel := context.WithTimeoutCause(ctx, limit, over)
	defer cancel()
	done := make(chan error, 1)
	begun := time.Now()
	go func() { done <- do(within) }()
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			if tell != nil {
				tell(time.Since(begun))
			}
		case err := <-done:
			if err != nil && ctx.Err() == nil && within.Err() != nil {
				return over
			}
			return err
		}
	}
}
