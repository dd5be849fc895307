package transformer

import (
	"crypto/sha256"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// adapter is a low-rank adapter: trained additions to the projections of a model, and heads.
type adapter struct {
	layers []layerAdapter
	heads  []float32      // [D] or [layers,D]; nil if it has none
	bias   []float32      // [1] or [layers]
	spans  []float32      // [SpanHeads,D], the heads of a SpanReader; nil if it has none
	buffer *memory.Buffer // of all matrices
}

// bytes is the size of the matrices.
func (a *adapter) bytes() int64 {
	if a == nil {
		return 0
	}
	return int64(a.buffer.Size())
}

// sum identifies the adapter.
func (a *adapter) sum() []byte {
	hash := sha256.New()
	if a != nil {
		hash.Write(a.buffer.Bytes())
		hash.Write(kernel.Float32Bytes(kernel.Float32Bytes(kernel.Float32Bytes(nil, a.heads), a.bias), a.spans))
		for _, layer := range a.layers {
			for at, parts := range layer {
				for _, p := range parts {
					fmt.Fprintln(hash, at, p.Inputs, p.Rank, p.From, p.Outputs, p.Scale)
				}
			}
		}
	}
	return hash.Sum(nil)
}

// free gives their memory back.
func (a *adapter) free() error {
	if a == nil {
		return nil
	}
	return a.buffer.Free()
}

// layerAdapter is an adapter's additions to the projections of a layer, by the numbers below.
// Each may have several parts.
type layerAdapter [4][]kernel.LowRank

// The projections of a layer, in the order of shape.Projections.
const (
	qkvPart = iota
	outputPart
	upPart // of a decoder with the gate before it
	downPart
)

// add adds a projection's low-rank products of its input x to dst [rows,width].
func (a *layerAdapter) add(k *kernel.Kernel, part int, dst, x []float32, rows, width int, w *workspace) error {
	for i := range a[part] {
		if err := k.AddLowRank(dst, width, x, rows, &a[part][i], w.scratch); err != nil {
			return err
		}
	}
	return nil
}

// layer is the additions to layer i. A nil adapter adds nothing.
func (a *adapter) layer(i int) layerAdapter {
	if a == nil || i >= len(a.layers) {
		return layerAdapter{}
	}
	return a.layers[i]
}

// scores reports whether the adapter has a head.
func (a *adapter) scores() bool { return a != nil && a.heads != nil }

// check verifies that an adapter is one for a model.
func (a *adapter) check(c *pack.Config, s *weights.Shape) error {
	if a == nil {
		return nil
	}
	if len(a.layers) > c.Layers {
		return fmt.Errorf("it has %d layers, the model %d", len(a.layers), c.Layers)
	}
	if n := len(a.bias); a.heads != nil && (n != 1 && n != c.Layers || len(a.heads) != n*c.Hidden) {
		return fmt.Errorf("%d numbers for %d heads, the model has %d layers of width %d", len(a.heads), n, c.Layers, c.Hidden)
	}
	for i, layer := range a.layers {
		for at, parts := range layer {
			for _, p := range parts {
				if want := s.Projections[at]; p.Inputs != want[0] || p.From+p.Outputs > want[1] {
					return fmt.Errorf("layer %d: outputs %d to %d of %d inputs, the projection is %dx%d", i, p.From, p.From+p.Outputs, p.Inputs, want[0], want[1])
				}
			}
		}
	}
	return nil
}
