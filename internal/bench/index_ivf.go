package bench

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"dowse/engine/leann"
)

// invertedFile cuts vectors into lists by the nearest of some centroids. It is the
// index of Edge-RAG (Seemakhupt et al.) without its cache: no vectors are kept, and
// those of a list are recomputed when the list is probed.
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

// newInvertedFile learns centroids by spherical k-means (Dhillon and Modha) on a
// sample and cuts all vectors into lists, sqrt(n) of them as usual.
func newInvertedFile(ctx context.Context, c *Vectors) (*invertedFile, error) {
	rng := rand.New(rand.NewPCG(listSeed, 0))
	n := int(math.Round(math.Sqrt(float64(c.Len()))))
	order := make([]uint32, 0, c.Len())
	for _, place := range rng.Perm(c.Len()) {
		order = append(order, uint32(place))
	}
	f := &invertedFile{vectors: c}
	for _, node := range slices.Sorted(slices.Values(order[:n])) {
		f.centroids = append(f.centroids, c.Vector(node)...)
	}
	for range listRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.assign(n, order[:min(len(order), n*listSamples)])
		f.move()
	}
	slices.Sort(order)
	f.assign(n, order)
	return f, ctx.Err()
}

func (f *invertedFile) centroid(i int) []float32 {
	return f.centroids[i*f.vectors.Dim : (i+1)*f.vectors.Dim]
}

// assign puts each of the nodes into the list of the nearest centroid.
func (f *invertedFile) assign(n int, nodes []uint32) {
	f.lists = make([][]uint32, n)
	for _, node := range nodes {
		nearest, highest := 0, float32(math.Inf(-1))
		for i := range n {
			if score := f.vectors.Dotter.Dot(f.vectors.Vector(node), f.centroid(i)); score > highest {
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
		mean := make([]float32, f.vectors.Dim)
		for _, node := range list {
			for d, x := range f.vectors.Vector(node) {
				mean[d] += x
			}
		}
		if length := math.Sqrt(float64(f.vectors.Dotter.Dot(mean, mean))); length > 0 {
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

// probes returns, for a query, how many vectors the nearest list takes, the nearest two and
// so on, and in which list by that order each of some chunks is.
func (f *invertedFile) probes(query []float32, chunks []uint32) (members []int, in []int) {
	lists := make([]leann.Hit, len(f.lists))
	for i := range lists {
		lists[i] = leann.Hit{Chunk: uint32(i), Score: float64(f.vectors.Dotter.Dot(query, f.centroid(i)))}
	}
	slices.SortFunc(lists, func(a, b leann.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
	})
	in = make([]int, len(chunks))
	total := 0
	for rank, l := range lists {
		total += len(f.lists[l.Chunk])
		members = append(members, total)
		for i, chunk := range chunks {
			if slices.Contains(f.lists[l.Chunk], chunk) {
				in[i] = rank
			}
		}
	}
	return members, in
}
