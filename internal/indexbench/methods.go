package indexbench

import (
	"context"

	"dowse/engine/leann"
)

// Grids of the sweeps. Steps are some 20% apart.
var (
	keeps  = []int{3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 24, 28, 33, 40, 48, 57, 68, 80, 95, 115, 135, 160, 190, 225, 270, 320, 380, 450, 540, 640, 760, 900, 1100}
	ratios = []float64{0.1, 0.2, 0.3, 0.5, 0.7}
	beams  = []int{10, 100, 300}
	seeds  = []int{50, 100, 200, 400}
	// reranks and probes reach up to everything.
	reranks = []int{3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 24, 28, 33, 40, 48, 57, 68, 80, 95, 115, 135, 160, 190, 225, 270, 320, 380, 450, 540, 640, 760, 900, 1100, 2000, 5000, 10000}
	probes  = []int{1, 2, 3, 4, 6, 8, 11, 14, 18, 24, 32, 42, 55, 72, 96, 128, 170, 220, 300}
	// hubShares are the shares of the nodes of most links that are kept.
	hubShares = []float64{0, 0.02, 0.05, 0.1}
)

// indexes are everything that is built over one collection.
type indexes struct {
	graph     *leann.Graph // with which LEANN searches
	quantized *Quantized
	probes    [][]float32 // vectors of passages that tell what searches visit
}

// walkGraph opens searches that walk a graph, by estimates too if there are
// codes.
func walkGraph(g *leann.Graph, q *Quantized, dot leann.Dotter) func() search {
	return func() search {
		searcher := leann.Searcher{Graph: g, Dot: dot}
		if q != nil {
			searcher.Codes = q.codes
		}
		return func(ctx context.Context, query []float32, s Setting, exact leann.Exact) ([]leann.Hit, error) {
			searcher.Exact = exact
			req := leann.Request{Query: query, K: truthDepth, Params: leann.Params{Keep: s.Keep, Ratio: s.Ratio, Beam: s.Beam, Batch: s.Batch}}
			if s.Seeds > 0 {
				req.Seeds = numbers(q.Scan(query, s.Seeds))
			}
			found, err := searcher.Search(ctx, req)
			return found.Hits, err
		}
	}
}

// exactWalk is LEANN's Algorithm 1: every node met is recomputed.
func exactWalk(name string, c *Collection, g *leann.Graph) *method {
	ladder := make([]Setting, 0, len(keeps))
	for _, keep := range sortedGrid(min(c.Vectors.Len(), keeps[len(keeps)-1]), keeps...) {
		ladder = append(ladder, Setting{Ratio: 1, Keep: keep, Batch: 1})
	}
	return &method{
		name: name, bytes: float64(g.StoredBytes()), ladders: [][]Setting{ladder},
		open: walkGraph(g, nil, c.Vectors.Dotter),
	}
}

// storedWalk is the same walk where the vectors are stored: HNSW.
func storedWalk(c *Collection, g *leann.Graph) *method {
	m := exactWalk("HNSW, stored vectors", c, g)
	m.stored = true
	m.bytes += c.Vectors.vectorBytes(c.Vectors.Len())
	return m
}

// twoLevel is LEANN's Algorithm 2, with dynamic batching if batch is above 1.
func twoLevel(name string, c *Collection, x *indexes, batch int) *method {
	return guidedWalk(name, c, x, beams, func(beam int) Setting { return Setting{Beam: beam, Batch: batch} })
}

// seededWalk is a two-level search that begins from the best of all codes.
func seededWalk(name string, c *Collection, x *indexes, batch int) *method {
	return guidedWalk(name, c, x, seeds, func(n int) Setting { return Setting{Seeds: n, Batch: batch} })
}

// guidedWalk is a walk that estimates guide, from where each of starts says
// that it begins.
func guidedWalk(name string, c *Collection, x *indexes, starts []int, begin func(start int) Setting) *method {
	m := &method{
		name: name, bytes: float64(x.graph.StoredBytes() + x.quantized.Bytes()),
		open: walkGraph(x.graph, x.quantized, c.Vectors.Dotter),
	}
	for _, ratio := range ratios {
		for _, start := range starts {
			var ladder []Setting
			for _, keep := range keeps {
				setting := begin(start)
				setting.Ratio, setting.Keep = ratio, keep
				ladder = append(ladder, setting)
			}
			m.ladders = append(m.ladders, ladder)
		}
	}
	return m
}

// scannedCodes estimates all scores and recomputes the best.
func scannedCodes(c *Collection, q *Quantized) *method {
	var ladder []Setting
	for _, n := range sortedGrid(c.Vectors.Len(), reranks...) {
		ladder = append(ladder, Setting{Rerank: n})
	}
	return &method{
		name: "codes, scanned", bytes: float64(q.Bytes()), ladders: [][]Setting{ladder},
		open: func() search {
			return func(ctx context.Context, query []float32, s Setting, exact leann.Exact) ([]leann.Hit, error) {
				return rerank(ctx, query, numbers(q.Scan(query, s.Rerank)), truthDepth, c.Vectors.Dotter, exact)
			}
		},
	}
}

// codesOnly ranks by estimate and recomputes nothing.
func codesOnly(q *Quantized) *method {
	return &method{
		name: "PQ codes only", bytes: float64(q.Bytes()),
		open: func() search {
			return func(_ context.Context, query []float32, _ Setting, _ leann.Exact) ([]leann.Hit, error) {
				return q.Scan(query, truthDepth), nil
			}
		},
	}
}

// probedLists recomputes the members of the nearest lists.
func probedLists(f *InvertedFile) *method {
	var ladder []Setting
	for _, n := range sortedGrid(len(f.lists), probes...) {
		ladder = append(ladder, Setting{Probes: n})
	}
	return &method{
		name: "IVF, recomputed", bytes: float64(f.Bytes()), ladders: [][]Setting{ladder},
		open: func() search {
			return func(ctx context.Context, query []float32, s Setting, exact leann.Exact) ([]leann.Hit, error) {
				return f.Search(ctx, query, s.Probes, truthDepth, exact)
			}
		},
	}
}
