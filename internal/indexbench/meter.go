package indexbench

import (
	"context"
	"time"
)

// meter is the leann.Exact of a measurement: it hands out vectors that are at
// hand and counts what embedding their passages again would take. It serves
// one search at a time.
type meter struct {
	vectors *Vectors
	cached  []bool // by node: its vector is kept; nil: none is
	cost    EmbedCost

	asked   int           // vectors
	hits    int           // of those, the ones kept
	millis  float64       // embedding the others would take
	handing time.Duration // time spent handing out
}

// Vectors implements leann.Exact.
func (m *meter) Vectors(_ context.Context, nodes []uint32, dst []float32, ok []bool) error {
	start := time.Now()
	missing := 0
	for i, node := range nodes {
		copy(dst[i*m.vectors.Dim:], m.vectors.Vector(node))
		ok[i] = true
		if m.cached == nil || !m.cached[node] {
			missing++
		}
	}
	m.asked += len(nodes)
	m.hits += len(nodes) - missing
	m.millis += m.cost.Of(missing)
	m.handing += time.Since(start)
	return nil
}

// reset empties the counters.
func (m *meter) reset() { m.asked, m.hits, m.millis, m.handing = 0, 0, 0, 0 }
