package pack

import (
	"errors"
	"fmt"
	"math"
)

// The kinds of RotaryScaling that packs know, as config.json names them.
const (
	LinearScaling = "linear" // positions divided by Factor
	Llama3Scaling = "llama3" // long wavelengths divided by Factor, short ones kept
)

// RotaryScaling stretches the positions of a decoder beyond those it was first
// trained on; the zero value does not.
type RotaryScaling struct {
	Kind   string  `json:"kind"` // LinearScaling, Llama3Scaling, or empty for none
	Factor float64 `json:"factor"`

	// Of Llama3Scaling alone: wavelengths below OriginalPositions/HighFrequency are kept,
	// those above OriginalPositions/LowFrequency divided by Factor; between is a ramp.
	LowFrequency      float64 `json:"low_frequency,omitempty"`
	HighFrequency     float64 `json:"high_frequency,omitempty"`
	OriginalPositions int     `json:"original_positions,omitempty"`
}

// Check says what is impossible about a scaling.
func (s *RotaryScaling) Check() error {
	switch s.Kind {
	case "":
		if *s != (RotaryScaling{}) {
			return errors.New("a rotary scaling without a kind")
		}
		return nil
	case LinearScaling, Llama3Scaling:
	default:
		return fmt.Errorf("rotary scaling %q is not supported; supported: %s, %s", s.Kind, LinearScaling, Llama3Scaling)
	}
	if !(s.Factor >= 1) || math.IsInf(s.Factor, 1) {
		return fmt.Errorf("rotary scaling %q by %g: the factor must be at least 1", s.Kind, s.Factor)
	}
	if s.Kind == Llama3Scaling && (s.OriginalPositions < 1 || !(s.LowFrequency > 0) || !(s.HighFrequency > s.LowFrequency)) {
		return fmt.Errorf("rotary scaling %q with frequency factors %g and %g over %d positions",
			s.Kind, s.LowFrequency, s.HighFrequency, s.OriginalPositions)
	}
	return nil
}

// Window returns how many keys, its own included, a token of layer i attends to; 0 for all.
func (c *Config) Window(i int) int {
	if i < c.SlidingFrom || c.Gemma.Global(i) {
		return 0
	}
	return c.SlidingWindow
}

// GemmaDecoder is the settings of a Gemma 3 that writes. It has further norms, of the results of
// either half of a layer; gelu by tanh; and embeddings multiplied with the root of their width.
// Other models have the zero value.
type GemmaDecoder struct {
	// The last of each GlobalEvery layers is global, where a token attends to all before it with
	// Config.RotaryBase and RotaryScaling. In the others it attends to Config.SlidingWindow, with
	// LocalBase.
	GlobalEvery int     `json:"global_every"`
	LocalBase   float64 `json:"local_base"`
}

func (g GemmaDecoder) used() bool { return g != GemmaDecoder{} }

// Global reports whether layer i of such a decoder is global; no layer of others is called so.
func (g GemmaDecoder) Global(i int) bool {
	return g.GlobalEvery > 0 && i%g.GlobalEvery == g.GlobalEvery-1
}

// checkDecoder says what is impossible about a decoder's configuration.
func (c *Config) checkDecoder(f family) error {
	switch {
	case c.KVHeads < 1 || c.KVHeads > c.Heads || c.Heads%c.KVHeads != 0:
		return fmt.Errorf("%d heads cannot share %d heads of keys and values", c.Heads, c.KVHeads)
	case c.HeadDim < 2 || c.HeadDim%2 != 0 || c.HeadDim > maxWidth || c.Heads > maxWidth/c.HeadDim:
		return fmt.Errorf("%d heads of width %d: the width must be even, and all of them at most %d wide", c.Heads, c.HeadDim, maxWidth)
	case !(c.RotaryBase > 1) || math.IsInf(c.RotaryBase, 1):
		return fmt.Errorf("the rotary base %g is not above 1", c.RotaryBase)
	case c.SlidingWindow < 0 || c.SlidingFrom < 0 || c.SlidingFrom > 0 && c.SlidingWindow == 0:
		return fmt.Errorf("a sliding window of %d tokens from layer %d on", c.SlidingWindow, c.SlidingFrom)
	case !(c.Distilled >= 0 && c.Distilled < 1):
		return fmt.Errorf("distilled for a sparsity of %g; want less than 1", c.Distilled)
	case c.Gemma.used() != f.gemma:
		return fmt.Errorf("architecture %s with the settings of a Gemma: %t", c.Architecture, c.Gemma.used())
	case f.gemma && (c.Gemma.GlobalEvery < 1 || !(c.Gemma.LocalBase > 1) || math.IsInf(c.Gemma.LocalBase, 1) || c.SlidingFrom != 0):
		return fmt.Errorf("every %d-th layer global, with the rotary base %g in the others", c.Gemma.GlobalEvery, c.Gemma.LocalBase)
	case c.QKNorm != f.qkNorm:
		return fmt.Errorf("architecture %s with norms of queries and keys: %t", c.Architecture, c.QKNorm)
	case c.Types != 0 || c.FirstPosition != 0 || c.Head != NoHead || c.Dimensions != 0 || c.HeadPooling != "":
		return fmt.Errorf("architecture %s with parts of an encoder", c.Architecture)
	case c.Pooling == "" && (c.Normalize || c.QueryPrompt != "" || c.PassagePrompt != "" || f.bare):
		return fmt.Errorf("architecture %s without a way of pooling", c.Architecture)
	case c.Pooling != "" && (!c.Pooling.known() || c.Mixture != (Mixture{}) || !c.TiedOutput || c.Distilled != 0):
		return fmt.Errorf("architecture %s makes no vectors by pooling %q, with %d experts", c.Architecture, c.Pooling, c.Mixture.Experts)
	}
	if err := c.Mixture.check(f, c.Layers); err != nil {
		return err
	}
	return c.RotaryScaling.Check()
}

// relativeBuckets is the one number of buckets that a bias by distance may have; maxBiases
// bounds heads times positions.
const (
	relativeBuckets = 32
	maxBiases       = 1 << 24
)

// checkEncoder says what is impossible about an encoder's configuration.
func (c *Config) checkEncoder(f family) error {
	switch {
	case c.Types < 1 || c.Types > maxWidth:
		return fmt.Errorf("the token types of %d is not between 1 and %d", c.Types, maxWidth)
	case c.Hidden%c.Heads != 0:
		return fmt.Errorf("the hidden size %d is not a multiple of %d heads", c.Hidden, c.Heads)
	case c.FirstPosition < 0 || c.FirstPosition >= c.Positions:
		return fmt.Errorf("the first token has position %d of %d", c.FirstPosition, c.Positions)
	case f.relative && c.RelativeBuckets != relativeBuckets:
		return fmt.Errorf("a bias by distance of %d buckets is not supported; supported: %d", c.RelativeBuckets, relativeBuckets)
	case f.relative && c.Heads > maxBiases/c.Positions:
		return fmt.Errorf("a bias by distance of %d heads over %d positions is too large", c.Heads, c.Positions)
	case c.KVHeads != 0 || c.HeadDim != 0 || c.RotaryBase != 0 || c.QKNorm:
		return fmt.Errorf("architecture %s with parts of a decoder", c.Architecture)
	}
	return c.checkOutput(f)
}
