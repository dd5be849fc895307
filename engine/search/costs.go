package search

import (
	"sync"
	"time"

	"dowse/engine/leann"
)

// costs are what searches of this process took, on which it hangs up to which size an index
// is scanned. Older ones weigh less and less.
type costs struct {
	mu sync.Mutex
	leann.Costs
}

// Bounds of what counts: shorter scans measure the clock.
const (
	costCodes   = 10_000
	costVectors = 4
	// A sum of more codes or vectors than these is halved, so that older searches weigh less.
	costMostCodes   = 1 << 27
	costMostVectors = 1 << 12
)

// scanned notes a scan of codes.
func (c *costs) scanned(took time.Duration, codes int) {
	if codes < costCodes {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	addCost(&c.Scanning, &c.Codes, took, codes, costMostCodes)
}

// recomputed notes that vectors were embedded again.
func (c *costs) recomputed(took time.Duration, vectors int) {
	if vectors < costVectors {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	addCost(&c.Recomputing, &c.Vectors, took, vectors, costMostVectors)
}

// addCost adds to a sum of times and to what it was spent on, and halves both beyond most.
func addCost(sum *time.Duration, count *int, took time.Duration, n, most int) {
	*sum, *count = *sum+took, *count+n
	if *count > most {
		*sum, *count = *sum/2, *count/2
	}
}

// scanChunks returns up to which size an index is scanned.
func (c *costs) scanChunks() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ScanChunks()
}
