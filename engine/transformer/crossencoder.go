package transformer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// CrossEncoder scores pairs of texts, a query and a passage, by reading both
// together. It computes one Pass at a time; its methods may be called from
// several goroutines.
type CrossEncoder struct {
	model[layer]
	family     family
	scorer     scorer
	inputs     embeddings
	options    CrossEncoderOptions
	planned    Model
	workspaces []*workspace
	semaphore  chan struct{} // holds one value while no pass is under way
}

// Pair is a query and a passage as tokens, with the special ones of the model.
type Pair struct {
	IDs   []int32
	Types []uint8 // the segment of each token; nil means 0 for all
}

// from is the pair without its first n tokens.
func (p Pair) from(n int) Pair {
	p.IDs = p.IDs[n:]
	if p.Types != nil {
		p.Types = p.Types[n:]
	}
	return p
}

// Layers is the number of layers.
func (c *CrossEncoder) Layers() int { return c.config.Layers }

// MaxTokens is the most tokens that a pair may have.
func (c *CrossEncoder) MaxTokens() int { return c.config.MaxTokens }

// LayerHeads reports whether each layer has a trained head, which makes scores after early
// layers more reliable.
func (c *CrossEncoder) LayerHeads() bool { return c.scorer.layered() }

// Streamed reports whether weights are read from the pack during each pass.
func (c *CrossEncoder) Streamed() bool { return c.streamed() }

// Fingerprint identifies weights, tokenizer and configuration, and of a decoder
// its adapter and its prompt.
func (c *CrossEncoder) Fingerprint() string {
	sum := c.sum
	if variant := c.family.variant(); variant != "" {
		sum = sha256.Sum256(append(sum[:], variant...))
	}
	return hex.EncodeToString(sum[:])
}

// Encode returns the tokens of a pair, cut to MaxTokens.
func (c *CrossEncoder) Encode(query, passage string) Pair {
	return c.family.encode(c.tokenizer, query, passage, c.config.MaxTokens)
}

// Score is the plain use: the score of each pair after the last layer, higher
// is more relevant. Scores of one model are comparable.
func (c *CrossEncoder) Score(ctx context.Context, pairs []Pair) (scores []float32, err error) {
	p, err := c.Begin(ctx, pairs)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	all := upTo(len(pairs))
	for i := range c.Layers() {
		if err := p.Advance(ctx, i, all); err != nil {
			return nil, err
		}
	}
	scores = make([]float32, len(pairs))
	p.Scores(c.Layers()-1, all, scores)
	return scores, nil
}
