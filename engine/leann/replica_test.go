package leann

import (
	"context"
	"testing"
)

// TestReplicate: the first copy has the codes as they are, every chunk is a node that can be
// reached, and links find most of what a scan does by fewer codes.
func TestReplicate(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	rng := seeded(t, 161)
	const m, n = 1200, 5000
	c := newCloud(rng, m, 16)
	small := stored(t, rng, c, m)
	small.link(LinkOptions{LinkBytes: 10})
	small.quantize(QuantizeOptions{CodeBytes: 4})
	p, err := small.index().Replicate(t.Context(), small, n)
	if err != nil || p.Graph.Nodes() != n {
		t.Fatal(err)
	}
	if bytes, most := p.MemoryBytes(), ReplicaBytes(n, 4, float64(p.Graph.Links())/n); bytes < 5*n || bytes > most {
		t.Errorf("%d bytes, %d at most were said", bytes, most)
	}
	for level := range p.Graph.levels {
		if left := p.Graph.unreached(level); len(left) > 0 {
			t.Errorf("%d nodes of level %d cannot be reached", len(left), level)
		}
	}
	found := 0.0
	queries := c.queries(rng, 10)
	for _, query := range queries {
		all, seen, err := p.Estimate(t.Context(), query, 10, false)
		if err != nil || seen != n || len(all) != 10 {
			t.Fatalf("a scan sees %d codes and returns %d, %v", seen, len(all), err)
		}
		own := small.find(c, c, Query{Vector: query, Depth: 1})
		if all[0].Score < own.Tail[0].Score {
			t.Errorf("the best estimate is %v, of the first copy %v", all[0], own.Tail[0])
		}
		walked, some, err := p.Estimate(t.Context(), query, 10, true)
		if err != nil || some >= n || some < 10 {
			t.Errorf("a walk sees %d codes, %v", some, err)
		}
		found += recall(walked, all) / float64(len(queries))
	}
	if found < 0.7 {
		t.Errorf("walks find %.2f of what scans do", found)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := small.index().Replicate(ctx, small, n); err == nil {
		t.Error("copied after its end")
	}
	if _, err := small.index().Replicate(t.Context(), newMemory(t, 16), n); err == nil {
		t.Error("nothing was copied")
	}
}
