package kv

import (
	"math"
	"testing"
)

// near reports whether a density is what it should be, roundings aside.
func near(got float32, want float64) bool { return math.Abs(float64(got)-want) < 1e-6 }

// T-K6, the paper's example: a token that three rows give 0.3, 0.5 and 0.1 has 0.3.
func TestDensityIsTheMeanOfWhatTokensReceive(t *testing.T) {
	c := filled(t, Shape{Layers: 1, Heads: 1, HeadDim: 4, ChunkTokens: 1}, 3, nil)
	c.TrackDensity(10)
	if c.Density(0) != 0 {
		t.Errorf("nobody was counted, density %g", c.Density(0))
	}
	c.Observe([]uint64{9, 7, 4}, 3)
	for i, want := range []float64{0.3, 0.35, 0.4} {
		if got := c.Density(i); !near(got, want) {
			t.Errorf("token %d: %g, want %g", i, got, want)
		}
	}
}

// Of a tree the root counts once it is kept; what is cut off is forgotten.
func TestDensityCountsWhatIsKept(t *testing.T) {
	s := Shape{Layers: 1, Heads: 1, HeadDim: 4, ChunkTokens: 2}
	c := filled(t, s, 2, nil)
	c.TrackDensity(100)
	c.Observe([]uint64{120, 80}, 2)
	want := (120/200. + 80/100.) / 2
	tree := Tree{Tokens: []int32{1, 2}, Parents: []int32{-1, 0}}
	draft := func() {
		t.Helper()
		if err := c.ReserveTree(); err != nil {
			t.Fatal(err)
		}
		c.SetTree(tree)
		c.ObserveRoot([]uint64{30, 50})
	}
	draft()
	c.DropTree()
	if got := c.Density(0); !near(got, want) {
		t.Errorf("a tree that was dropped counts: %g, want %g", got, want)
	}
	draft()
	if err := c.Keep([]int32{0, 1}); err != nil {
		t.Fatal(err)
	}
	want = (150/300. + 130/200.) / 2
	if got := c.Density(0); !near(got, want) || c.Density(1) != 0 {
		t.Errorf("with the root: %g, want %g; behind it %g", got, want, c.Density(1))
	}
	if err := c.Truncate(1); err != nil {
		t.Fatal(err)
	}
	if got := c.Density(0); !near(got, 0.5) {
		t.Errorf("of the token that is left: %g", got)
	}
	if err := c.Free(); err != nil {
		t.Fatal(err)
	}
	if err := c.Resume([]int32{1, 2, 3}); err != nil || c.Density(0) != 0 {
		t.Errorf("density %g of other tokens (%v)", c.Density(0), err)
	}
}

func TestDensityThatWasKeptGoesOn(t *testing.T) {
	c := filled(t, Shape{Layers: 1, Heads: 1, HeadDim: 4, ChunkTokens: 2}, 4, nil)
	c.SetDensity(0, 0.25) // nobody counts
	if c.Density(0) != 0 || c.TracksDensity() {
		t.Errorf("%g", c.Density(0))
	}
	c.TrackDensity(1 << 20)
	c.SetDensity(0, 0.25)
	if got := c.Density(0); !near(got, 0.25) {
		t.Errorf("%g", got)
	}
}
