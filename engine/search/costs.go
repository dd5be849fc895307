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
	// Beyond so many of each, what was noted before is halved.
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
	c.Scanning, c.Codes = c.Scanning+took, c.Codes+codes
	if c.Codes > costMostCodes {
		c.Scanning, c.Codes = c.Scanning/2, c.Codes/2
	}
}

// recomputed notes that vectors were embedded again.
func (c *costs) recomputed(took time.Duration, vectors int) {
	if vectors < costVectors {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Recomputing, c.Vectors = c.Recomputing+took, c.Vectors+vectors
	if c.Vectors > costMostVectors {
		c.Recomputing, c.Vectors = c.Recomputing/2, c.Vectors/2
	}
}

// scanChunks returns up to which size an index is scanned.
func (c *costs) scanChunks() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ScanChunks()
}
