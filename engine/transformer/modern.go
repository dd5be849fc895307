package transformer

import (
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// modern is the network of ModernBERT (Warner and others, "Smarter, Better, Faster, Longer: A
// Modern Bidirectional Encoder", 2024), and of Gemma 3 as an encoder.
type modern struct {
	kernel *kernel.Kernel
	config pack.Config
	shape  weights.Shape
	global *kernel.Rotary
	local  *kernel.Rotary // of the layers with a window; may be nil
	final  pack.Norm      // of the last layer's states
}

// newModern is for sequences of at most Config.MaxTokens tokens.
func newModern(k *kernel.Kernel, c pack.Config) (*modern, error) {
	n := &modern{kernel: k, config: c, shape: weights.ShapeOf(&c)}
	table := func(base float64) (*kernel.Rotary, error) {
		return kernel.NewRotary(kernel.RotaryOptions{HeadDim: c.HeadDim, Base: base, Positions: c.MaxTokens})
	}
	var err error
	if n.global, err = table(c.RotaryBase); err != nil {
		return nil, err
	}
	if c.RotaryEncoder.Window > 0 {
		n.local, err = table(c.RotaryEncoder.LocalBase)
	}
	return n, err
}

func (n *modern) mapped(p *pack.Pack, i int) (*modernLayer, error) {
	return n.bind(p.RotaryLayer(i), i)
}

func (n *modern) read(s *pack.Stream, i int, buffer []byte) (*modernLayer, error) {
	views, err := s.ReadRotaryLayer(i, buffer)
	if err != nil {
		return nil, err
	}
	return n.bind(views, i)
}

// norm writes to dst a norm of states [rows,D]: an RMSNorm in Gemma, a LayerNorm otherwise.
func (n *modern) norm(dst, states []float32, norm *pack.Norm, rows int) {
	c := &n.config
	if c.RotaryEncoder.Gemma {
		n.kernel.RMSNorm(dst, states, norm.Gamma, c.Epsilon, rows, c.Hidden)
		return
	}
	n.kernel.AddLayerNorm(dst, states, nil, norm.Gamma, norm.Beta, c.Epsilon, rows, c.Hidden)
}

// modernLayer is one block of an encoder of this kind.
type modernLayer struct {
	*modern
	// Query, key and value are one projection, gate and up another. There are H
	// query heads of d numbers each, which share G heads of keys and values.
	qkv, output, gateUp, down       pack.Linear // [D,(H+2G)d], [Hd,D], [D,2F], [F,D]
	attentionNorm, innerNorm        pack.Norm   // [D], of what goes into either half
	attentionOutputNorm, outputNorm pack.Norm   // [D], of what comes out of either; of Gemma alone
	queryNorm, keyNorm              []float32   // [d], of each head; of Gemma alone
	rotary                          *kernel.Rotary
	window                          int // tokens on either side that a token attends to, 0 for all
}

// bind makes a layer of the views of a pack, and checks their shapes.
func (n *modern) bind(p pack.RotaryLayer, i int) (*modernLayer, error) {
	l := &modernLayer{
		modern: n, rotary: n.global,
		qkv: p.QKV, output: p.Output, gateUp: p.GateUp, down: p.Down,
		attentionNorm: p.AttentionNorm, innerNorm: p.InnerNorm,
		attentionOutputNorm: p.AttentionOutputNorm, outputNorm: p.OutputNorm,
		queryNorm: p.QueryNorm, keyNorm: p.KeyNorm,
	}
	if e := &n.config.RotaryEncoder; !e.Global(i) {
		l.rotary, l.window = n.local, e.Window
	}
	err := checkLinears(map[string]*pack.Linear{"query, key and value": &l.qkv, "attention output": &l.output, "gate and up": &l.gateUp, "down": &l.down})
	if err != nil {
		return nil, fmt.Errorf("layer %d: %w", i, err)
	}
	return l, nil
}

// modernInputs are the embeddings of tokens alone: those of a ModernBERT are normalised,
// those of a Gemma multiplied with the root of their width.
type modernInputs struct {
	network *modern
	norm    pack.Norm // of ModernBERT
	scale   float32   // of Gemma
}

func newModernInputs(n *modern, tables pack.Embeddings) (*modernInputs, error) {
	c := &n.config
	in := &modernInputs{network: n, norm: tables.Norm, scale: rootOf(c.Hidden)}
	if n.final = tables.Final; len(n.final.Gamma) != c.Hidden || !c.RotaryEncoder.Gemma && len(in.norm.Gamma) != c.Hidden {
		return nil, fmt.Errorf("norms of %d and %d numbers for a width of %d", len(in.norm.Gamma), len(n.final.Gamma), c.Hidden)
	}
	return in, nil
}

func (in *modernInputs) sum(dst []float32, rows []int32, types []uint8, first int, table weights.Table) error {
	return llamaInputs{width: in.network.config.Hidden, scale: 1}.sum(dst, rows, types, first, table)
}

func (in *modernInputs) normalize(hidden []float32) {
	c := &in.network.config
	if !c.RotaryEncoder.Gemma {
		in.network.norm(hidden, hidden, &in.norm, len(hidden)/c.Hidden)
		return
	}
	for i := range hidden {
		hidden[i] *= in.scale
	}
}
