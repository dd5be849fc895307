package bench

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"dowse/engine/leann"
)

// Grids of the sweeps. Steps are some 20% apart; reranks reach up to everything.
var (
	keeps   = []int{3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 24, 28, 33, 40, 48, 57, 68, 80, 95, 115, 135, 160, 190, 225, 270, 320, 380, 450, 540, 640, 760, 900, 1100}
	ratios  = []float64{0.1, 0.2, 0.3, 0.5, 0.7}
	beams   = []int{10, 100, 300}
	reranks = append(slices.Clone(keeps), 2000, 5000, 10000)
)

// upTo returns the values below n, and n itself at the end.
func upTo(n int, values []int) []int {
	values = slices.DeleteFunc(slices.Clone(values), func(v int) bool { return v >= n })
	return append(values, n)
}

// rotates reports whether codes of vectors come from a rotated codebook, as dowse's
// own do from some size on. Every method that is compared gets the same kind.
func rotates(v *Vectors) bool { return v.Len() >= leann.RotateChunks }

// Shapes of LEANN's graph: hubs have the links of HNSW with M=32, all others so few
// that the graph keeps about half of them.
var (
	hubShape   = leann.Shape{Own: 32, Cap: 64, Beam: 128}
	otherShape = leann.Shape{Own: 15, Cap: 30, Beam: 128}
)

// graphs are LEANN's searches on a graph in which hubs keep their links.
func (b *comparison) graphs(ctx context.Context, c *searched) ([]*method, error) {
	step := func(phase string) func(done int) {
		return func(done int) {
			if done%256 == 0 {
				b.progress(phase, done, c.Len())
			}
		}
	}
	full := leann.NewGraph()
	if err := leann.NewBuilder(full, c, hubShape).Insert(ctx, c.nodes(), step("building a graph")); err != nil {
		return nil, fmt.Errorf("build a graph: %w", err)
	}
	graph, err := leann.PruneHubs(ctx, full, c, hubShape, otherShape, step("pruning it"))
	if err != nil {
		return nil, fmt.Errorf("prune a graph: %w", err)
	}
	if _, err := leann.NewBuilder(graph, c, otherShape).Repair(ctx); err != nil {
		return nil, fmt.Errorf("link lost nodes again: %w", err)
	}
	codes, codeBytes, err := b.codes(ctx, c)
	if err != nil {
		return nil, err
	}
	return []*method{
		// Algorithm 1: every node met is recomputed.
		graphWalk("LEANN, a=1", float64(graph.StoredBytes()), leann.Searcher{Graph: graph, Dot: c.Dotter}, []float64{1}, []int{0}),
		// Algorithm 2: estimates guide.
		graphWalk("LEANN, two-level", float64(graph.StoredBytes()+codeBytes), leann.Searcher{Graph: graph, Dot: c.Dotter, Codes: codes}, ratios, beams),
	}, nil
}

// codes are the product-quantized codes of all vectors, and the bytes that they and
// their codebook take.
func (b *comparison) codes(ctx context.Context, c *searched) (*leann.Codes, int, error) {
	b.progress("quantizing", 0, 1)
	parts := min(2*b.codeBytes, c.Dim)
	book, err := leann.Train(ctx, c.Values, c.Dim, parts)
	if rotates(c.Vectors) {
		book, err = leann.TrainRotated(ctx, c.Dotter, c.Values, c.Dim, parts)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("train a codebook: %w", err)
	}
	codes := leann.NewCodes(book)
	for _, node := range c.nodes() {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		codes.Set(node, c.Vector(node))
	}
	return codes, c.Len()*book.CodeBytes() + len(book.Append(nil)), nil
}

// graphWalk is a search of a graph.
func graphWalk(name string, bytes float64, s leann.Searcher, ratios []float64, beams []int) *method {
	m := &method{name: name, bytes: bytes, open: func() search {
		searcher := s // each has room of its own to work in
		return func(ctx context.Context, query []float32, s setting, exact leann.Exact) ([]leann.Hit, error) {
			searcher.Exact = exact
			found, err := searcher.Search(ctx, leann.Request{
				Query: query, K: truthDepth, Params: leann.Params{Keep: s.Keep, Ratio: s.Ratio, Beam: s.Beam, Batch: s.Batch},
			})
			return found.Hits, err
		}
	}}
	for _, ratio := range ratios {
		for _, beam := range beams {
			ladder := make([]setting, len(keeps))
			for i, keep := range keeps {
				ladder[i] = setting{Ratio: ratio, Beam: beam, Keep: keep, Batch: 1}
			}
			m.ladders = append(m.ladders, ladder)
		}
	}
	return m
}

// ownIndex is the index that dowse itself uses, in its stored form.
func (b *comparison) ownIndex(ctx context.Context, c *searched) ([]*method, error) {
	b.progress("settling vectors", 0, 1)
	index, store := leann.Index{Dim: c.Dim, Dot: c.Dotter}, newBlocks(c.Vectors)
	opts := leann.SettleOptions{CodeBytes: b.codeBytes, RotateFrom: math.MaxInt}
	if rotates(c.Vectors) {
		opts.RotateFrom = 1
	}
	if _, err := index.Settle(ctx, store, opts); err != nil {
		return nil, fmt.Errorf("settle vectors: %w", err)
	}
	m := &method{name: "dowse's index", bytes: float64(store.bytes()), open: func() search {
		return func(ctx context.Context, query []float32, s setting, exact leann.Exact) ([]leann.Hit, error) {
			found, err := index.Search(ctx, store, exact, leann.Query{Vector: query, Depth: truthDepth, Batch: s.Batch, Recompute: s.Rerank})
			return found.Hits, err
		}
	}}
	var ladder []setting
	for _, n := range upTo(c.Len(), reranks) {
		ladder = append(ladder, setting{Rerank: n, Batch: 2 * workers()})
	}
	m.ladders = [][]setting{ladder}
	return []*method{m}, nil
}

// blocks is a leann.Writer over maps: what the store would keep of dowse's index.
type blocks struct {
	parts map[leann.Part]map[uint32][]byte
	runs  map[uint32][]byte // of stored vectors, by their first chunk
}

// storeRun is how many vectors a run holds.
const storeRun = 64

func newBlocks(v *Vectors) *blocks {
	s := &blocks{parts: map[leann.Part]map[uint32][]byte{}, runs: map[uint32][]byte{}}
	for first := 0; first < v.Len(); first += storeRun {
		s.runs[uint32(first)] = floatBytes(v.Values[first*v.Dim : min(first+storeRun, v.Len())*v.Dim])
	}
	return s
}

// Block implements leann.Reader.
func (s *blocks) Block(part leann.Part, key uint32) ([]byte, error) { return s.parts[part][key], nil }

// EachBlock implements leann.Reader.
func (s *blocks) EachBlock(part leann.Part, f func(key uint32, value []byte) error) error {
	return ascending(s.parts[part], f)
}

// Vectors implements leann.Reader.
func (s *blocks) Vectors(f func(first uint32, raw []byte) error) error { return ascending(s.runs, f) }

func ascending(values map[uint32][]byte, f func(key uint32, value []byte) error) error {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if err := f(key, values[key]); err != nil {
			return err
		}
	}
	return nil
}

// PutBlock implements leann.Writer.
func (s *blocks) PutBlock(part leann.Part, key uint32, value []byte) error {
	if s.parts[part] == nil {
		s.parts[part] = map[uint32][]byte{}
	}
	s.parts[part][key] = value
	return nil
}

// DeleteBlock implements leann.Writer.
func (s *blocks) DeleteBlock(part leann.Part, key uint32) error {
	delete(s.parts[part], key)
	return nil
}

// DeleteVectors implements leann.Writer.
func (s *blocks) DeleteVectors(first uint32) error {
	delete(s.runs, first)
	return nil
}

// bytes is what all values take.
func (s *blocks) bytes() (n int) {
	for _, values := range s.parts {
		for _, value := range values {
			n += len(value)
		}
	}
	for _, run := range s.runs {
		n += len(run)
	}
	return n
}
