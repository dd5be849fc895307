package swap

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"dowse/models/pack"
)

// Sparsity says which input channels of projections a decoder leaves out while it
// continues a text, of a model whose weights do not fit into memory (ActiveFlow 4.1).
// Prompts are computed in full.
type Sparsity struct {
	Level      float64 // share of channels that is left out, about
	Thresholds Thresholds
}

// Thresholds are, by layer and projection, the magnitudes that an input times its scale
// must exceed to be active. The magnitude alone is the criterion: times the norm of the
// channel's weights it does worse (SmolLM2-135M, perplexity +51% against +46% at .5).
type Thresholds [][pack.Bundles]float32

// Check returns what is wrong with a sparsity for a model; nil is one for any.
func (s *Sparsity) Check(c *pack.Config) error {
	if s == nil {
		return nil
	}
	if !(s.Level > 0 && s.Level < 1) {
		return fmt.Errorf("a sparsity of %g; want one between 0 and 1", s.Level)
	}
	if len(s.Thresholds) != c.Layers {
		return fmt.Errorf("thresholds of %d layers, the model has %d", len(s.Thresholds), c.Layers)
	}
	for i, layer := range s.Thresholds {
		for part, v := range layer {
			if !(v >= 0) || math.IsInf(float64(v), 1) {
				return fmt.Errorf("layer %d: a threshold of %g for projection %d", i, v, part)
			}
		}
	}
	return nil
}

// Identify changes the fingerprint of a model by what is left out of it: keys and
// values of one sparsity are not those of another.
func (s *Sparsity) Identify(sum [32]byte) [32]byte {
	data := sum[:]
	for _, layer := range s.Thresholds {
		for _, v := range layer {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
	}
	return sha256.Sum256(data)
}

// Observer is told the inputs x [rows,K] of each projection w, before w.In multiplies
// them, by several workers at a time.
type Observer interface {
	See(layer int, b pack.Bundle, x []float32, w *pack.Linear)
}

// activeCounts is an Observer that counts how often a channel is above its threshold
// while a prompt is computed in full.
type activeCounts struct {
	thresholds Thresholds
	mu         sync.Mutex
	counts     [][pack.Bundles][]int32 // [layers], [channels]
}

func newActiveCounts(t Thresholds, l pack.RowLayout) *activeCounts {
	a := &activeCounts{thresholds: t, counts: make([][pack.Bundles][]int32, l.Layers)}
	for i := range a.counts {
		for b := range pack.Bundles {
			a.counts[i][b] = make([]int32, l.Channels[b])
		}
	}
	return a
}

// See implements Observer.
func (a *activeCounts) See(layer int, b pack.Bundle, x []float32, w *pack.Linear) {
	a.mu.Lock()
	defer a.mu.Unlock()
	counts, threshold := a.counts[layer][b], a.thresholds[layer][b]
	for ; len(x) > 0; x = x[w.K:] {
		for j, v := range x[:w.K] {
			if w.In != nil {
				v *= w.In[j]
			}
			if !(float32(math.Abs(float64(v))) <= threshold) {
				counts[j]++
			}
		}
	}
}

// reset begins with another prompt.
func (a *activeCounts) reset() {
	for i := range a.counts {
		for b := range pack.Bundles {
			clear(a.counts[i][b])
		}
	}
}
