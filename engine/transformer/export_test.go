package transformer

import (
	"dowse/engine/kernel"
)

// OpenPlanned opens a reranker that runs every pass by plan, and is resident
// or streamed as that says.
func OpenPlanned(path string, k *kernel.Kernel, o CrossEncoderOptions, plan Plan) (*CrossEncoder, error) {
	o.Plan = func([]int) (Plan, error) { return plan, nil }
	return OpenCrossEncoder(path, k, o)
}

// CachedWords is the number of embedding rows that a streamed model keeps.
func (c *CrossEncoder) CachedWords() int { return int(c.cached.order.used) }

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

// LeastRead is the fewest layers that any way of cutting a prompt into rounds
// reads while it is brought through a decoder.
func LeastRead(m Model, limits Limits, tokens int) int {
	r := newDecoderRoom(m, limits)
	if r.resident {
		return 0
	}
	least := -1
	for rows := contextBlock; ; rows += contextBlock {
		rows := min(rows, tokens)
		if kept, ok := r.kept(r.context(tokens), rows); ok {
			if n := (tokens + rows - 1) / rows * (r.layers - kept); least < 0 || n < least {
				least = n
			}
		}
		if rows == tokens {
			return least
		}
	}
}
