package leann

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHubs compares with counting links in both directions.
func TestHubs(t *testing.T) {
	c := newCloud(seeded(t, 61), 800, 16)
	g := c.graph(t, Shape{4, 6, 24})
	degree := map[uint32]int{}
	g.Nodes(func(node uint32) {
		for _, x := range g.Links(node, 0) {
			degree[node]++
			degree[x]++
		}
	})
	hubs := g.Hubs(0.1)
	if len(hubs) != 80 {
		t.Fatalf("%d hubs", len(hubs))
	}
	least := degree[hubs[len(hubs)-1]]
	for i, h := range hubs {
		if i > 0 && degree[h] > degree[hubs[i-1]] {
			t.Fatalf("hub %d has degree %d, the one before it %d", h, degree[h], degree[hubs[i-1]])
		}
	}
	g.Nodes(func(node uint32) {
		if degree[node] > least && !slices.Contains(hubs, node) {
			t.Fatalf("node %d of degree %d is no hub, one of degree %d is", node, degree[node], least)
		}
	})
}

// TestPruneHubs is T-L2's half about hubs: those of the full graph stay well
// linked, the others get the lesser shape.
func TestPruneHubs(t *testing.T) {
	c := newCloud(seeded(t, 62), 1000, 16)
	full := c.graph(t, Shape{12, 18, 40})
	hub, other := Shape{12, 18, 40}, Shape{3, 5, 40}
	g, err := PruneHubs(t.Context(), full, c, hub, other, nil)
	if err != nil {
		t.Fatal(err)
	}
	hubs := full.Hubs(hubShare)
	checkGraph(t, g, func(node uint32) Shape {
		if slices.Contains(hubs, node) {
			return hub
		}
		return other
	})
	links := 0
	for _, h := range hubs {
		links += len(g.Links(h, 0))
	}
	ofHubs := float64(links) / float64(len(hubs))
	ofOthers := (degree(g)*float64(g.nodes) - float64(links)) / float64(g.nodes-len(hubs))
	t.Logf("full degree %.2f; pruned %.2f: hubs %.2f, others %.2f", degree(full), degree(g), ofHubs, ofOthers)
	if ofHubs < 2*ofOthers {
		t.Errorf("hubs have %.2f links, others %.2f", ofHubs, ofOthers)
	}
	if degree(g) > 0.5*degree(full) {
		t.Errorf("degree %.2f of %.2f is left", degree(g), degree(full))
	}
}

func TestPruneEndsWithContext(t *testing.T) {
	c := newCloud(seeded(t, 64), 50, 8)
	full := c.graph(t, Shape{4, 6, 8})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := PruneHubs(ctx, full, c, Shape{4, 6, 8}, Shape{2, 3, 8}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled pruning ended with %v", err)
	}
}

// TestHalfTheEdges prints what each way to half the links costs: recall and
// recomputed vectors at the same width of search.
func TestHalfTheEdges(t *testing.T) {
	rng := seeded(t, 65)
	c := newCloud(rng, 700, 24)
	full := c.graph(t, Shape{8, 12, 40})
	pruned, err := PruneHubs(t.Context(), full, c, Shape{8, 12, 40}, Shape{4, 6, 40}, nil)
	if err != nil {
		t.Fatal(err)
	}
	queries := c.queries(rng, 40)
	for _, g := range []struct {
		name string
		*Graph
		least float64
	}{
		{"full", full, 0.95}, {"hubs kept", pruned, 0.8}, {"fewer links", c.graph(t, Shape{4, 6, 40}), 0.8},
		{"random half", pruneRandomly(full, 0.5, 1), 0.5},
	} {
		s := &Searcher{Graph: g.Graph, Exact: c, Dot: plainDot{}}
		found, asked := 0.0, 0
		for _, q := range queries {
			got, err := s.Search(t.Context(), Request{Query: q, K: 3, Params: Params{Keep: 20, Ratio: 1, Batch: 1}})
			if err != nil {
				t.Fatal(err)
			}
			found += recall(got.Hits, c.best(q, 3, nil)) / float64(len(queries))
			asked += got.Stats.Recomputed
		}
		t.Logf("%-11s degree %5.2f: recall@3 %.3f, %.1f recomputed", g.name, degree(g.Graph), found, float64(asked)/float64(len(queries)))
		if found < g.least {
			t.Errorf("%s: recall %.3f", g.name, found)
		}
	}
}

// pruneRandomly returns a copy of a graph that keeps each link of level 0
// with the given probability, and of each node at least one: the baseline
// that a pruning must beat.
func pruneRandomly(full *Graph, keep float64, seed uint64) *Graph {
	rng := rand.New(rand.NewPCG(seed, 0))
	g := clone(full)
	full.Nodes(func(node uint32) {
		var links []uint32
		for _, n := range full.base[node] {
			if rng.Float64() < keep {
				links = append(links, n)
			}
		}
		if len(links) == 0 && len(full.base[node]) > 0 {
			links = []uint32{full.base[node][rng.IntN(len(full.base[node]))]}
		}
		g.set(node, 0, links)
	})
	return g
}
