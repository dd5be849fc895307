package transformer

import (
	"fmt"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// network is the arithmetic that all models of a shape share, whatever their
// weights and wherever these lie.
type network struct {
	kernel  *kernel.Kernel
	config  pack.Config
	headDim int
}

func newNetwork(k *kernel.Kernel, c pack.Config) (network, error) {
	if c.Heads <= 0 || c.Hidden%c.Heads != 0 {
		return network{}, fmt.Errorf("width %d is not a multiple of %d heads", c.Hidden, c.Heads)
	}
	return network{kernel: k, config: c, headDim: c.Hidden / c.Heads}, nil
}

// layer is one block of the encoder.
type layer struct {
	qkv, output, up, down kernel.Linear
	attentionNorm         pack.Norm
	outputNorm            pack.Norm
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

// bindLayers binds all layers of an open pack.
func bindLayers(p *pack.Pack) ([]layer, error) {
	layers := make([]layer, p.Config().Layers)
	for i := range layers {
		l, err := bindLayer(p.Layer(i))
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", i, err)
		}
		layers[i] = l
	}
	return layers, nil
}

// forward advances hidden [T,D] by one layer: attention, then feed-forward,
// each added to its input and normalised (post-norm, as BERT has it). lengths
// are the tokens of the sequences; their sum is T.
func (n *network) forward(l *layer, hidden []float32, lengths []int, w *Workspace) error {
	mixed, err := n.mix(l, hidden, lengths, w)
	if err != nil {
		return err
	}
	return n.finish(l, hidden, mixed, w)
}

// forwardFirst is forward for a layer after which only the first token of each
// sequence is looked at. Keys and values are of all tokens, so these rows get
// the same bits as from forward, but all that follows attention is left out
// for the others, whose rows of hidden are left in no meaningful state.
func (n *network) forwardFirst(l *layer, hidden []float32, lengths []int, w *Workspace) error {
	mixed, err := n.mix(l, hidden, lengths, w)
	if err != nil {
		return err
	}
	d := n.config.Hidden
	// A sequence has at least one token, so the i-th first row lies at row i
	// or later: ascending, nothing is overwritten before it is moved.
	at := 0
	for i, length := range lengths {
		copy(mixed[i*d:(i+1)*d], mixed[at*d:])
		copy(hidden[i*d:(i+1)*d], hidden[at*d:])
		at += length
	}
	if err := n.finish(l, hidden[:len(lengths)*d], mixed[:len(lengths)*d], w); err != nil {
		return err
	}
	for i := len(lengths) - 1; i >= 0; i-- {
		at -= lengths[i]
		copy(hidden[at*d:(at+1)*d], hidden[i*d:(i+1)*d])
	}
	return nil
}

// mix is the layer up to attention: what each token of hidden [T,D] takes from
// those of its own sequence, [T,D] in the workspace.
func (n *network) mix(l *layer, hidden []float32, lengths []int, w *Workspace) ([]float32, error) {
	d := n.config.Hidden
	rows := len(hidden) / d
	if err := w.reserve(rows, &n.config); err != nil {
		return nil, err
	}
	qkv, mixed := w.wide[:rows*3*d], w.mixed[:rows*d]
	if err := n.kernel.Linear(qkv, hidden, rows, &l.qkv, kernel.None, w.scratch); err != nil {
		return nil, err
	}
	at := 0
	for _, length := range lengths {
		own := qkv[at*3*d : (at+length)*3*d]
		err := n.kernel.Attention(mixed[at*d:(at+length)*d], kernel.AttentionInput{
			Q: own, K: own[d:], V: own[2*d:],
			Stride: 3 * d, Tokens: length, Heads: n.config.Heads, HeadDim: n.headDim,
		}, w.scratch)
		if err != nil {
			return nil, err
		}
		at += length
	}
	return mixed, nil
}

// finish is the rest of the layer, row by row: hidden and mixed are [rows,D],
// mixed in the workspace.
func (n *network) finish(l *layer, hidden, mixed []float32, w *Workspace) error {
	d, f, epsilon := n.config.Hidden, n.config.Intermediate, n.config.Epsilon
	rows := len(hidden) / d
	projected, inner := w.wide[:rows*d], w.wide[:rows*f] // one after the other
	if err := n.kernel.Linear(projected, mixed, rows, &l.output, kernel.None, w.scratch); err != nil {
		return err
	}
	n.kernel.AddLayerNorm(hidden, projected, hidden, l.attentionNorm.Gamma, l.attentionNorm.Beta, epsilon, rows, d)

	if err := n.kernel.Linear(inner, hidden, rows, &l.up, kernel.Gelu, w.scratch); err != nil {
		return err
	}
	if err := n.kernel.Linear(mixed, inner, rows, &l.down, kernel.None, w.scratch); err != nil {
		return err
	}
	n.kernel.AddLayerNorm(hidden, mixed, hidden, l.outputNorm.Gamma, l.outputNorm.Beta, epsilon, rows, d)
	return nil
}
