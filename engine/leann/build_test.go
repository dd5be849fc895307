package leann

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// shortLived is a Space that keeps a vector no longer than it has to.
type shortLived struct {
	*cloud
	buffers [spaceVectors][]float32
	calls   int
}

func (s *shortLived) Vector(node uint32) []float32 {
	b := &s.buffers[s.calls%spaceVectors]
	s.calls++
	*b = append((*b)[:0], s.cloud.Vector(node)...)
	return *b
}

func same(shape Shape) func(uint32) Shape { return func(uint32) Shape { return shape } }

// TestBuild is T-L2 for graphs of several shapes, and that the same vectors
// make the same graph.
func TestBuild(t *testing.T) {
	c := newCloud(seeded(t, 51), 500, 16)
	for _, shape := range []Shape{{1, 2, 8}, {4, 6, 24}, {8, 8, 40}} {
		g := c.graph(t, shape)
		checkGraph(t, g, same(shape))
		if g.nodes != c.size() {
			t.Fatalf("%d nodes, want %d", g.nodes, c.size())
		}
		again := NewGraph()
		if err := NewBuilder(again, &shortLived{cloud: c}, shape).Insert(t.Context(), c.nodes(), nil); err != nil {
			t.Fatal(err)
		}
		sameGraph(t, again, g)
	}
}

// TestBuildInSteps: inserting in several calls is inserting in one.
func TestBuildInSteps(t *testing.T) {
	c := newCloud(seeded(t, 52), 500, 16)
	shape := Shape{4, 6, 24}
	g := NewGraph()
	for nodes := range slices.Chunk(c.nodes(), 77) {
		if err := NewBuilder(g, c, shape).Insert(t.Context(), nodes, nil); err != nil {
			t.Fatal(err)
		}
	}
	sameGraph(t, g, c.graph(t, shape))
}

// TestReachable is T-L3: after Repair links lead from the entry to every node,
// and no list is beyond its bound.
func TestReachable(t *testing.T) {
	for seed := range uint64(2) {
		c := newCloud(seeded(t, 530+seed), 700, 16)
		for _, shape := range []Shape{{1, 2, 16}, {4, 6, 32}, {8, 12, 48}} {
			checkRepair(t, c, shape)
		}
	}
}

// TestReachableDuplicates: the copies of a vector, as of repeated text, prefer
// each other, and among them the lowest numbers.
func TestReachableDuplicates(t *testing.T) {
	c := newCloud(seeded(t, 54), 300, 16)
	for range 300 {
		c.of = append(c.of, c.Vector(7)...)
	}
	checkRepair(t, c, Shape{4, 6, 24})
	c.of = slices.Repeat(c.Vector(0), 200)
	checkRepair(t, c, Shape{1, 1, 4})
}

func checkRepair(t *testing.T, c *cloud, shape Shape) {
	t.Helper()
	g := c.graph(t, shape)
	before := len(unreached(g))
	repaired, err := NewBuilder(g, &shortLived{cloud: c}, shape).Repair(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v: degree %.2f, %d of %d nodes were not reached, %d links were added", shape, degree(g), before, g.nodes, repaired)
	if repaired > before || before > 0 && repaired == 0 {
		t.Errorf("%v: %d nodes were not reached, %d were repaired", shape, before, repaired)
	}
	if left := unreached(g); len(left) > 0 {
		t.Errorf("%v: from the entry no links lead to %v", shape, left)
	}
	checkGraph(t, g, same(shape))
	if again, err := NewBuilder(g, c, shape).Repair(t.Context()); again != 0 || err != nil {
		t.Errorf("%v: %d repaired again, %v", shape, again, err)
	}
}

func TestRepairEnds(t *testing.T) {
	c := newCloud(seeded(t, 58), 400, 16)
	if n, err := NewBuilder(NewGraph(), c, Shape{1, 2, 8}).Repair(t.Context()); n != 0 || err != nil {
		t.Errorf("%d nodes of an empty graph, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewBuilder(c.graph(t, Shape{1, 2, 8}), c, Shape{1, 2, 8}).Repair(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled repair ended with %v", err)
	}
}

// TestDiverse compares with the heuristic as its paper says it.
func TestDiverse(t *testing.T) {
	rng := seeded(t, 55)
	c := newCloud(rng, 200, 8)
	b := NewBuilder(NewGraph(), c, Shape{})
	for range 50 {
		query := c.queries(rng, 1)[0]
		var near []scored
		for range 1 + rng.IntN(30) {
			node := uint32(rng.IntN(c.size()))
			if s := (scored{node, c.score(query, node)}); !slices.Contains(near, s) {
				near = append(near, s)
			}
		}
		slices.SortFunc(near, compareScored)
		n := 1 + rng.IntN(8)
		var kept, left []scored
		for _, s := range near {
			nearer := func(k scored) bool { return c.Dot(c.Vector(s.node), c.Vector(k.node)) > s.score }
			if len(kept) < n && !slices.ContainsFunc(kept, nearer) {
				kept = append(kept, s)
			} else {
				left = append(left, s)
			}
		}
		kept = append(kept, left[:min(len(left), n-len(kept))]...)
		got := slices.Clone(b.diverse(near, n))
		slices.SortFunc(got, compareScored)
		slices.SortFunc(kept, compareScored)
		if !slices.Equal(got, kept) {
			t.Fatalf("%d of %v: kept %v, want %v", n, near, got, kept)
		}
	}
}

func TestBuildEndsWithContext(t *testing.T) {
	c := newCloud(seeded(t, 56), 100, 8)
	ctx, cancel := context.WithCancel(t.Context())
	g := NewGraph()
	err := NewBuilder(g, c, Shape{4, 6, 8}).Insert(ctx, c.nodes(), func(done int) {
		if done == 10 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || g.nodes != 10 {
		t.Errorf("%d nodes, %v", g.nodes, err)
	}
}

func BenchmarkInsert(b *testing.B) {
	c := newCloud(seeded(b, 57), 2000, 32)
	for b.Loop() {
		c.graph(b, Shape{4, 6, 64})
	}
}
