package indexbench

import (
	"context"
	"fmt"
	"math"
	"time"

	"dowse/engine/leann"
)

// fullShape is that of the original graph: HNSW with M=32.
var fullShape = leann.Shape{Own: 32, Cap: 64, Beam: 128}

const (
	keptShare   = 0.5  // of the links, that a pruned graph keeps
	randomSeed  = 1    // of the random pruning
	tuneSample  = 3000 // vectors that shapes are tuned on
	degreeSlack = 0.03 // difference of a mean degree from its target that stays
)

// shapeOf is the shape of a node with at most so many links.
func shapeOf(links int) leann.Shape {
	return leann.Shape{Own: (links + 1) / 2, Cap: links, Beam: fullShape.Beam}
}

// graphSet are the graphs that are compared, over the same vectors.
type graphSet struct {
	full   *leann.Graph
	hub    *leann.Graph // half the links, hubs keep theirs
	random *leann.Graph // half the links of full, at random
	small  *leann.Graph // built with as many links as hub has
	// hubLinks and smallLinks are the caps that gave these degrees.
	hubLinks, smallLinks int
}

// buildGraphs builds all graphs. The two caps are tuned on a sample of the
// vectors, and corrected once if the whole comes out otherwise.
func (b *bench) buildGraphs(ctx context.Context, v *Vectors, order []int) (*graphSet, error) {
	g := &graphSet{}
	var err error
	if g.full, err = b.build(ctx, "building the original graph", v, fullShape); err != nil {
		return nil, err
	}
	part := v.subset(order[:min(tuneSample, len(order))])
	full, err := b.build(ctx, "tuning", part, fullShape)
	if err != nil {
		return nil, err
	}
	g.hub, g.hubLinks, err = fit(keptShare*g.full.Degree(),
		func(links int) (*leann.Graph, error) { return b.prune(ctx, "tuning", full, part, shapeOf(links)) },
		keptShare*full.Degree(),
		func(links int) (*leann.Graph, error) {
			return b.prune(ctx, "building the hub-pruned graph", g.full, v, shapeOf(links))
		})
	if err != nil {
		return nil, err
	}
	g.small, g.smallLinks, err = fit(g.hub.Degree(),
		func(links int) (*leann.Graph, error) { return b.build(ctx, "tuning", part, shapeOf(links)) },
		g.hub.Degree(),
		func(links int) (*leann.Graph, error) {
			return b.build(ctx, "building the small-M graph", v, shapeOf(links))
		})
	g.random = leann.PruneRandomly(g.full, keptShare, randomSeed)
	return g, err
}

// build inserts all vectors into a graph of one shape.
func (b *bench) build(ctx context.Context, phase string, v *Vectors, shape leann.Shape) (*leann.Graph, error) {
	start := time.Now()
	g := leann.NewGraph()
	err := leann.NewBuilder(g, v, shape).Insert(ctx, v.nodes(), b.step(phase, v.Len()))
	if err != nil {
		return nil, fmt.Errorf("build a graph: %w", err)
	}
	b.seconds[g] = time.Since(start).Seconds()
	return g, nil
}

// prune builds a graph in which hubs keep the full shape.
func (b *bench) prune(ctx context.Context, phase string, full *leann.Graph, v *Vectors, other leann.Shape) (*leann.Graph, error) {
	start := time.Now()
	g, err := leann.PruneHubs(ctx, full, v, fullShape, other, b.step(phase, v.Len()))
	if err != nil {
		return nil, fmt.Errorf("prune a graph: %w", err)
	}
	b.seconds[g] = time.Since(start).Seconds()
	return g, nil
}

// step reports the progress of a build now and then.
func (b *bench) step(phase string, total int) func(done int) {
	return func(done int) {
		if done%256 == 0 {
			b.report(phase, done, total)
		}
	}
}

// maker builds a graph whose nodes have at most so many links.
type maker func(links int) (*leann.Graph, error)

// fit finds the cap that gives a graph of the wanted mean degree: by bisection
// on a sample, where sampleDegree is wanted, and with one correction on the
// whole.
func fit(degree float64, sampled maker, sampleDegree float64, whole maker) (*leann.Graph, int, error) {
	links, err := bisect(2, fullShape.Cap, sampleDegree, sampled)
	if err != nil {
		return nil, 0, err
	}
	g, err := whole(links)
	if err != nil || math.Abs(g.Degree()/degree-1) <= degreeSlack {
		return g, links, err
	}
	// The degree grows about as the cap does.
	other := max(2, int(math.Round(float64(links)*degree/g.Degree())))
	if other == links {
		return g, links, nil
	}
	corrected, err := whole(other)
	if err != nil || math.Abs(corrected.Degree()-degree) > math.Abs(g.Degree()-degree) {
		return g, links, err
	}
	return corrected, other, nil
}

// bisect is the cap from low to high whose graph comes nearest to a degree,
// which grows with it.
func bisect(low, high int, degree float64, build maker) (int, error) {
	best, off := low, math.Inf(1)
	for low <= high {
		middle := (low + high) / 2
		g, err := build(middle)
		if err != nil {
			return 0, err
		}
		if d := math.Abs(g.Degree() - degree); d < off {
			best, off = middle, d
		}
		if g.Degree() < degree {
			low = middle + 1
		} else {
			high = middle - 1
		}
	}
	return best, nil
}
