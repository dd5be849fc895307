package indexbench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"dowse/engine/leann"
)

// InvertedFile cuts vectors into lists by the nearest of some centroids. It is
// the index of Edge-RAG (Seemakhupt et al.) without its cache: the vectors are
// not kept, and those of a list are recomputed when the list is probed.
type InvertedFile struct {
	vectors   *Vectors
	centroids []byte // [lists, dim] float32, as a Dotter reads them
	lists     [][]uint32
}

// Training of the centroids: rounds of k-means, and vectors looked at for each.
const (
	listRounds  = 8
	listSamples = 64
	listSeed    = 1
)

// NewInvertedFile learns centroids by spherical k-means (Dhillon and Modha)
// on a sample and cuts all vectors into lists, sqrt(n) of them as usual.
func NewInvertedFile(ctx context.Context, v *Vectors, progress func(done, total int)) (*InvertedFile, error) {
	rng := rand.New(rand.NewPCG(listSeed, 0))
	n := int(math.Round(math.Sqrt(float64(v.Len()))))
	order := rng.Perm(v.Len())
	sampled := order[:min(len(order), n*listSamples)]
	f := &InvertedFile{vectors: v, centroids: v.subset(order[:n]).raw()}
	for round := range listRounds {
		progress(round, listRounds+1)
		lists, err := f.assign(ctx, n, sampled)
		if err != nil {
			return nil, err
		}
		f.move(lists)
	}
	progress(listRounds, listRounds+1)
	all := make([]int, v.Len())
	for i := range all {
		all[i] = i
	}
	lists, err := f.assign(ctx, n, all)
	f.lists = lists
	return f, err
}

// assign puts each of the places into the list of the nearest centroid.
func (f *InvertedFile) assign(ctx context.Context, n int, places []int) ([][]uint32, error) {
	nearestOf := make([]int, len(places))
	scores := make([][]float32, workers())
	err := each(ctx, len(places), len(scores), func(_ context.Context, i, g int) error {
		if scores[g] == nil {
			scores[g] = make([]float32, n)
		}
		f.vectors.Dotter.DotMany(scores[g], f.vectors.Vector(uint32(places[i])), f.centroids)
		for list, score := range scores[g] {
			if score > scores[g][nearestOf[i]] {
				nearestOf[i] = list
			}
		}
		return nil
	})
	lists := make([][]uint32, n)
	for i, list := range nearestOf {
		lists[list] = append(lists[list], uint32(places[i]))
	}
	return lists, err
}

// move puts every centroid into the middle of its list; one without a list
// stays where it is.
func (f *InvertedFile) move(lists [][]uint32) {
	size := 4 * f.vectors.Dim
	for i, list := range lists {
		mean := make([]float32, f.vectors.Dim)
		for _, node := range list {
			for d, x := range f.vectors.Vector(node) {
				mean[d] += x
			}
		}
		length := math.Sqrt(float64(f.vectors.Dot(mean, mean)))
		if length == 0 {
			continue
		}
		for d := range mean {
			mean[d] /= float32(length)
		}
		copy(f.centroids[i*size:], floatBytes(mean))
	}
}

// Bytes is what the index takes: centroids, and the numbers of each list as
// gaps.
func (f *InvertedFile) Bytes() int {
	n := len(f.centroids)
	for _, list := range f.lists {
		n += listBytes(0, list)
	}
	return n
}

// gather is how many vectors are asked for at a time.
const gather = 256

// Search recomputes the members of the nearest lists and returns the k best.
func (f *InvertedFile) Search(ctx context.Context, query []float32, probes, k int, exact leann.Exact) ([]leann.Hit, error) {
	scores := make([]float32, len(f.lists))
	f.vectors.Dotter.DotMany(scores, query, f.centroids)
	lists := nearest{n: min(probes, len(scores))}
	for i, score := range scores {
		lists.offer(leann.Hit{Chunk: uint32(i), Score: float64(score)})
	}
	var members []uint32
	for _, list := range lists.sorted() {
		members = append(members, f.lists[list.Chunk]...)
	}
	return rerank(ctx, query, members, k, f.vectors.Dotter, exact)
}

// rerank asks for the vectors of nodes and returns the k nearest.
func rerank(ctx context.Context, query []float32, nodes []uint32, k int, dot leann.Dotter, exact leann.Exact) ([]leann.Hit, error) {
	best := nearest{n: k}
	dim := len(query)
	vectors, ok := make([]float32, gather*dim), make([]bool, gather)
	for part := range slices.Chunk(nodes, gather) {
		if err := exact.Vectors(ctx, part, vectors, ok); err != nil {
			return nil, fmt.Errorf("recompute vectors: %w", err)
		}
		for i, node := range part {
			if ok[i] {
				best.offer(leann.Hit{Chunk: node, Score: float64(dot.Dot(query, vectors[i*dim:(i+1)*dim]))})
			}
		}
	}
	return best.sorted(), nil
}
