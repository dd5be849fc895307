package transformer

import (
	"crypto/sha256"
	"fmt"
	"math"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// Sparsity says which input channels of projections a Decoder leaves out while it
// continues a text, of a model whose weights do not fit into memory (ActiveFlow 4.1).
// Prompts are computed in full.
type Sparsity struct {
	// Level is the share of channels that is left out, about.
	Level      float64
	Thresholds Thresholds
}

// Thresholds are, by layer and projection, the magnitudes that an input times its
// scale must exceed to be taken.
type Thresholds [][pack.Bundles]float32

// check returns what is wrong with a sparsity for a model.
func (s *Sparsity) check(c *pack.Config) error {
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

// identify changes the fingerprint of a model by what is left out of it: keys and
// values of one sparsity are not those of another.
func (s *Sparsity) identify(sum [32]byte) [32]byte {
	if s == nil {
		return sum
	}
	hash := sha256.New()
	hash.Write(sum[:])
	for _, layer := range s.Thresholds {
		hash.Write(kernel.Float32Bytes(nil, layer[:]))
	}
	return [32]byte(hash.Sum(nil))
}
