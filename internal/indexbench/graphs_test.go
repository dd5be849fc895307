package indexbench

import (
	"math"
	"testing"
)

func TestGraphsHaveHalfTheLinks(t *testing.T) {
	c := clustered(t, 400, 5)
	b := quiet()
	order := make([]int, 400)
	for i := range order {
		order[i] = (i * 333) % 400
	}
	g, err := b.buildGraphs(t.Context(), c.Vectors, order)
	if err != nil {
		t.Fatal(err)
	}
	full := g.full.Degree()
	t.Logf("degree: full %.1f, hubs %.1f, random %.1f, small M %.1f", full, g.hub.Degree(), g.random.Degree(), g.small.Degree())
	for name, degree := range map[string]float64{"hub": g.hub.Degree(), "random": g.random.Degree(), "small": g.small.Degree()} {
		if math.Abs(degree/full-keptShare) > 0.05 {
			t.Errorf("%s: degree %.1f of %.1f", name, degree, full)
		}
	}
	if g.full.StoredBytes() <= g.hub.StoredBytes() {
		t.Errorf("pruned from %d to %d bytes", g.full.StoredBytes(), g.hub.StoredBytes())
	}
	kept := hubCache(g.full, false, 0.1)
	if n := c.Vectors.cacheBytes(kept); n != 40*4*testDim+50 {
		t.Errorf("a cache of 40 vectors takes %v bytes", n)
	}
	if b.seconds[g.hub] <= 0 || b.seconds[g.small] <= 0 {
		t.Error("building took no time")
	}
}

func TestListBytes(t *testing.T) {
	for _, c := range []struct {
		near uint32
		list []uint32
		want int
	}{
		{0, nil, 1},
		{5, []uint32{4}, 2},
		{1000, []uint32{1, 2, 130}, 1 + 2 + 1 + 2},
		{0, []uint32{math.MaxUint32}, 1 + 5},
	} {
		if got := listBytes(c.near, c.list); got != c.want {
			t.Errorf("%v near %d: %d bytes, want %d", c.list, c.near, got, c.want)
		}
	}
}
