package pack

import (
	"fmt"
	"math"
)

// RotaryEncoder is the settings of an encoder of ModernBERT's kind: it rotates queries and
// keys instead of adding positions, norms the input of each half of a layer instead of the
// result, and its feed-forward part is gated. Other encoders have the zero value.
type RotaryEncoder struct {
	// Layer i is global, where every token attends to every other with Config.RotaryBase,
	// if i % GlobalEvery == GlobalLayer. In the others a token attends to Window tokens on
	// either side of it, with LocalBase.
	GlobalEvery int     `json:"global_every"`
	GlobalLayer int     `json:"global_layer,omitempty"`
	Window      int     `json:"window,omitempty"` // 0 where all layers are global
	LocalBase   float64 `json:"local_base,omitempty"`
	// Gemma has RMSNorms, also of the results of either half; norms of queries and keys
	// (Config.QKNorm); gelu by tanh; a norm before attention in the first layer too; and
	// embeddings multiplied with the root of their width instead of normalised.
	Gemma bool `json:"gemma,omitempty"`
}

// Rotates reports whether the model is an encoder of ModernBERT's kind.
func (c *Config) Rotates() bool { return c.RotaryEncoder != RotaryEncoder{} }

// Global reports whether the tokens of layer i of such an encoder attend to all others.
func (e *RotaryEncoder) Global(i int) bool {
	return e.Window == 0 || i%e.GlobalEvery == e.GlobalLayer
}

// RotaryLayer is one layer of an encoder of ModernBERT's kind. D is Config.Hidden, F is
// Config.Intermediate, H and G are Config.Heads and Config.KVHeads, and d is
// Config.HeadDim. Gemma's norms have no Beta; missing biases are zeros.
type RotaryLayer struct {
	AttentionNorm       Norm      // [D], of the layer's input; none in the first layer of a ModernBERT
	QKV                 Linear    // [D,(H+2G)d]: columns of query, key and value heads
	QueryNorm           []float32 // [d], of each query head before rotation; nil without Config.QKNorm
	KeyNorm             []float32 // [d], of each key head before rotation; nil without Config.QKNorm
	Output              Linear    // [Hd,D], after attention; added to the layer's input
	AttentionOutputNorm Norm      // [D], of what Output makes, before it is added; of Gemma alone
	InnerNorm           Norm      // [D], of that sum
	GateUp              Linear    // [D,2F]: columns of gate, before GELU, and of up
	Down                Linear    // [F,D], of their product; added to the sum
	OutputNorm          Norm      // [D], of what Down makes, before it is added; of Gemma alone
}

// rotaryLayer returns the layout of the block of layer i of an encoder of this kind.
func rotaryLayer(i int) func(*cursor, Config) RotaryLayer {
	return func(c *cursor, config Config) (l RotaryLayer) {
		d, f, gemma := config.Hidden, config.Intermediate, config.RotaryEncoder.Gemma
		heads, keys := config.Heads*config.HeadDim, config.KVHeads*config.HeadDim
		if i > 0 || gemma {
			l.AttentionNorm = c.rotaryNorm(config)
		}
		l.QKV = c.linear(d, heads+2*keys)
		if config.QKNorm {
			l.QueryNorm, l.KeyNorm = c.float32s(config.HeadDim), c.float32s(config.HeadDim)
		}
		l.Output = c.linear(heads, d)
		if gemma {
			l.AttentionOutputNorm = c.rotaryNorm(config)
		}
		l.InnerNorm = c.rotaryNorm(config)
		l.GateUp, l.Down = c.linear(d, 2*f), c.linear(f, d)
		if gemma {
			l.OutputNorm = c.rotaryNorm(config)
		}
		return l
	}
}

// rotaryNorm returns the layout of a norm: an RMSNorm in Gemma, which adds nothing.
func (c *cursor) rotaryNorm(config Config) Norm {
	if config.RotaryEncoder.Gemma {
		return Norm{Gamma: c.float32s(config.Hidden)}
	}
	return c.norm(config.Hidden)
}

// checkRotary says what is impossible about the configuration of such an encoder.
func (c *Config) checkRotary(f family) error {
	e := &c.RotaryEncoder
	switch {
	case c.KVHeads < 1 || c.KVHeads > c.Heads || c.Heads%c.KVHeads != 0:
		return fmt.Errorf("%d heads cannot share %d heads of keys and values", c.Heads, c.KVHeads)
	case c.HeadDim < 2 || c.HeadDim%2 != 0 || c.HeadDim > maxWidth || c.Heads > maxWidth/c.HeadDim:
		return fmt.Errorf("%d heads of width %d: the width must be even, and all of them at most %d wide", c.Heads, c.HeadDim, maxWidth)
	case !(c.RotaryBase > 1) || math.IsInf(c.RotaryBase, 1):
		return fmt.Errorf("the rotary base %g is not above 1", c.RotaryBase)
	case e.Window > 0 && (!(e.LocalBase > 1) || math.IsInf(e.LocalBase, 1)):
		return fmt.Errorf("the rotary base %g of local layers is not above 1", e.LocalBase)
	case e.Window < 0 || e.Window > maxRows || e.Window == 0 && e.LocalBase != 0:
		return fmt.Errorf("a window of %d tokens on either side, with the rotary base %g", e.Window, e.LocalBase)
	case e.GlobalEvery < 1 || e.GlobalLayer < 0 || e.GlobalLayer >= e.GlobalEvery:
		return fmt.Errorf("every %d-th layer global, from layer %d on", e.GlobalEvery, e.GlobalLayer)
	case e.Gemma != f.gemma || c.QKNorm != f.gemma:
		return fmt.Errorf("architecture %s with norms of queries and keys: %t", c.Architecture, c.QKNorm)
	case c.Types != 0 || c.FirstPosition != 0:
		return fmt.Errorf("architecture %s with %d token types and a first position of %d", c.Architecture, c.Types, c.FirstPosition)
	case c.HeadPooling != "" && c.HeadPooling != CLS && c.HeadPooling != Mean, (c.HeadPooling != "") != f.scores():
		return fmt.Errorf("a head of %s that pools by %q; supported: cls, mean", c.Architecture, c.HeadPooling)
	}
	return c.checkOutput(f)
}
