package leann

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// cloud is a set of vectors of unit length: a Space to build over and an
// Exact to search with.
type cloud struct {
	dim   int
	of    []float32       // [n, dim]
	stale map[uint32]bool // nodes whose text has changed
	asked []uint32        // nodes that Exact was asked for
}

// newCloud draws n vectors around a few centres, in runs: neighbours in
// number are often neighbours in space, as the chunks of a file are.
func newCloud(rng *rand.Rand, n, dim int) *cloud {
	c := &cloud{dim: dim, of: make([]float32, 0, n*dim)}
	centres := make([][]float32, 1+n/50)
	for i := range centres {
		centres[i] = gauss(rng, make([]float32, dim), 1)
	}
	at := 0
	for range n {
		if rng.IntN(8) == 0 {
			at = rng.IntN(len(centres))
		}
		c.of = append(c.of, gauss(rng, centres[at], 0.6)...)
	}
	return c
}

// gauss draws a vector of unit length around a centre.
func gauss(rng *rand.Rand, centre []float32, spread float64) []float32 {
	v, sum := make([]float32, len(centre)), 0.0
	for i := range v {
		v[i] = centre[i] + float32(spread*rng.NormFloat64()/math.Sqrt(float64(len(v))))
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func (c *cloud) size() int                              { return len(c.of) / c.dim }
func (c *cloud) Vector(node uint32) []float32           { return c.of[int(node)*c.dim : (int(node)+1)*c.dim] }
func (c *cloud) Dot(a, b []float32) float32             { return plainDot{}.Dot(a, b) }
func (c *cloud) score(q []float32, node uint32) float32 { return c.Dot(q, c.Vector(node)) }

func (c *cloud) Vectors(_ context.Context, nodes []uint32, dst []float32, ok []bool) error {
	c.asked = append(c.asked, nodes...)
	for i, node := range nodes {
		copy(dst[i*c.dim:(i+1)*c.dim], c.Vector(node))
		ok[i] = !c.stale[node]
	}
	return nil
}

// nodes returns all numbers of the cloud.
func (c *cloud) nodes() []uint32 {
	nodes := make([]uint32, c.size())
	for i := range nodes {
		nodes[i] = uint32(i)
	}
	return nodes
}

// best returns the k nodes nearest to a query, by looking at all of them.
func (c *cloud) best(q []float32, k int, allowed Allowed) []Hit {
	var all []Hit
	for _, node := range c.nodes() {
		if (allowed == nil || allowed.Has(node)) && !c.stale[node] {
			all = append(all, Hit{node, float64(c.score(q, node))})
		}
	}
	slices.SortFunc(all, Better)
	return all[:min(k, len(all))]
}

// queries draws vectors that lie near vectors of the cloud.
func (c *cloud) queries(rng *rand.Rand, n int) [][]float32 {
	queries := make([][]float32, n)
	for i := range queries {
		queries[i] = gauss(rng, c.Vector(uint32(rng.IntN(c.size()))), 0.5)
	}
	return queries
}

// recall returns the share of the wanted hits that were found.
func recall(got, want []Hit) float64 {
	n := 0
	for _, w := range want {
		if slices.ContainsFunc(got, func(h Hit) bool { return h.Chunk == w.Chunk }) {
			n++
		}
	}
	return float64(n) / float64(max(len(want), 1))
}

// seeded returns a source of random numbers and logs its seed.
func seeded(t testing.TB, seed uint64) *rand.Rand {
	t.Helper()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}
