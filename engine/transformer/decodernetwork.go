package transformer

import (
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/models/pack"
)

// decoderNetwork is the arithmetic that all decoders of a shape share: those of
// Llama, Qwen2 and Qwen3.
type decoderNetwork struct {
	kernel  *kernel.Kernel
	config  pack.Config
	shape   shape
	rotary  *kernel.Rotary
	adapter *adapter // nil for none
}

// newDecoderNetwork is for sequences of at most Config.MaxTokens tokens. folder is
// that of an adapter, or empty.
func newDecoderNetwork(k *kernel.Kernel, c pack.Config, folder string, ledger *memory.Ledger) (*decoderNetwork, error) {
	if c.Heads <= 0 || c.KVHeads <= 0 || c.Heads%c.KVHeads != 0 {
		return nil, fmt.Errorf("%d heads cannot share %d heads of keys and values", c.Heads, c.KVHeads)
	}
	rotary, err := kernel.NewRotary(kernel.RotaryOptions{
		HeadDim: c.HeadDim, Base: c.RotaryBase, Positions: c.MaxTokens, Layout: kernel.HalfSplit, Scaling: kernel.RotaryScaling(c.RotaryScaling),
	})
	if err != nil {
		return nil, err
	}
	added, err := openAdapter(folder, &c, ledger)
	if err != nil {
		return nil, err
	}
	return &decoderNetwork{kernel: k, config: c, shape: shapeOf(&c), rotary: rotary, adapter: added}, nil
}

// rotaryBytes is what the table of positions takes.
func rotaryBytes(c *pack.Config) int64 { return 4 * int64(c.MaxTokens) * int64(c.HeadDim) }

func (n *decoderNetwork) mapped(p *pack.Pack, i int) (block, error) {
	return n.bind(p.DecoderLayer(i), i)
}

func (n *decoderNetwork) read(s *pack.Stream, i int, buffer []byte) (block, error) {
	views, err := s.ReadDecoderLayer(i, buffer)
	if err != nil {
		return nil, err
	}
	return n.bind(views, i)
}

// resident is what it takes beside the model's own weights, in bytes.
func (n *decoderNetwork) resident() int64 { return n.adapter.bytes() }

// free gives that back.
func (n *decoderNetwork) free() error { return n.adapter.free() }

// looked is the last token: it alone has seen all of them.
func (n *decoderNetwork) looked(tokens int) int { return tokens - 1 }

// bind gives the views of a pack the kernels' types.
func (n *decoderNetwork) bind(p pack.DecoderLayer, i int) (*decoderLayer, error) {
	l := &decoderLayer{
		decoderNetwork: n,
		qkv:            linear(p.QKV),
		output:         linear(p.Output),
		gateUp:         linear(p.GateUp),
		down:           linear(p.Down),
		attentionNorm:  p.AttentionNorm,
		innerNorm:      p.MLPNorm,
		queryNorm:      p.QueryNorm,
		keyNorm:        p.KeyNorm,
		added:          n.adapter.layer(i),
	}
	if i >= n.config.SlidingFrom {
		l.window = n.config.SlidingWindow
	}
	if err := l.check(); err != nil {
		return nil, fmt.Errorf("layer %d: %w", i, err)
	}
	return l, nil
}
