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

// Config is the shape of a model and how it is used.
type Config struct {
	Architecture string  `json:"architecture"` // "BertModel"
	Layers       int     `json:"layers"`
	Hidden       int     `json:"hidden"`       // width of a token's state
	Heads        int     `json:"heads"`        // Hidden/Heads is the width of a head
	Intermediate int     `json:"intermediate"` // width between Up and Down
	Vocabulary   int     `json:"vocabulary"`   // rows of Embeddings.Words
	Positions    int     `json:"positions"`    // rows of Embeddings.Positions
	Types        int     `json:"types"`        // rows of Embeddings.Types
	Epsilon      float32 `json:"epsilon"`      // of every LayerNorm
	MaxTokens    int     `json:"max_tokens"`   // longest input, special tokens included
	Pooling      Pooling `json:"pooling"`
	Normalize    bool    `json:"normalize"` // vectors have length 1
}

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
	switch {
	case c.Architecture != bertModel:
		return fmt.Errorf("architecture %s is not supported yet; supported: %s", c.Architecture, bertModel)
	case c.Hidden%c.Heads != 0:
		return fmt.Errorf("the hidden size %d is not a multiple of %d heads", c.Hidden, c.Heads)
	case c.MaxTokens > c.Positions:
		return fmt.Errorf("inputs of %d tokens exceed %d positions", c.MaxTokens, c.Positions)
	case c.Pooling != Mean && c.Pooling != CLS:
		return fmt.Errorf("pooling %q is not supported; supported: mean, cls", c.Pooling)
	case !(c.Epsilon > 0):
		return errors.New("the epsilon of LayerNorm is not positive")
	}
	return nil
}
