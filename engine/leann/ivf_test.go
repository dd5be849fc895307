package leann

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// invertedFile cuts vectors into lists by the nearest of some centroids. It is the
// index of Edge-RAG (Seemakhupt et al.) without its cache: no vectors are kept, and
// those of a list are recomputed when the list is probed.
type invertedFile struct {
	cloud     *cloud
	centroids []float32 // [lists, dim]
	lists     [][]uint32
}

// Training of the centroids: rounds of k-means, and vectors looked at for each.
const (
	listRounds  = 8
	listSamples = 64
	listSeed    = 1
)

// newInvertedFile learns centroids by spherical k-means (Dhillon and Modha) on a
// sample and cuts all vectors into lists, sqrt(n) of them as usual.
func newInvertedFile(c *cloud) *invertedFile {
	rng := rand.New(rand.NewPCG(listSeed, 0))
	n := int(math.Round(math.Sqrt(float64(c.size()))))
	order := make([]uint32, 0, c.size())
	for _, place := range rng.Perm(c.size()) {
		order = append(order, uint32(place))
	}
	f := &invertedFile{cloud: c}
	for _, node := range slices.Sorted(slices.Values(order[:n])) {
		f.centroids = append(f.centroids, c.Vector(node)...)
	}
	for range listRounds {
		f.assign(n, order[:min(len(order), n*listSamples)])
		f.move()
	}
	f.assign(n, c.nodes())
	return f
}

func (f *invertedFile) centroid(i int) []float32 {
	return f.centroids[i*f.cloud.dim : (i+1)*f.cloud.dim]
}

// assign puts each of the nodes into the list of the nearest centroid.
func (f *invertedFile) assign(n int, nodes []uint32) {
	f.lists = make([][]uint32, n)
	for _, node := range nodes {
		nearest, highest := 0, float32(math.Inf(-1))
		for i := range n {
			if score := f.cloud.Dot(f.cloud.Vector(node), f.centroid(i)); score > highest {
				nearest, highest = i, score
			}
		}
		f.lists[nearest] = append(f.lists[nearest], node)
	}
}

// move puts every centroid into the middle of its list; one without a list stays
// where it is.
func (f *invertedFile) move() {
	for i, list := range f.lists {
		mean := make([]float32, f.cloud.dim)
		for _, node := range list {
			for d, x := range f.cloud.Vector(node) {
				mean[d] += x
			}
		}
		if length := math.Sqrt(float64(f.cloud.Dot(mean, mean))); length > 0 {
			for d := range mean {
				f.centroid(i)[d] = mean[d] / float32(length)
			}
		}
	}
}

// bytes returns what the index takes: centroids, and of each list its length and the
// numbers of its members as gaps, as integers of variable length.
func (f *invertedFile) bytes() int {
	var lists []byte
	for _, list := range f.lists {
		lists = binary.AppendUvarint(lists, uint64(len(list)))
		last := uint32(0)
		for _, node := range list {
			lists = binary.AppendUvarint(lists, uint64(node-last))
			last = node
		}
	}
	return 4*len(f.centroids) + len(lists)
}

// search recomputes the members of the nearest lists and returns the best k.
func (f *invertedFile) search(ctx context.Context, query []float32, probes, k int, exact Exact) ([]Hit, error) {
	lists := make([]Hit, len(f.lists))
	for i := range lists {
		lists[i] = Hit{Chunk: uint32(i), Score: float64(f.cloud.Dot(query, f.centroid(i)))}
	}
	slices.SortFunc(lists, better)
	var members []uint32
	for _, list := range lists[:min(probes, len(lists))] {
		members = append(members, f.lists[list.Chunk]...)
	}
	vectors, ok := make([]float32, len(members)*f.cloud.dim), make([]bool, len(members))
	if err := exact.Vectors(ctx, members, vectors, ok); err != nil {
		return nil, fmt.Errorf("recompute vectors: %w", err)
	}
	hits := make([]Hit, len(members))
	for i, node := range members {
		hits[i] = Hit{Chunk: node, Score: float64(f.cloud.Dot(query, vectors[i*f.cloud.dim:(i+1)*f.cloud.dim]))}
	}
	slices.SortFunc(hits, better)
	return hits[:min(k, len(hits))], nil
}
