package transformer

import (
	"fmt"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// Version names the arithmetic of this package. It is part of what an index
// was built with, and changes when the same text and weights give other bits.
const Version = "encoder-2"

// Encoder is the forward pass of a BERT encoder over the weights of a pack,
// from token ids to vectors. It may be used from several goroutines, each with
// its own Workspace.
type Encoder struct {
	*encoderNetwork
	inputs    *encoderInputs
	words     wordTable
	layers    []block
	maxTokens int
}

// NewEncoder binds the weights of a pack, which must stay open while the
// encoder is used. It refuses a pack whose shapes do not fit together, or one
// of a model that makes scores instead of vectors.
func NewEncoder(k *kernel.Kernel, p *pack.Pack) (*Encoder, error) {
	c := p.Config()
	if c.Decoder {
		return nil, fmt.Errorf("%s is a decoder; it makes no vectors", c.Architecture)
	}
	if c.Head != pack.NoHead {
		return nil, fmt.Errorf("%s scores pairs of texts; it makes no vectors", c.Architecture)
	}
	n, err := newEncoderNetwork(k, c)
	if err != nil {
		return nil, err
	}
	return bindEncoder(n, p)
}

// bindEncoder binds the weights of a pack to a network of its shape.
func bindEncoder(n *encoderNetwork, p *pack.Pack) (*Encoder, error) {
	c, tables := &n.config, p.Embeddings()
	e := &Encoder{
		encoderNetwork: n,
		words:          wordTable{rows: tables.Words, scale: tables.WordScale},
		maxTokens:      min(c.MaxTokens, c.Room()),
	}
	var err error
	if e.inputs, err = newEncoderInputs(n, tables); err != nil {
		return nil, err
	}
	if e.layers, err = bindLayers(n, p); err != nil {
		return nil, err
	}
	return e, nil
}

// Dim is the length D of a vector.
func (e *Encoder) Dim() int { return e.config.Hidden }

// Encode writes the vector of each sequence to dst [len(sequences),D]. A
// sequence is token ids with their special tokens, at least one and at most
// as many as the model has positions.
func (e *Encoder) Encode(dst []float32, sequences [][]int32, w *Workspace) error {
	d := e.config.Hidden
	if len(dst) != len(sequences)*d {
		return fmt.Errorf("room for %d numbers, want %d vectors of %d", len(dst), len(sequences), d)
	}
	pairs, lengths := make([]Pair, len(sequences)), make([]int, len(sequences))
	for i, ids := range sequences { // a text alone is all type 0
		pairs[i], lengths[i] = Pair{IDs: ids}, len(ids)
	}
	hidden, err := e.states(pairs, w)
	if err != nil {
		return err
	}
	e.pool(dst, hidden, lengths)
	return nil
}

// states returns the last layer's states [tokens,D] of all pairs, one after the
// other, in the workspace.
func (e *Encoder) states(pairs []Pair, w *Workspace) ([]float32, error) {
	d, rows, lengths := e.config.Hidden, 0, make([]int, len(pairs))
	for i, pair := range pairs {
		if err := checkLength(len(pair.IDs), e.config.Room()); err != nil {
			return nil, fmt.Errorf("sequence %d: %w", i, err)
		}
		lengths[i] = len(pair.IDs)
		rows += len(pair.IDs)
	}
	hidden, err := w.hidden(rows * d)
	if err != nil {
		return nil, err
	}
	at := 0
	for _, pair := range pairs {
		if err := e.inputs.sum(hidden[at*d:(at+len(pair.IDs))*d], pair.IDs, pair.Types, 0, e.words); err != nil {
			return nil, err
		}
		at += len(pair.IDs)
	}
	e.inputs.normalize(hidden)
	for i := range e.layers {
		if err := e.layers[i].forward(batch{hidden: hidden, lengths: lengths}, w); err != nil {
			return nil, err
		}
	}
	return hidden, nil
}

// checkLength says whether a model takes so many tokens.
func checkLength(tokens, most int) error {
	if tokens == 0 || tokens > most {
		return fmt.Errorf("%d tokens, want 1 to %d", tokens, most)
	}
	return nil
}

// pool turns the hidden rows of each sequence into its vector.
func (e *Encoder) pool(dst, hidden []float32, lengths []int) {
	d := e.config.Hidden
	at := 0
	for i, length := range lengths {
		rows := hidden[at*d : (at+length)*d]
		vector := dst[i*d : (i+1)*d]
		if e.config.Pooling == pack.CLS {
			copy(vector, rows)
		} else {
			e.kernel.MeanPool(vector, rows, length, d)
		}
		if e.config.Normalize {
			e.kernel.Normalize(vector)
		}
		at += length
	}
}
