package transformer

import (
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// llama is the network of Llama, Qwen2, Qwen3, Gemma 3, Mixtral and Qwen3 with experts.
type llama struct {
	kernel  *kernel.Kernel
	config  pack.Config
	shape   weights.Shape
	global  *kernel.Rotary
	local   *kernel.Rotary // of the layers of a Gemma with a window; nil in others
	adapter *adapter       // nil for none
}

// newLlama is for sequences of at most Config.MaxTokens tokens. folder is that of an
// adapter, or empty.
func newLlama(k *kernel.Kernel, c pack.Config, folder string, ledger *memory.Ledger) (*llama, error) {
	if c.Heads <= 0 || c.KVHeads <= 0 || c.Heads%c.KVHeads != 0 {
		return nil, fmt.Errorf("%d heads cannot share %d heads of keys and values", c.Heads, c.KVHeads)
	}
	if folder != "" && c.Mixture.Experts > 0 {
		return nil, fmt.Errorf("%s has experts; adapters of such models are not supported", c.Architecture)
	}
	rotary, err := kernel.NewRotary(kernel.RotaryOptions{
		HeadDim: c.HeadDim, Base: c.RotaryBase, Positions: c.MaxTokens, Scaling: c.RotaryScaling,
	})
	if err != nil {
		return nil, err
	}
	n := &llama{kernel: k, config: c, shape: weights.ShapeOf(&c), global: rotary}
	if base := c.Gemma.LocalBase; base > 0 {
		if n.local, err = kernel.NewRotary(kernel.RotaryOptions{HeadDim: c.HeadDim, Base: base, Positions: c.MaxTokens}); err != nil {
			return nil, err
		}
	}
	n.adapter, err = openAdapter(folder, &c, ledger)
	return n, err
}

// gemma reports whether the network is Gemma's.
func (n *llama) gemma() bool { return n.config.Gemma != pack.GemmaDecoder{} }

// inputs are the embeddings of tokens.
func (n *llama) inputs() llamaInputs {
	in := llamaInputs{width: n.config.Hidden, scale: 1}
	if n.gemma() {
		in.scale = rootOf(n.config.Hidden)
	}
	return in
}

func (n *llama) mapped(p *pack.Pack, i int) (*llamaLayer, error) {
	l, err := n.bind(p.DecoderLayer(i), i)
	if err != nil || l.router == nil {
		return l, err
	}
	l.experts = make([]*expert, n.config.Mixture.Experts)
	for e := range l.experts {
		if l.experts[e], err = n.bindExpert(p.Expert(i, e)); err != nil {
			return nil, fmt.Errorf("layer %d: expert %d: %w", i, e, err)
		}
	}
	return l, nil
}

func (n *llama) read(s *pack.Stream, i int, buffer []byte) (*llamaLayer, error) {
	views, err := s.ReadDecoderLayer(i, buffer)
	if err != nil {
		return nil, err
	}
	return n.bind(views, i)
}

// llamaLayer is one block of a decoder.
type llamaLayer struct {
	*llama
	index int
	// Query, key and value are one projection, gate and up another. There are H
	// query heads of d numbers each, which share G heads of keys and values.
	qkv, output, gateUp, down pack.Linear // [D,(H+2G)d], [Hd,D], [D,2F], [F,D]
	attentionNorm, innerNorm  []float32   // [D], of what goes into either half
	queryNorm, keyNorm        []float32   // [d], of each head; nil but for Qwen3 and Gemma
	// [D], of what comes out of either half; nil but for Gemma
	attentionOutputNorm, outputNorm []float32
	rotary                          *kernel.Rotary
	window                          int // how many keys a token attends to, 0 for all
	added                           layerAdapter
	masking                         // of a row pack; see swapped.go

	// Of a layer with experts, in place of gateUp and down. experts is nil where an ExpertCache
	// reads them.
	router  []float32 // [Experts,D]
	experts []*expert
}

// bind makes a layer of the views of a pack.
func (n *llama) bind(p pack.DecoderLayer, i int) (*llamaLayer, error) {
	l := &llamaLayer{
		llama:         n,
		index:         i,
		qkv:           p.QKV,
		output:        p.Output,
		gateUp:        p.GateUp,
		down:          p.Down,
		attentionNorm: p.AttentionNorm,
		innerNorm:     p.MLPNorm,
		queryNorm:     p.QueryNorm,
		keyNorm:       p.KeyNorm,
		added:         n.adapter.layer(i),
		router:        p.Router,
		rotary:        n.global,
		window:        n.config.Window(i),
	}
	if n.gemma() {
		l.attentionOutputNorm, l.outputNorm = p.AttentionOutputNorm, p.MLPOutputNorm
		if !n.config.Gemma.Global(i) {
			l.rotary = n.local
		}
	}
	if err := l.check(); err != nil {
		return nil, fmt.Errorf("layer %d: %w", i, err)
	}
	return l, nil
}

// check verifies the shapes of the projections against the configuration. In a row pack
// they have no weights yet.
func (l *llamaLayer) check() error {
	for part, name := range [pack.Bundles]string{"query, key and value", "attention output", "gate and up", "down"} {
		if l.router != nil && part >= upPart {
			break // experts are checked one by one
		}
		w, p := l.projection(part), l.shape.Projections[part]
		err := w.CheckRows()
		if err == nil && w.Weights != nil {
			err = w.Check()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if w.K != p[0] || w.N != p[1] {
			return fmt.Errorf("projection %d is %dx%d, the configuration says %dx%d", part, w.K, w.N, p[0], p[1])
		}
	}
	if d := l.config.Hidden; len(l.attentionNorm) != d || len(l.innerNorm) != d {
		return fmt.Errorf("norms of %d and %d numbers for a width of %d", len(l.attentionNorm), len(l.innerNorm), d)
	}
	if l.router != nil && len(l.router) != l.config.Mixture.Experts*l.config.Hidden {
		return fmt.Errorf("a router of %d numbers for %d experts", len(l.router), l.config.Mixture.Experts)
	}
	return nil
}
