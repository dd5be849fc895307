package transformer

import (
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// bert is the network of BERT, XLM-RoBERTa and MPNet.
type bert struct {
	kernel  *kernel.Kernel
	config  pack.Config
	shape   weights.Shape
	adapter *adapter             // nil for none
	bias    *kernel.RelativeBias // of MPNet
}

func newBERT(k *kernel.Kernel, c pack.Config) (*bert, error) {
	if c.Heads <= 0 || c.Hidden%c.Heads != 0 {
		return nil, fmt.Errorf("width %d is not a multiple of %d heads", c.Hidden, c.Heads)
	}
	return &bert{kernel: k, config: c, shape: weights.ShapeOf(&c)}, nil
}

// relativeBias is the bias of MPNet (Song and others, "MPNet: Masked and Permuted Pre-training
// for Language Understanding", 2020) that the rows of table [RelativeBuckets,Heads] give.
func relativeBias(c *pack.Config, table []float32) *kernel.RelativeBias {
	return kernel.NewRelativeBias(c.Heads, c.Room(), func(head, distance int) float32 {
		return table[bucketOf(distance, c.RelativeBuckets)*c.Heads+head]
	})
}

// farthest is the distance from which all are in the last bucket.
const farthest = 128

// bucketOf is the bucket of keys that stand distance places behind their query. Half of the
// buckets are for those behind; of each half one half is for a distance each, the rest widens
// by equal factors, which integers tell apart as exactly as they can be: a distance is in
// step k of n or a later one from near*(farthest/near)^(k/n) on.
func bucketOf(distance, buckets int) int {
	half, from := buckets/2, 0
	if distance > 0 {
		from = half
	}
	distance = min(max(distance, -distance), farthest)
	near := half / 2
	if distance < near {
		return from + distance
	}
	// With 32 buckets near is 8, and farthest/near 2^4 in 8 steps: each is a factor of 2^(1/2).
	step := 0
	for step < half-near-1 && distance*distance >= near*near<<(step+1) {
		step++
	}
	return from + near + step
}

func (n *bert) mapped(p *pack.Pack, i int) (*bertLayer, error) { return n.bind(p.Layer(i), i) }

func (n *bert) read(s *pack.Stream, i int, buffer []byte) (*bertLayer, error) {
	views, err := s.ReadLayer(i, buffer)
	if err != nil {
		return nil, err
	}
	return n.bind(views, i)
}

// bertLayer is one block of an encoder.
type bertLayer struct {
	*bert
	qkv, output, up, down     pack.Linear // [D,3D], [D,D], [D,F], [F,D]
	attentionNorm, outputNorm pack.Norm   // [D]
	added                     layerAdapter
}

// bind makes a layer of the views of a pack, and checks their shapes.
func (n *bert) bind(p pack.Layer, i int) (*bertLayer, error) {
	l := &bertLayer{
		bert: n,
		qkv:  p.QKV, output: p.Output, up: p.Up, down: p.Down,
		attentionNorm: p.AttentionNorm, outputNorm: p.OutputNorm, added: n.adapter.layer(i),
	}
	err := checkLinears(map[string]*pack.Linear{"query, key and value": &l.qkv, "attention output": &l.output, "feed-forward up": &l.up, "feed-forward down": &l.down})
	if err != nil {
		return nil, fmt.Errorf("layer %d: %w", i, err)
	}
	return l, nil
}

// checkLinears verifies the shapes of projections by name.
func checkLinears(linears map[string]*pack.Linear) error {
	for name, w := range linears {
		if err := w.Check(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// forward is attention, then feed-forward, each added to its input and then normalised
// (post-norm). R rows of T tokens are needed: all, or the first of each sequence. Keys and
// values are of all tokens either way, so a row has the same bits.
func (l *bertLayer) forward(b batch, w *workspace) error {
	d, f, t := l.config.Hidden, l.config.Intermediate, b.rows()
	if err := w.reserve(t, &l.shape); err != nil {
		return err
	}
	hidden := b.hidden[:t*d]       // [T,D]
	qkv := w.wide[:t*3*d]          // [T,3D]
	attention := w.attention[:t*d] // [T,D]
	if err := l.project(qkv, hidden, t, &l.qkv, qkvPart, w); err != nil {
		return err
	}
	if err := l.attend(attention, qkv, b.lengths, w); err != nil {
		return err
	}
	var rows []int
	r := t
	if b.outputs != allRows {
		rows = b.firstRows()
		r = len(rows)
		gather(attention, rows, d)
		gather(hidden, rows, d)
	}
	hidden, attention = hidden[:r*d], attention[:r*d] // [R,D]
	projected := w.wide[:r*d]                         // [R,D], in the place of qkv
	if err := l.project(projected, attention, r, &l.output, outputPart, w); err != nil {
		return err
	}
	l.addNorm(hidden, projected, &l.attentionNorm, r)
	inner := w.wide[:r*f] // [R,F], in the place of projected
	if err := l.expand(inner, hidden, r, w); err != nil {
		return err
	}
	contracted := attention // [R,D], in its place
	if err := l.project(contracted, inner, r, &l.down, downPart, w); err != nil {
		return err
	}
	l.addNorm(hidden, contracted, &l.outputNorm, r)
	if rows != nil {
		scatter(b.hidden, rows, d)
	}
	return nil
}

// attend writes the attention of each token over its own sequence to dst [T,D].
func (l *bertLayer) attend(dst, qkv []float32, lengths []int, w *workspace) error {
	d, at := l.config.Hidden, 0
	for _, length := range lengths {
		own := qkv[at*3*d : (at+length)*3*d] // [length,3D]
		err := l.kernel.Attention(dst[at*d:(at+length)*d], kernel.AttentionInput{
			Q: own, K: own[d:], V: own[2*d:],
			Stride: 3 * d, Tokens: length, Heads: l.shape.Heads, HeadDim: l.shape.HeadDim, Bias: l.bias,
		}, w.scratch)
		if err != nil {
			return err
		}
		at += length
	}
	return nil
}

// addNorm adds x [rows,D] to hidden [rows,D] and normalises.
func (l *bertLayer) addNorm(hidden, x []float32, norm *pack.Norm, rows int) {
	l.kernel.AddLayerNorm(hidden, x, hidden, norm.Gamma, norm.Beta, l.config.Epsilon, rows, l.config.Hidden)
}

// project is a projection with the adapter's additions.
func (l *bertLayer) project(dst, x []float32, rows int, weights *pack.Linear, part int, w *workspace) error {
	if err := l.kernel.Linear(dst, x, rows, weights, kernel.None, w.scratch); err != nil {
		return err
	}
	return l.added.add(l.kernel, part, dst, x, rows, weights.N, w)
}

// expand is the first half of the feed-forward part, dst [rows,F]. The projection applies
// the activation itself, unless an adapter adds something before.
func (l *bertLayer) expand(dst, x []float32, rows int, w *workspace) error {
	if len(l.added[upPart]) == 0 {
		return l.kernel.Linear(dst, x, rows, &l.up, kernel.Gelu, w.scratch)
	}
	err := l.project(dst, x, rows, &l.up, upPart, w)
	l.kernel.Gelu(dst)
	return err
}
