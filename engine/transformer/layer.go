package transformer

import (
	"fmt"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// encoderNetwork is the arithmetic that all encoders of a shape share.
type encoderNetwork struct {
	kernel  *kernel.Kernel
	config  pack.Config
	shape   shape
	headDim int
	adapter *adapter // nil for none
}

func newEncoderNetwork(k *kernel.Kernel, c pack.Config) (*encoderNetwork, error) {
	if c.Heads <= 0 || c.Hidden%c.Heads != 0 {
		return nil, fmt.Errorf("width %d is not a multiple of %d heads", c.Hidden, c.Heads)
	}
	return &encoderNetwork{kernel: k, config: c, shape: shapeOf(&c), headDim: c.Hidden / c.Heads}, nil
}

func (n *encoderNetwork) mapped(p *pack.Pack, i int) (block, error) { return n.bind(p.Layer(i), i) }

func (n *encoderNetwork) read(s *pack.Stream, i int, buffer []byte) (block, error) {
	views, err := s.ReadLayer(i, buffer)
	if err != nil {
		return nil, err
	}
	return n.bind(views, i)
}

func (n *encoderNetwork) resident() int64 { return 0 }
func (n *encoderNetwork) free() error     { return nil }

// looked is the first token, [CLS] or <s>.
func (n *encoderNetwork) looked(int) int { return 0 }

// encoderLayer is one block of an encoder.
type encoderLayer struct {
	*encoderNetwork
	qkv, output, up, down kernel.Linear
	attentionNorm         pack.Norm
	outputNorm            pack.Norm
	added                 layerAdapter
}

// bind gives the views of a pack the kernels' types.
func (n *encoderNetwork) bind(p pack.Layer, i int) (*encoderLayer, error) {
	l := &encoderLayer{
		encoderNetwork: n,
		qkv:            linear(p.QKV),
		output:         linear(p.Output),
		up:             linear(p.Up),
		down:           linear(p.Down),
		attentionNorm:  p.AttentionNorm,
		outputNorm:     p.OutputNorm,
		added:          n.adapter.layer(i),
	}
	err := checkLinears(map[string]*kernel.Linear{"query, key and value": &l.qkv, "attention output": &l.output, "feed-forward up": &l.up, "feed-forward down": &l.down})
	if err != nil {
		return nil, fmt.Errorf("layer %d: %w", i, err)
	}
	return l, nil
}

func linear(w pack.Linear) kernel.Linear {
	return kernel.Linear{K: w.K, N: w.N, Weights: w.Weights, Scale: w.Scale, Bias: w.Bias, ColSum: w.ColSum}
}

// checkLinears verifies the shapes of projections by name.
func checkLinears(linears map[string]*kernel.Linear) error {
	for name, w := range linears {
		if err := w.Check(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// forward is attention, then feed-forward, each added to its input and
// normalised (post-norm, as BERT has it). Keys and values are of all tokens
// whatever is wanted, so that rows which are looked at get the same bits.
func (l *encoderLayer) forward(b batch, w *Workspace) error {
	mixed, err := l.mix(b.hidden, b.lengths, w)
	if err != nil {
		return err
	}
	if b.want == allRows {
		return l.finish(b.hidden, mixed, w)
	}
	d, rows := l.config.Hidden, b.looked(l.looked)
	gather(mixed, rows, d)
	gather(b.hidden, rows, d)
	if err := l.finish(b.hidden[:len(rows)*d], mixed[:len(rows)*d], w); err != nil {
		return err
	}
	scatter(b.hidden, rows, d)
	return nil
}

// mix is the layer up to attention: what each token of hidden [T,D] takes from
// those of its own sequence, [T,D] in the workspace.
func (l *encoderLayer) mix(hidden []float32, lengths []int, w *Workspace) ([]float32, error) {
	d := l.config.Hidden
	rows := len(hidden) / d
	if err := w.reserve(rows, &l.shape); err != nil {
		return nil, err
	}
	qkv, mixed := w.wide[:rows*3*d], w.mixed[:rows*d]
	if err := l.linear(qkv, hidden, rows, &l.qkv, qkvPart, w); err != nil {
		return nil, err
	}
	at := 0
	for _, length := range lengths {
		own := qkv[at*3*d : (at+length)*3*d]
		err := l.kernel.Attention(mixed[at*d:(at+length)*d], kernel.AttentionInput{
			Q: own, K: own[d:], V: own[2*d:],
			Stride: 3 * d, Tokens: length, Heads: l.config.Heads, HeadDim: l.headDim,
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
func (l *encoderLayer) finish(hidden, mixed []float32, w *Workspace) error {
	d, f, epsilon := l.config.Hidden, l.config.Intermediate, l.config.Epsilon
	rows := len(hidden) / d
	projected, inner := w.wide[:rows*d], w.wide[:rows*f] // one after the other
	if err := l.linear(projected, mixed, rows, &l.output, outputPart, w); err != nil {
		return err
	}
	l.kernel.AddLayerNorm(hidden, projected, hidden, l.attentionNorm.Gamma, l.attentionNorm.Beta, epsilon, rows, d)

	if err := l.expand(inner, hidden, rows, w); err != nil {
		return err
	}
	if err := l.linear(mixed, inner, rows, &l.down, downPart, w); err != nil {
		return err
	}
	l.kernel.AddLayerNorm(hidden, mixed, hidden, l.outputNorm.Gamma, l.outputNorm.Beta, epsilon, rows, d)
	return nil
}

// linear is a projection with what an adapter adds to it.
func (l *encoderLayer) linear(dst, x []float32, rows int, weights *kernel.Linear, part int, w *Workspace) error {
	if err := l.kernel.Linear(dst, x, rows, weights, kernel.None, w.scratch); err != nil {
		return err
	}
	return l.added.add(l.kernel, part, dst, x, rows, weights.N, w)
}

// expand is the first half of the feed-forward layer, dst [rows,F]. Its activation is
// the projection's own work, unless something is added in between.
func (l *encoderLayer) expand(dst, x []float32, rows int, w *Workspace) error {
	if len(l.added[upPart]) == 0 {
		return l.kernel.Linear(dst, x, rows, &l.up, kernel.Gelu, w.scratch)
	}
	err := l.linear(dst, x, rows, &l.up, upPart, w)
	l.kernel.Gelu(dst)
	return err
}
