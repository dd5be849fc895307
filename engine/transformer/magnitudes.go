package transformer

import (
	"math"
	"sync"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// inputObserver is told what goes into each projection, by several workers at a time.
type inputObserver interface {
	see(layer, part int, x []float32, weights *kernel.Linear)
}

// magnitudeBits are the bits of a float that its bin leaves out: a bin is 1/128 of
// an octave wide.
const magnitudeBits = 16

// magnitudes counts how large the inputs of a projection are. Counts have no order, so
// that workers do not change what comes out.
type magnitudes [1 << (31 - magnitudeBits)]uint32

// quantile returns a magnitude that a share of the counted ones does not exceed.
func (m *magnitudes) quantile(share float64) float32 {
	total := uint64(0)
	for _, n := range m {
		total += uint64(n)
	}
	wanted, below := uint64(math.Ceil(share*float64(total))), uint64(0)
	for i, n := range m {
		if below += uint64(n); below >= wanted && below > 0 {
			return math.Float32frombits(uint32(i)<<magnitudeBits | 1<<magnitudeBits - 1)
		}
	}
	return 0
}

// inputMagnitudes is an inputObserver that counts, for the thresholds of a model.
type inputMagnitudes struct {
	layers [][pack.Bundles]*magnitudes
	locks  [][pack.Bundles]sync.Mutex
}

func newInputMagnitudes(layers int) *inputMagnitudes {
	m := &inputMagnitudes{layers: make([][pack.Bundles]*magnitudes, layers), locks: make([][pack.Bundles]sync.Mutex, layers)}
	for i := range m.layers {
		for part := range m.layers[i] {
			m.layers[i][part] = new(magnitudes)
		}
	}
	return m
}

func (m *inputMagnitudes) see(layer, part int, x []float32, weights *kernel.Linear) {
	m.locks[layer][part].Lock()
	defer m.locks[layer][part].Unlock()
	counts := m.layers[layer][part]
	for i, v := range x {
		if weights.In != nil {
			v *= weights.In[i%weights.K]
		}
		counts[math.Float32bits(v)&math.MaxInt32>>magnitudeBits]++
	}
}

// thresholds returns those that leave a share of the inputs out.
func (m *inputMagnitudes) thresholds(share float64) Thresholds {
	t := make(Thresholds, len(m.layers))
	for i := range t {
		for part, counts := range m.layers[i] {
			t[i][part] = counts.quantile(share)
		}
	}
	return t
}
