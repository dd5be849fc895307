package pack

import (
	"errors"
	"fmt"
)

// Pooling says how the states of the tokens become one vector.
type Pooling string

// The ways of pooling that packs know.
const (
	Mean Pooling = "mean" // of all tokens, special ones included
	CLS  Pooling = "cls"  // the first token
)

// HeadKind says how the state of the first token becomes a score.
type HeadKind string

// The heads that packs know.
const (
	// NoHead is that of models which make vectors, by Pooling.
	NoHead HeadKind = ""
	// TanhHead is a dense layer with tanh and a linear one with a single
	// output: BERT's pooler and classifier, XLM-RoBERTa's classification head.
	TanhHead HeadKind = "tanh"
	// LayerHeads are linear, one trained for each layer.
	LayerHeads HeadKind = "layers"
)

// Config is the shape of a model and how it is used. Fields that the packs of
// vector models do without are left out of their header, whose bytes and
// fingerprint stay what they were before there were other models.
type Config struct {
	Architecture string  `json:"architecture"` // one of families
	Layers       int     `json:"layers"`
	Hidden       int     `json:"hidden"`       // width of a token's state
	Heads        int     `json:"heads"`        // Hidden/Heads is the width of a head
	Intermediate int     `json:"intermediate"` // width between Up and Down
	Vocabulary   int     `json:"vocabulary"`   // rows of Embeddings.Words
	Positions    int     `json:"positions"`    // rows of Embeddings.Positions
	Types        int     `json:"types"`        // rows of Embeddings.Types
	Epsilon      float32 `json:"epsilon"`      // of every LayerNorm
	MaxTokens    int     `json:"max_tokens"`   // longest input, special tokens included
	Pooling      Pooling `json:"pooling"`      // "" with a Head
	Normalize    bool    `json:"normalize"`    // vectors have length 1

	Head          HeadKind `json:"head,omitempty"`
	FirstPosition int      `json:"first_position,omitempty"` // row of Embeddings.Positions of the first token
}

// Room is the number of tokens that there are positions for.
func (c *Config) Room() int { return c.Positions - c.FirstPosition }

// bounds that keep damaged headers from asking for absurd sizes.
const (
	maxLayers = 1 << 10
	maxWidth  = 1 << 16
	maxRows   = 1 << 22
)

// check says what is impossible about a configuration.
func (c *Config) check() error {
	for _, f := range []struct {
		name       string
		value, max int
	}{
		{"layers", c.Layers, maxLayers}, {"hidden size", c.Hidden, maxWidth}, {"heads", c.Heads, maxWidth},
		{"intermediate size", c.Intermediate, maxWidth}, {"vocabulary size", c.Vocabulary, maxRows},
		{"positions", c.Positions, maxRows}, {"token types", c.Types, maxWidth}, {"longest input", c.MaxTokens, maxRows},
	} {
		if f.value < 1 || f.value > f.max {
			return fmt.Errorf("the %s of %d is not between 1 and %d", f.name, f.value, f.max)
		}
	}
	family, ok := familyOf(c.Architecture)
	switch {
	case !ok:
		return unsupported(c.Architecture)
	case c.Hidden%c.Heads != 0:
		return fmt.Errorf("the hidden size %d is not a multiple of %d heads", c.Hidden, c.Heads)
	case c.FirstPosition < 0 || c.FirstPosition >= c.Positions:
		return fmt.Errorf("the first token has position %d of %d", c.FirstPosition, c.Positions)
	case c.MaxTokens > c.Room():
		return fmt.Errorf("inputs of %d tokens exceed %d positions", c.MaxTokens, c.Room())
	case !(c.Epsilon > 0):
		return errors.New("the epsilon of LayerNorm is not positive")
	}
	return c.checkOutput(family)
}

// checkOutput verifies that the model makes either vectors or scores.
func (c *Config) checkOutput(f family) error {
	switch c.Head {
	case NoHead:
		if f.scores() {
			return fmt.Errorf("architecture %s without a head", c.Architecture)
		}
		if c.Pooling != Mean && c.Pooling != CLS {
			return fmt.Errorf("pooling %q is not supported; supported: mean, cls", c.Pooling)
		}
	case TanhHead, LayerHeads:
		if !f.scores() || c.Pooling != "" || c.Normalize {
			return fmt.Errorf("architecture %s makes vectors and has the head %q", c.Architecture, c.Head)
		}
	default:
		return fmt.Errorf("head %q is not supported; supported: tanh, layers", c.Head)
	}
	return nil
}
