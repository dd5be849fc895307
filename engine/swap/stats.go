package swap

import (
	"time"

	"dowse/models/pack"
)

// Counts counts active rows.
type Counts struct {
	Hits        int // were cached
	Misses      int // were not: PreloadUsed or OnDemand
	Preloaded   int // rows that were read ahead, active or not
	PreloadUsed int // of them, those that were active
	OnDemand    int // were read once they were known to be active
	Warmed      int // rows that were copied from those of a prompt
}

// Add adds what others counted.
func (c *Counts) Add(d Counts) {
	c.Hits += d.Hits
	c.Misses += d.Misses
	c.Preloaded += d.Preloaded
	c.PreloadUsed += d.PreloadUsed
	c.OnDemand += d.OnDemand
	c.Warmed += d.Warmed
}

// Stats counts what active rows cost since BeginSequence.
type Stats struct {
	Counts          // of all bundles
	BytesRead int64 // from the disk
	Reads     int   // of rows, or of a bundle as a whole
	Stalls    int   // times that a pass waited for the disk
	StallTime time.Duration
	ByBundle  [pack.Bundles]Counts
}
