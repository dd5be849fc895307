package kernel

import (
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	peakRounds = 1 << 18 // some milliseconds
	peakRuns   = 9
)

// Peak measures how many operations a second, a multiplication and an addition each, the
// instruction set does on some threads in sums of products of bytes that lie in registers:
// the best of several runs. It is 0 for plain Go, which has no such instruction.
func (k *Kernel) Peak(threads int) float64 {
	best := 0.0
	for range peakRuns {
		products := make([]int64, threads)
		var group errgroup.Group
		start := time.Now()
		for i := range products {
			group.Go(func() error {
				products[i] = k.ops.peak(peakRounds)
				return nil
			})
		}
		_ = group.Wait() // none of them fails
		seconds, all := time.Since(start).Seconds(), int64(0)
		for _, n := range products {
			all += n
		}
		best = max(best, 2*float64(all)/seconds)
	}
	return best
}
