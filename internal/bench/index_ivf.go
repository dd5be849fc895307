package bench

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"dowse/engine/leann"
)

// invertedFile cuts vectors into lists by the nearest of some centroids. It is
// the index of Edge-RAG (Seemakhupt et al.) without its cache: the vectors are
// not kept, and those of a list are recomputed when the list is probed.
type invertedFile struct {
	vectors   *Vectors
	centroids []float32 // [lists, dim]
	lists     [][]uint32
}

// Training of the centroids: rounds of k-means, and vectors looked at for each.
const (
	listRounds  = 8
	listSamples = 64
	listSeed    = 1
)

// probes are the numbers of lists that are tried, up to all.
var probes = []int{1, 2, 3, 4, 6, 8, 11, 14, 18, 24, 32, 42, 55, 72, 96, 128, 170, 220, 300}

// invertedFile is the search of an inverted file.
func (b *comparison) invertedFile(ctx context.Context, c *searched) ([]*method, error) {
	f, err := newInvertedFile(ctx, c.Vectors, b.progress)
	if err != nil {
		return nil, err
	}
	var ladder []setting
	for _, n := range upTo(len(f.lists), probes) {
		ladder = append(ladder, setting{Probes: n})
	}
	return []*method{{name: "IVF, recomputed", bytes: float64(f.bytes()), ladders: [][]setting{ladder}, open: func() search { return f.search }}}, nil
}

// newInvertedFile learns centroids by spherical k-means (Dhillon and Modha)
// on a sample and cuts all vectors into lists, sqrt(n) of them as usual.
func newInvertedFile(ctx context.Context, v *Vectors, progress Progress) (*invertedFile, error) {
	rng := rand.New(rand.NewPCG(listSeed, 0))
	n := int(math.Round(math.Sqrt(float64(v.Len()))))
	order := make([]uint32, 0, v.Len())
	for _, place := range rng.Perm(v.Len()) {
		order = append(order, uint32(place))
	}
	f := &invertedFile{vectors: v}
	for _, node := range slices.Sorted(slices.Values(order[:n])) {
		f.centroids = append(f.centroids, v.Vector(node)...)
	}
	for round := range listRounds {
		progress("cutting lists", round, listRounds+1)
		if err := f.assign(ctx, n, order[:min(len(order), n*listSamples)]); err != nil {
			return nil, err
		}
		f.move()
	}
	progress("cutting lists", listRounds, listRounds+1)
	return f, f.assign(ctx, n, v.nodes())
}

// assign puts each of the nodes into the list of the nearest centroid.
func (f *invertedFile) assign(ctx context.Context, n int, nodes []uint32) error {
	raw := floatBytes(f.centroids)
	nearestOf := make([]int, len(nodes))
	err := each(ctx, len(nodes), workers(), func(_ context.Context, i, _ int) error {
		scores := make([]float32, n)
		f.vectors.Dotter.DotMany(scores, f.vectors.Vector(nodes[i]), raw)
		for list, score := range scores {
			if score > scores[nearestOf[i]] {
				nearestOf[i] = list
			}
		}
		return nil
	})
	f.lists = make([][]uint32, n)
	for i, list := range nearestOf {
		f.lists[list] = append(f.lists[list], nodes[i])
	}
	return err
}

// move puts every centroid into the middle of its list; one without a list
// stays where it is.
func (f *invertedFile) move() {
	for i, list := range f.lists {
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
			f.centroids[i*f.vectors.Dim+d] = mean[d] / float32(length)
		}
	}
}

// bytes is what the index takes: centroids, and of each list its length and the
// numbers of its members as gaps, as integers of variable length.
func (f *invertedFile) bytes() int {
	var lists []byte
	for _, list := range f.lists {
		lists = binary.AppendUvarint(lists, uint64(len(list)))
		last := uint32(0)
		for i, node := range list {
			if i == 0 {
				lists = binary.AppendVarint(lists, int64(node))
			} else {
				lists = binary.AppendUvarint(lists, uint64(node-last))
			}
			last = node
		}
	}
	return 4*len(f.centroids) + len(lists)
}

// gather is how many vectors are asked for at a time.
const gather = 256

// search recomputes the members of the nearest lists and returns the best.
func (f *invertedFile) search(ctx context.Context, query []float32, s setting, exact leann.Exact) ([]leann.Hit, error) {
	lists := make([]leann.Hit, len(f.lists))
	dim := f.vectors.Dim
	for i := range lists {
		lists[i] = leann.Hit{Chunk: uint32(i), Score: float64(f.vectors.Dot(query, f.centroids[i*dim:(i+1)*dim]))}
	}
	var members []uint32
	for _, list := range best(lists, s.Probes) {
		members = append(members, f.lists[list.Chunk]...)
	}
	var hits []leann.Hit
	vectors, ok := make([]float32, gather*dim), make([]bool, gather)
	for part := range slices.Chunk(members, gather) {
		if err := exact.Vectors(ctx, part, vectors, ok); err != nil {
			return nil, fmt.Errorf("recompute vectors: %w", err)
		}
		for i, node := range part {
			if ok[i] {
				hits = append(hits, leann.Hit{Chunk: node, Score: float64(f.vectors.Dot(query, vectors[i*dim:(i+1)*dim]))})
			}
		}
	}
	return best(hits, truthDepth), nil
}

// best are the n hits of the highest score, of equal ones those of the lower number.
func best(hits []leann.Hit, n int) []leann.Hit {
	slices.SortFunc(hits, func(a, b leann.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
	})
	return hits[:min(n, len(hits))]
}
