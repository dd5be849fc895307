package transformer

import (
	"context"

	"dowse/engine/kernel"
)

// OpenPlanned opens a reranker that runs every pass by plan, and is resident
// or streamed as that says.
func OpenPlanned(path string, k *kernel.Kernel, o CrossEncoderOptions, plan Plan) (*CrossEncoder, error) {
	o.Plan = func([]int) (Plan, error) { return plan, nil }
	return OpenCrossEncoder(context.Background(), path, k, o)
}

// CachedRows is the number of embedding rows that a streamed model keeps.
func (c *CrossEncoder) CachedRows() int { return c.rows.Len() }

// StoredBits are the keys and values of a context as they lie: bytes and
// scales, layer by layer.
func StoredBits(c *Context) [][]byte {
	var all [][]byte
	for l := range c.layers {
		for _, span := range c.before(l, c.Len()) {
			for _, rows := range []kernel.HeadRows{span.K, span.V} {
				bits := make([]byte, 0, len(rows.Bytes)+2*len(rows.Scale))
				for _, b := range rows.Bytes {
					bits = append(bits, byte(b))
				}
				for _, s := range rows.Scale {
					bits = append(bits, byte(s), byte(s>>8))
				}
				all = append(all, bits)
			}
		}
	}
	return all
}
