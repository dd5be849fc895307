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
