package weights

import (
	"dowse/engine/kv"
	"dowse/models/pack"
)

// BlockRows is the most rows of one sequence that are computed at a time. More
// rows no longer make the integer products faster by much: 64 reached 92% and 512
// rows 100% of the rate at 384 channels (go test -bench Linear ./engine/kernel),
// and attention wants its keys and values in the cache.
const BlockRows = 128

// Shape is the sizes of a layer's rows and products.
type Shape struct {
	Hidden int // D
	// Floats of a row in each part of the working memory, and the bytes of its keys and values
	// there (Stored).
	Wide, Attention, Normed, Stored int
	Projections                     [][2]int // inputs and outputs of each
	Heads, KVHeads, HeadDim         int
	Causal                          bool
}

// ShapeOf returns the shape of a model's layers.
func ShapeOf(c *pack.Config) Shape {
	d, f := c.Hidden, c.Intermediate
	switch {
	case c.Static():
		return Shape{Hidden: d}
	case c.Decoder:
		return decoderShape(c)
	case c.Rotates():
		width := c.Heads * c.HeadDim
		qkv := width + 2*c.KVHeads*c.HeadDim
		return Shape{
			Hidden: d, Heads: c.Heads, KVHeads: c.KVHeads, HeadDim: c.HeadDim,
			Wide: max(qkv, 2*f, d), Attention: width, Normed: d,
			Projections: [][2]int{{d, qkv}, {width, d}, {d, 2 * f}, {f, d}},
		}
	}
	return Shape{
		Hidden: d, Heads: c.Heads, KVHeads: c.Heads, HeadDim: d / c.Heads,
		Wide: max(3*d, f), Attention: d,
		Projections: [][2]int{{d, 3 * d}, {d, d}, {d, f}, {f, d}},
	}
}

func decoderShape(c *pack.Config) Shape {
	d, f, width := c.Hidden, c.Intermediate, c.Heads*c.HeadDim
	qkv := width + 2*c.KVHeads*c.HeadDim
	m := &c.Mixture
	if m.Experts > 0 && m.Layers(c.Layers) == c.Layers {
		f = m.Width // no layer has another feed-forward part
	}
	s := Shape{
		Hidden: d, Heads: c.Heads, KVHeads: c.KVHeads, HeadDim: c.HeadDim, Causal: true,
		Wide: max(qkv, 2*f, 2*m.Width), Attention: width, Normed: d, Stored: kv.RowBytes(c.KVHeads, c.HeadDim),
		Projections: [][2]int{{d, qkv}, {width, d}, {d, 2 * f}, {f, d}},
	}
	if m.Experts > 0 {
		s.Projections = append(s.Projections, [2]int{d, 2 * m.Width}, [2]int{m.Width, d})
	}
	return s
}

// RowBytes returns the bytes of a row in all parts of the working memory.
func (s *Shape) RowBytes() int { return 4*(s.Wide+s.Attention+s.Normed) + s.Stored }

// scratch bounds the kernels' working memory for some rows and keys, in bytes: that of a
// projection or of attention, whichever is larger.
func (s *Shape) scratch(rows, keys int) int {
	size := 0
	for _, p := range s.Projections {
		k, n := p[0], p[1]
		// Quantised rows and their scales, the integer product, a panel of
		// weights and a block of rows as the kernel packs them.
		panel, block := max(128*(k+4), 160<<10), max(384<<10, 12*(k+4))
		size = max(size, rows*(k+16)+4*rows*n+panel+block)
	}
	keys, width := padded(keys), padded(s.HeadDim)
	if s.Causal {
		// Queries, results and scores of at most 16 rows, which share 384 KiB
		// of scores unless one row has more, 32 vectors of a head, and where the
		// spans of a cache lie, 96 bytes for each chunk of at least 16 tokens.
		scores := max(384<<10, 4*s.Heads*keys)
		return max(size, 16*s.Heads*width*8+scores+128*width+6*keys+4096)
	}
	// Of one head: keys and values, padded, and the scores of some queries.
	return max(size, 4*(2*keys*width+16*(keys+width)))
}

// padded rounds up to whole vectors of 16 floats.
func padded(n int) int { return (n + 15) &^ 15 }

// rowsPerWorker is the smallest share of a batch worth another worker: fewer rows cost
// little more than reading the weights, which each worker does.
const rowsPerWorker = 32

// RowParts returns how many workers a batch of rows is worth.
func RowParts(workers, rows int) int { return min(workers, max(1, rows/rowsPerWorker)) }

// mostRows returns the most rows of a block that one worker gets.
func mostRows(workers int) int {
	most := 0
	for rows := 1; rows <= BlockRows; rows++ {
		parts := RowParts(workers, rows)
		most = max(most, (rows+parts-1)/parts)
	}
	return most
}
