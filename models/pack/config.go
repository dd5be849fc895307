package pack

import (
	"errors"
	"fmt"
)

// HeadKind is what a model makes of the states of its last layer.
type HeadKind string

// The heads that packs know.
const (
	// NoHead is the head of decoders, and of models whose vectors come from Pooling alone.
	NoHead HeadKind = ""
	// DenseHead is a linear layer behind Pooling, and DenseTanhHead one with tanh:
	// sentence-transformers' module Dense.
	DenseHead     HeadKind = "dense"
	DenseTanhHead HeadKind = "dense_tanh"
	// GeluHead scores the last norm's states, pooled by Config.HeadPooling: a dense layer with
	// gelu, a LayerNorm, and a linear layer with one output, as in ModernBERT's classifier.
	GeluHead HeadKind = "gelu"
	// TanhHead scores the first token's state: a dense layer with tanh and a linear one with
	// one output, as BERT's pooler and classifier, or XLM-RoBERTa's classification head.
	TanhHead HeadKind = "tanh"
	// LayerHeads are linear, one trained for each layer.
	LayerHeads HeadKind = "layers"
)

// Config is the shape of a model and how it is used. Fields are omitted from the header if
// they are empty, so that the packs of older vector models keep their bytes and fingerprint.
type Config struct {
	Architecture string  `json:"architecture"` // one of families
	Layers       int     `json:"layers"`
	Hidden       int     `json:"hidden"`       // width of a token's state
	Heads        int     `json:"heads"`        // of an encoder, Hidden/Heads wide
	Intermediate int     `json:"intermediate"` // width of what goes into Down
	Vocabulary   int     `json:"vocabulary"`   // rows of Embeddings.Words
	Positions    int     `json:"positions"`    // rows of Embeddings.Positions
	Types        int     `json:"types"`        // rows of Embeddings.Types
	Epsilon      float32 `json:"epsilon"`      // of every norm
	MaxTokens    int     `json:"max_tokens"`   // longest input, special tokens included
	Pooling      Pooling `json:"pooling"`      // "" of models that score, and of decoders that write
	Normalize    bool    `json:"normalize"`    // vectors have length 1

	Head          HeadKind `json:"head,omitempty"`
	FirstPosition int      `json:"first_position,omitempty"` // row of Embeddings.Positions of the first token

	// RelativeBuckets is the distances that Embeddings.Relative tells apart; 0 without a bias by
	// distance.
	RelativeBuckets int `json:"relative_buckets,omitempty"`

	// HeadPooling is the input of the head of an encoder of ModernBERT's kind: CLS or Mean.
	HeadPooling Pooling `json:"head_pooling,omitempty"`

	// Of models that make vectors. Dimensions is the outputs of a DenseHead, 0 without one.
	// The prompts precede queries and passages, as in training.
	Dimensions    int    `json:"dimensions,omitempty"`
	Truncated     int    `json:"truncated,omitempty"` // how many numbers of a vector are kept, from the first; 0 for all
	QueryPrompt   string `json:"query_prompt,omitempty"`
	PassagePrompt string `json:"passage_prompt,omitempty"`

	// Of decoders (RMSNorm, gated feed-forward parts with SiLU, rotary embeddings), also those
	// that make vectors. Positions is the longest context and Types 0. Encoders of ModernBERT's
	// kind have KVHeads, HeadDim, RotaryBase and QKNorm too.
	Decoder       bool          `json:"decoder,omitempty"`
	KVHeads       int           `json:"kv_heads,omitempty"` // heads of keys and values, each shared by Heads/KVHeads
	HeadDim       int           `json:"head_dim,omitempty"` // width of a head
	RotaryBase    float64       `json:"rotary_base,omitempty"`
	RotaryScaling RotaryScaling `json:"rotary_scaling,omitzero"`
	SlidingWindow int           `json:"sliding_window,omitempty"` // of keys, the token's own included; 0 for all
	SlidingFrom   int           `json:"sliding_from,omitempty"`   // first layer with the window
	TiedOutput    bool          `json:"tied_output,omitempty"`    // the output's rows are Embeddings.Words
	QKNorm        bool          `json:"qk_norm,omitempty"`        // queries and keys are normed
	Mixture       Mixture       `json:"mixture,omitzero"`         // of experts
	Distilled     float64       `json:"distilled,omitempty"`      // share of inputs that training left out; 0 for none
	SkipUnknown   bool          `json:"skip_unknown,omitempty"`   // of static models: unknown tokens are skipped
	Gemma         GemmaDecoder  `json:"gemma,omitzero"`           // of a Gemma that writes
	// Forms has a letter for the query, key, value, output, gate, up and down matrix of each
	// layer, then for the embeddings and for the output's rows: that of a Form, or '-' for
	// bytes; "" for bytes throughout.
	Forms         string        `json:"forms,omitempty"`
	RotaryEncoder RotaryEncoder `json:"rotary_encoder,omitzero"` // of encoders of ModernBERT's kind
}

// Room returns the number of tokens with positions.
func (c *Config) Room() int { return c.Positions - c.FirstPosition }

// Dim returns the length of the model's vectors, 0 if it makes none.
func (c *Config) Dim() int {
	switch {
	case c.Pooling == "":
		return 0
	case c.Truncated > 0:
		return c.Truncated
	case c.Dimensions > 0:
		return c.Dimensions
	}
	return c.Hidden
}

// whole returns the length of the vectors before truncation.
func (c *Config) whole() int {
	own := *c
	own.Truncated = 0
	return own.Dim()
}

// Bounds against absurd sizes in damaged headers.
const (
	maxLayers = 1 << 10
	maxWidth  = 1 << 16
	maxRows   = 1 << 22
)

// check says what is impossible about a configuration.
func (c *Config) check() error {
	for i, f := range []struct {
		name       string
		value, max int
	}{
		{"hidden size", c.Hidden, maxWidth}, {"vocabulary size", c.Vocabulary, maxRows},
		{"positions", c.Positions, maxRows}, {"longest input", c.MaxTokens, maxRows},
		{"layers", c.Layers, maxLayers}, {"heads", c.Heads, maxWidth}, {"intermediate size", c.Intermediate, maxWidth},
	} {
		if c.Static() && i > 3 {
			break // it has none of these
		}
		if f.value < 1 || f.value > f.max {
			return fmt.Errorf("the %s of %d is not between 1 and %d", f.name, f.value, f.max)
		}
	}
	family, ok := familyOf(c.Architecture)
	switch {
	case !ok:
		return unsupported(c.Architecture)
	case c.Decoder != family.decoder():
		return fmt.Errorf("architecture %s with the mark of decoders: %t", c.Architecture, c.Decoder)
	case c.MaxTokens > c.Room():
		return fmt.Errorf("inputs of %d tokens exceed %d positions", c.MaxTokens, c.Room())
	case !(c.Epsilon > 0) && !c.Static():
		return errors.New("the epsilon of the norms is not positive")
	case c.Truncated < 0 || c.Truncated > 0 && (c.Pooling == "" || c.Truncated >= c.whole()):
		return fmt.Errorf("%d numbers are kept of vectors of %d", c.Truncated, c.whole())
	case c.Rotates() != family.rotates:
		return fmt.Errorf("architecture %s with the settings of rotary encoders: %t", c.Architecture, c.Rotates())
	case c.RelativeBuckets != 0 && !family.relative:
		return fmt.Errorf("architecture %s with a bias by distance", c.Architecture)
	case c.Decoder:
		return errors.Join(c.checkDecoder(family), c.checkForms())
	case c.SkipUnknown && !c.Static():
		return fmt.Errorf("architecture %s that skips unknown tokens", c.Architecture)
	case !c.Rotates() && c.HeadPooling != "":
		return fmt.Errorf("a head of %s that pools by %q", c.Architecture, c.HeadPooling)
	case c.RotaryScaling != (RotaryScaling{}) || c.SlidingWindow != 0 || c.SlidingFrom != 0 || c.TiedOutput || c.Mixture != (Mixture{}) || c.Gemma.used() || c.Distilled != 0 || c.Forms != "":
		return fmt.Errorf("architecture %s with parts of a decoder", c.Architecture)
	case c.Rotates():
		return c.checkRotary(family)
	case c.Static():
		return c.checkStatic(family)
	}
	return c.checkEncoder(family)
}
