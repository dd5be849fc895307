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

// TestSearchBeyondScanChunks: a search looks at all codes up to the size, and at few beyond.
func TestSearchBeyondScanChunks(t *testing.T) {
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
