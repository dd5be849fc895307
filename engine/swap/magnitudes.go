package swap

import (
	"math"
	"sync"

	"dowse/models/pack"
)

// magnitudeBits are the low bits of a float that its bin ignores: a bin is 1/128 of an
// octave wide.
const magnitudeBits = 16

// magnitudes counts how large the inputs of a projection are, by bin. Counts have no
// order, so workers do not change the result.
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

// upTo returns how many of the counted magnitudes a threshold, which quantile returned,
// leaves out, and how many there are.
func (m *magnitudes) upTo(threshold float32) (out, all uint64) {
	last := math.Float32bits(threshold) >> magnitudeBits
	for i, n := range m {
		if all += uint64(n); uint32(i) <= last {
			out += uint64(n)
		}
	}
	return out, all
}

// Magnitudes is an Observer that counts how large the inputs of each projection are, for
// the thresholds of a model.
type Magnitudes struct {
	layers [][pack.Bundles]*magnitudes
	locks  [][pack.Bundles]sync.Mutex
}

// NewMagnitudes returns empty counts for a model of that many layers.
func NewMagnitudes(layers int) *Magnitudes {
	m := &Magnitudes{layers: make([][pack.Bundles]*magnitudes, layers), locks: make([][pack.Bundles]sync.Mutex, layers)}
	for i := range m.layers {
		for part := range m.layers[i] {
			m.layers[i][part] = new(magnitudes)
		}
	}
	return m
}

// See implements Observer.
func (m *Magnitudes) See(layer int, b pack.Bundle, x []float32, w *pack.Linear) {
	m.locks[layer][b].Lock()
	defer m.locks[layer][b].Unlock()
	counts := m.layers[layer][b]
	for i, v := range x {
		if w.In != nil {
			v *= w.In[i%w.K]
		}
		counts[math.Float32bits(v)&math.MaxInt32>>magnitudeBits]++
	}
}

// Thresholds returns those that leave a share of the inputs out.
func (m *Magnitudes) Thresholds(share float64) Thresholds {
	t := make(Thresholds, len(m.layers))
	for i := range t {
		for part, counts := range m.layers[i] {
			t[i][part] = counts.quantile(share)
		}
	}
	return t
}

// Share returns the share of the inputs that thresholds leave out.
func (m *Magnitudes) Share(t Thresholds) float64 {
	out, all := uint64(0), uint64(0)
	for i := range t {
		for part, counts := range m.layers[i] {
			o, a := counts.upTo(t[i][part])
			out, all = out+o, all+a
		}
	}
	return float64(out) / float64(max(1, all))
}
