package leann

import (
	"math/bits"
	"time"
)

// Costs are what the parts of a search take on a machine: estimating the score of so many
// codes, and recomputing so many vectors. The zero value was not measured.
type Costs struct {
	Scanning    time.Duration
	Codes       int
	Recomputing time.Duration
	Vectors     int
}

// Bounds of what a measurement of costs is taken to mean. A walk from the upper levels finds
// a little less than a scan, and an index of leastScan is scanned in an instant.
const (
	leastScan = 1 << 17
	mostScan  = 1 << 22
	// usualScan is what 20 million codes a second and a vector in 26 ms come to, of machines
	// between those of ten years ago and of now.
	usualScan = 1 << 19
)

// ScanChunks returns up to how many chunks a scan of all codes takes no longer than one
// recomputed vector: beyond that the upper levels of a graph find where to begin. It is a
// power of two, so that it stays the same while costs vary a little.
func (c Costs) ScanChunks() int {
	if c.Codes == 0 || c.Vectors == 0 || c.Scanning <= 0 || c.Recomputing <= 0 {
		return usualScan
	}
	code, vector := c.Scanning.Seconds()/float64(c.Codes), c.Recomputing.Seconds()/float64(c.Vectors)
	n := min(max(vector/code, leastScan), mostScan)
	return 1 << (bits.Len(uint(n)) - 1)
}

// Scans reports whether a search of an index of n chunks scans all codes.
func (w Walk) Scans(n int) bool {
	if w.ScanChunks == 0 {
		return n <= Costs{}.ScanChunks()
	}
	return n <= w.ScanChunks
}
