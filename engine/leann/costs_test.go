package leann

import (
	"testing"
	"time"
)

func TestScanChunks(t *testing.T) {
	for _, c := range []struct {
		costs Costs
		want  int
	}{
		{Costs{}, 1 << 19},
		{Costs{Scanning: time.Second, Codes: 20e6}, 1 << 19},
		{Costs{time.Second, 20e6, 26300 * time.Microsecond, 1}, 1 << 19},
		{Costs{time.Second, 20e6, 5 * time.Second, 100}, 1 << 19}, // 50 ms: a million is a little less than 2^20
		{Costs{time.Second, 22e6, 5 * time.Second, 100}, 1 << 20},
		{Costs{time.Second, 20e6, time.Millisecond, 1}, leastScan},
		{Costs{time.Second, 20e6, time.Minute, 1}, mostScan},
		{Costs{time.Second, 20e6, 0, 7}, 1 << 19},
	} {
		got := c.costs.ScanChunks()
		if got != c.want {
			t.Errorf("%+v: %d, want %d", c.costs, got, c.want)
		}
		if w := (Walk{ScanChunks: got}); !w.Scans(got) || w.Scans(got+1) {
			t.Errorf("%+v scans %v, %v", w, w.Scans(got), w.Scans(got+1))
		}
	}
}

// TestScanChunksFollowCosts: whatever else costs, up to no fewer chunks are scanned where a
// code takes less or a vector more, and how much was measured at a time does not matter.
func TestScanChunksFollowCosts(t *testing.T) {
	code, vector := 50*time.Nanosecond, 26*time.Millisecond
	of := func(code, vector time.Duration, codes, vectors int) int {
		return Costs{time.Duration(codes) * code, codes, time.Duration(vectors) * vector, vectors}.ScanChunks()
	}
	usual := of(code, vector, 1000, 10)
	if more := of(code, vector, 7_000_000, 3000); more != usual {
		t.Errorf("%d chunks by a small measurement, %d by a large one", usual, more)
	}
	for name, scanned := range map[string]func(step int) int{
		"slower vectors": func(step int) int { return of(code, time.Duration(step)*100*time.Microsecond, 1000, 10) },
		"faster codes":   func(step int) int { return of((1<<12)*code/time.Duration(step), vector, 1000, 10) },
	} {
		first, last := scanned(1), 0
		for step := 1; step <= 1<<16; step *= 2 {
			now := scanned(step)
			if now < last || now < leastScan || now > mostScan || now&(now-1) != 0 {
				t.Errorf("%s: %d after %d", name, now, last)
			}
			last = now
		}
		if first != leastScan || last != mostScan {
			t.Errorf("%s: from %d to %d, want all that there is", name, first, last)
		}
	}
	// The line is a time: on both of its sides a scan takes less than two vectors.
	for _, costs := range []Costs{{time.Second, 20e6, 26 * time.Millisecond, 1}, {time.Second, 40e6, 80 * time.Millisecond, 1}} {
		n := costs.ScanChunks()
		scan := costs.Scanning.Seconds() * float64(n) / float64(costs.Codes)
		if one := costs.Recomputing.Seconds(); scan > one || 2*scan <= one {
			t.Errorf("%+v: a scan of %d takes %v s, a vector %v s", costs, n, scan, one)
		}
	}
}

// TestSearchBeyondScanChunks: a search looks at all codes up to the size, and at few beyond.
func TestSearchBeyondScanChunks(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	rng := seeded(t, 151)
	const n = 1500
	c := newCloud(rng, n, 16)
	m := stored(t, rng, c, n)
	m.link(LinkOptions{LinkBytes: 10})
	m.quantize(QuantizeOptions{CodeBytes: 8})
	graph := m.graph()
	for _, query := range c.queries(rng, 3) {
		for size, all := range map[int]bool{n: true, n - 1: false} {
			found := m.find(c, c, Query{Vector: query, Depth: 5, Recompute: 100, Batch: 10, Walk: Walk{Graph: graph, Pull: 0.2, ScanChunks: size}})
			if seen := found.Stats.Seen; (seen == n) != all || recall(found.Hits, c.best(query, 5, nil)) < 0.8 {
				t.Errorf("up to %d: %d codes seen, recall %v", size, seen, recall(found.Hits, c.best(query, 5, nil)))
			}
		}
	}
}
