package transformer

import "dowse/models/pack"

// shape is how large the rows and the products of a layer are.
type shape struct {
	hidden int // D
	// Floats of a row in each part of a Workspace, and the bytes that its keys
	// and values take there.
	wide, mixed, normed, stored int
	projections                 [][2]int // inputs and outputs of each
	heads, kvHeads, headDim     int
	causal                      bool
}

// shapeOf derives it from a configuration.
func shapeOf(c *pack.Config) shape {
	d, f := c.Hidden, c.Intermediate
	if c.Decoder {
		return decoderShape(c)
	}
	return shape{
		hidden: d, heads: c.Heads, kvHeads: c.Heads, headDim: d / c.Heads,
		wide: max(3*d, f), mixed: d,
		projections: [][2]int{{d, 3 * d}, {d, d}, {d, f}, {f, d}},
	}
}

func decoderShape(c *pack.Config) shape {
	d, f, width := c.Hidden, c.Intermediate, c.Heads*c.HeadDim
	qkv := width + 2*c.KVHeads*c.HeadDim
	return shape{
		hidden: d, heads: c.Heads, kvHeads: c.KVHeads, headDim: c.HeadDim, causal: true,
		wide: max(qkv, 2*f), mixed: width, normed: d, stored: keyValueBytes(c.KVHeads, c.HeadDim),
		projections: [][2]int{{d, qkv}, {width, d}, {d, 2 * f}, {f, d}},
	}
}

// row is the bytes of a row in all parts of a Workspace.
func (s *shape) row() int { return 4*(s.wide+s.mixed+s.normed) + s.stored }

// scratch bounds what the kernels need for so many rows and keys, in bytes:
// the larger of what a projection and what attention takes.
func (s *shape) scratch(rows, keys int) int {
	size := 0
	for _, p := range s.projections {
		k, n := p[0], p[1]
		// Quantised rows and their scales, the integer product, a panel of
		// weights and a block of rows as the kernel packs them.
		panel, block := max(128*(k+4), 160<<10), max(384<<10, 12*(k+4))
		size = max(size, rows*(k+16)+4*rows*n+panel+block)
	}
	keys, width := padded(keys), padded(s.headDim)
	if s.causal {
		// Queries, results and scores of at most 16 rows, which share 384 KiB
		// of scores unless one row has more, and 32 vectors of a head.
		scores := max(384<<10, 4*s.heads*keys)
		return max(size, 16*s.heads*width*8+scores+128*width+4096)
	}
	// Of one head: keys and values, padded, and the scores of some queries.
	return max(size, 4*(2*keys*width+16*(keys+width)))
}

// padded rounds up to whole vectors of 16 floats.
func padded(n int) int { return (n + 15) &^ 15 }
