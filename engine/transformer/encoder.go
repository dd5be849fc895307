package transformer

import (
	"fmt"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// Version names the arithmetic of this package. It is part of what an index
// was built with, and changes when the same text and weights give other bits.
const Version = "encoder-1"

// Encoder is the forward pass of a BERT encoder over the weights of a pack.
// It may be used from several goroutines, each with its own Workspace.
type Encoder struct {
	kernel    *kernel.Kernel
	config    pack.Config
	embedding kernel.Embedding
	inputNorm pack.Norm
	layers    []layer
	maxTokens int
	headDim   int
}

// layer is one block of the encoder.
type layer struct {
	qkv, output, up, down kernel.Linear
	attentionNorm         pack.Norm
	outputNorm            pack.Norm
}

// NewEncoder binds the weights of a pack, which must stay open while the
// encoder is used. It refuses a pack whose shapes do not fit together.
func NewEncoder(k *kernel.Kernel, p *pack.Pack) (*Encoder, error) {
	c := p.Config()
	tables := p.Embeddings()
	if c.Heads <= 0 || c.Hidden%c.Heads != 0 {
		return nil, fmt.Errorf("width %d is not a multiple of %d heads", c.Hidden, c.Heads)
	}
	if len(tables.Types) < c.Hidden || len(tables.Positions) != c.Positions*c.Hidden {
		return nil, fmt.Errorf("embedding tables do not fit a width of %d", c.Hidden)
	}
	e := &Encoder{
		kernel: k,
		config: c,
		embedding: kernel.Embedding{
			Width:     c.Hidden,
			Words:     tables.Words,
			WordScale: tables.WordScale,
			Positions: tables.Positions,
			Type:      tables.Types[:c.Hidden], // a text alone is all type 0
		},
		inputNorm: tables.Norm,
		maxTokens: min(c.MaxTokens, c.Positions),
		headDim:   c.Hidden / c.Heads,
	}
	for i := range c.Layers {
		l, err := bindLayer(p.Layer(i))
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", i, err)
		}
		e.layers = append(e.layers, l)
	}
	return e, nil
}

// bindLayer gives the views of a pack the kernels' types.
func bindLayer(p pack.Layer) (layer, error) {
	l := layer{
		qkv:           linear(p.QKV),
		output:        linear(p.Output),
		up:            linear(p.Up),
		down:          linear(p.Down),
		attentionNorm: p.AttentionNorm,
		outputNorm:    p.OutputNorm,
	}
	for name, w := range map[string]*kernel.Linear{"query, key and value": &l.qkv, "attention output": &l.output, "feed-forward up": &l.up, "feed-forward down": &l.down} {
		if err := w.Check(); err != nil {
			return l, fmt.Errorf("%s: %w", name, err)
		}
	}
	return l, nil
}

func linear(w pack.Linear) kernel.Linear {
	return kernel.Linear{K: w.K, N: w.N, Weights: w.Weights, Scale: w.Scale, Bias: w.Bias, ColSum: w.ColSum}
}

// Dim is the length D of a vector.
func (e *Encoder) Dim() int { return e.config.Hidden }

// Encode writes the vector of each sequence to dst [len(sequences),D]. A
// sequence is token ids with their special tokens, at least one and at most
// MaxTokens.
func (e *Encoder) Encode(dst []float32, sequences [][]int32, w *Workspace) error {
	d := e.config.Hidden
	if len(dst) != len(sequences)*d {
		return fmt.Errorf("room for %d numbers, want %d vectors of %d", len(dst), len(sequences), d)
	}
	rows := 0
	for i, ids := range sequences {
		if len(ids) == 0 || len(ids) > e.config.Positions {
			return fmt.Errorf("sequence %d has %d tokens, want 1 to %d", i, len(ids), e.config.Positions)
		}
		rows += len(ids)
	}
	if err := w.reserve(rows, d, e.config.Intermediate); err != nil {
		return err
	}
	if err := e.embed(sequences, w, rows); err != nil {
		return err
	}
	for i := range e.layers {
		if err := e.forward(&e.layers[i], sequences, w, rows); err != nil {
			return err
		}
	}
	e.pool(dst, sequences, w)
	return nil
}

// embed fills hidden [T,D] with word, position and type, normalised.
func (e *Encoder) embed(sequences [][]int32, w *Workspace, rows int) error {
	d := e.config.Hidden
	at := 0
	for _, ids := range sequences {
		if err := e.kernel.Embed(w.hidden[at*d:(at+len(ids))*d], ids, 0, &e.embedding); err != nil {
			return err
		}
		at += len(ids)
	}
	hidden := w.hidden[:rows*d]
	e.kernel.AddLayerNorm(hidden, hidden, nil, e.inputNorm.Gamma, e.inputNorm.Beta, e.config.Epsilon, rows, d)
	return nil
}

// forward advances hidden [T,D] by one layer: attention, then feed-forward,
// each added to its input and normalised (post-norm, as BERT has it).
func (e *Encoder) forward(l *layer, sequences [][]int32, w *Workspace, rows int) error {
	d, f := e.config.Hidden, e.config.Intermediate
	hidden, qkv, mixed, inner := w.hidden[:rows*d], w.qkv[:rows*3*d], w.mixed[:rows*d], w.inner[:rows*f]

	if err := e.kernel.Linear(qkv, hidden, rows, &l.qkv, kernel.None, w.scratch); err != nil {
		return err
	}
	if err := e.attend(mixed, qkv, sequences, w.scratch); err != nil {
		return err
	}
	projected := qkv[:rows*d] // queries, keys and values are spent
	if err := e.kernel.Linear(projected, mixed, rows, &l.output, kernel.None, w.scratch); err != nil {
		return err
	}
	e.kernel.AddLayerNorm(hidden, projected, hidden, l.attentionNorm.Gamma, l.attentionNorm.Beta, e.config.Epsilon, rows, d)

	if err := e.kernel.Linear(inner, hidden, rows, &l.up, kernel.Gelu, w.scratch); err != nil {
		return err
	}
	if err := e.kernel.Linear(mixed, inner, rows, &l.down, kernel.None, w.scratch); err != nil {
		return err
	}
	e.kernel.AddLayerNorm(hidden, mixed, hidden, l.outputNorm.Gamma, l.outputNorm.Beta, e.config.Epsilon, rows, d)
	return nil
}

// attend lets the tokens of each sequence look at one another: qkv [T,3D] to
// mixed [T,D].
func (e *Encoder) attend(mixed, qkv []float32, sequences [][]int32, s *kernel.Scratch) error {
	d := e.config.Hidden
	at := 0
	for _, ids := range sequences {
		n := len(ids)
		own := qkv[at*3*d : (at+n)*3*d]
		err := e.kernel.Attention(mixed[at*d:(at+n)*d], kernel.AttentionInput{
			Q: own, K: own[d:], V: own[2*d:],
			Stride: 3 * d, Tokens: n, Heads: e.config.Heads, HeadDim: e.headDim,
		}, s)
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

// pool turns the hidden rows of each sequence into its vector.
func (e *Encoder) pool(dst []float32, sequences [][]int32, w *Workspace) {
	d := e.config.Hidden
	at := 0
	for i, ids := range sequences {
		rows := w.hidden[at*d : (at+len(ids))*d]
		vector := dst[i*d : (i+1)*d]
		if e.config.Pooling == pack.CLS {
			copy(vector, rows)
		} else {
			e.kernel.MeanPool(vector, rows, len(ids), d)
		}
		if e.config.Normalize {
			e.kernel.Normalize(vector)
		}
		at += len(ids)
	}
}
