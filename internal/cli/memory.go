package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"

	"dowse/internal/indexes"
	"dowse/internal/pressure"
	"dowse/internal/ticks"
)

// followMemory catches the signals that change the memory of models, which would end the process.
// follow applies them to an owner until stop has returned.
func followMemory(ctx context.Context) (follow func(*indexes.Owner), stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var following sync.WaitGroup
	arrived, asked := make(chan os.Signal, 1), make(chan bool)
	if len(memorySignals) > 0 {
		signal.Notify(arrived, memorySignals...)
	}
	ticker := ticks.New(ticks.Idle)
	following.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case s := <-arrived:
				select {
				case asked <- isSmaller(s):
				case <-ctx.Done():
				}
			}
		}
	})
	follow = func(owner *indexes.Owner) {
		following.Go(func() {
			owner.FollowMemory(ctx, pressure.Changes{Asked: asked, File: pressure.File(), Ticks: ticker.C})
		})
	}
	stop = func() {
		cancel()
		following.Wait()
		signal.Stop(arrived)
		ticker.Stop()
	}
	return follow, stop
}
