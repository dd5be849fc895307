package transformer

import (
	"math"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// scorer is the head of a cross-encoder: it turns the state of one token of each
// candidate into a score.
type scorer interface {
	// scores writes to dst[i] the margin of candidate active[i] after a layer,
	// from states [n,D]; scratch is as large.
	scores(dst []float32, layer int, active []int, states, scratch []float32)
	// layered reports whether each layer has a head that was trained for it.
	layered() bool
}

// bertHead turns the state of the first token into a score.
type bertHead struct {
	kernel  *kernel.Kernel
	weights pack.Head
	width   int // D
	layers  bool
}

func newBERTHead(n *bert, weights pack.Head) *bertHead {
	return &bertHead{kernel: n.kernel, weights: weights, width: n.config.Hidden, layers: n.config.Head == pack.LayerHeads}
}

func (h *bertHead) layered() bool { return h.layers }

// scores applies a head that was trained on the last layer alone to any: states
// are normalised at the end of each layer, so that it sees what it is used to
// in scale.
func (h *bertHead) scores(dst []float32, layer int, active []int, states, scratch []float32) {
	d := h.width
	weights, bias := h.weights.Weights[:d], h.weights.Bias[0]
	if h.layers {
		weights, bias = h.weights.Weights[layer*d:(layer+1)*d], h.weights.Bias[layer]
	} else {
		h.dense(scratch, active, states)
		states = scratch
	}
	for i, c := range active {
		dst[i] = h.kernel.Dot(states[c*d:(c+1)*d], weights) + bias
	}
}

// dense writes tanh(Dense·state + DenseBias) of each active candidate to dst [n,D].
func (h *bertHead) dense(dst []float32, active []int, states []float32) {
	denseLayer(h.kernel, &h.weights, dst, active, states)
	for _, c := range active {
		for i, y := range dst[c*h.width : (c+1)*h.width] {
			dst[c*h.width+i] = float32(math.Tanh(float64(y)))
		}
	}
}

// denseLayer writes Dense·state + DenseBias of each active candidate to dst [n,D]. The
// weights are the larger side, so each row of theirs is read once.
func denseLayer(k *kernel.Kernel, head *pack.Head, dst []float32, active []int, states []float32) {
	d := len(head.DenseBias)
	for i := range d {
		row, bias := head.Dense[i*d:(i+1)*d], head.DenseBias[i]
		for _, c := range active {
			dst[c*d+i] = k.Dot(states[c*d:(c+1)*d], row) + bias
		}
	}
}

// modernHead turns what ModernBERT's head takes of a sequence into a score.
type modernHead struct {
	kernel  *kernel.Kernel
	weights pack.Head
	epsilon float32
	width   int // D
	layers  bool
}

func newModernHead(n *modern, weights pack.Head) *modernHead {
	return &modernHead{kernel: n.kernel, weights: weights, epsilon: n.config.Epsilon, width: n.config.Hidden, layers: n.config.Head == pack.LayerHeads}
}

func (h *modernHead) layered() bool { return h.layers }

// scores is a linear layer of norm(gelu(Dense·state + DenseBias)), or one for each layer of
// the state itself.
func (h *modernHead) scores(dst []float32, layer int, active []int, states, scratch []float32) {
	d := h.width
	weights, bias := h.weights.Weights[:d], h.weights.Bias[0]
	if h.layers {
		weights, bias = h.weights.Weights[layer*d:(layer+1)*d], h.weights.Bias[layer]
	} else {
		denseLayer(h.kernel, &h.weights, scratch, active, states)
		for _, c := range active {
			row := scratch[c*d : (c+1)*d]
			h.kernel.Gelu(row)
			h.kernel.AddLayerNorm(row, row, nil, h.weights.Norm.Gamma, h.weights.Norm.Beta, h.epsilon, 1, d)
		}
		states = scratch
	}
	for i, c := range active {
		dst[i] = h.kernel.Dot(states[c*d:(c+1)*d], weights) + bias
	}
}

// llamaHead turns the state of the last token into a score: after the final
// norm of the model its product with a vector. The margin of two tokens is one
// too: with the difference of their rows.
type llamaHead struct {
	kernel  *kernel.Kernel
	norm    []float32 // [D]
	epsilon float32
	weights []float32 // [D] or, of a head for each layer, [layers,D]
	bias    []float32 // [1] or [layers]
}

func (h *llamaHead) layered() bool { return len(h.bias) > 1 }

// scores normalises first after any layer: what a decoder's layers add up grows
// from one to the next, and the head knows it in the norm's scale.
func (h *llamaHead) scores(dst []float32, layer int, active []int, states, scratch []float32) {
	d := len(h.norm)
	weights, bias := h.weights[:d], h.bias[0]
	if h.layered() {
		weights, bias = h.weights[layer*d:(layer+1)*d], h.bias[layer]
	}
	for i, c := range active {
		normed := scratch[c*d : (c+1)*d]
		h.kernel.RMSNorm(normed, states[c*d:(c+1)*d], h.norm, h.epsilon, 1, d)
		dst[i] = h.kernel.Dot(normed, weights) + bias
	}
}
