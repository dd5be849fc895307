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

// encoderHead is the head of an encoder's pack: linear of a dense layer's result, or a
// linear head for each layer, applied to the state itself.
type encoderHead struct {
	kernel  *kernel.Kernel
	config  pack.Config
	weights pack.Head
}

func (h *encoderHead) layered() bool { return h.config.Head == pack.LayerHeads }

// scores applies a head that was trained on the last layer alone to any: the states of all
// layers are normalised as those of the last.
func (h *encoderHead) scores(dst []float32, layer int, active []int, states, scratch []float32) {
	d := h.config.Hidden
	weights, bias := h.weights.Weights[:d], h.weights.Bias[0]
	if h.layered() {
		weights, bias = h.weights.Weights[layer*d:(layer+1)*d], h.weights.Bias[layer]
	} else {
		h.dense(scratch, active, states)
		states = scratch
	}
	for i, c := range active {
		dst[i] = h.kernel.Dot(states[c*d:(c+1)*d], weights) + bias
	}
}

// dense writes tanh(Dense·state + DenseBias) of each active candidate to dst [n,D], or with
// a GeluHead norm(gelu(...)). The weights are the larger side, so each row of theirs is read
// once.
func (h *encoderHead) dense(dst []float32, active []int, states []float32) {
	d := h.config.Hidden
	for i := range d {
		row, bias := h.weights.Dense[i*d:(i+1)*d], h.weights.DenseBias[i]
		for _, c := range active {
			dst[c*d+i] = h.kernel.Dot(states[c*d:(c+1)*d], row) + bias
		}
	}
	for _, c := range active {
		own := dst[c*d : (c+1)*d]
		if h.config.Head == pack.GeluHead {
			h.kernel.Gelu(own)
			h.kernel.AddLayerNorm(own, own, nil, h.weights.Norm.Gamma, h.weights.Norm.Beta, h.config.Epsilon, 1, d)
			continue
		}
		for i, y := range own {
			own[i] = float32(math.Tanh(float64(y)))
		}
	}
}

// llamaHead turns the state of the last token, which alone has seen all others, into a
// score: its product, after the model's final norm, with a vector. For models that answer
// yes or no the vector is the difference of the two tokens' rows.
type llamaHead struct {
	kernel  *kernel.Kernel
	norm    []float32 // [D]
	epsilon float32
	weights []float32 // [D] or, of a head for each layer, [layers,D]
	bias    []float32 // [1] or [layers]
}

func (h *llamaHead) layered() bool { return len(h.bias) > 1 }

// scores normalises after any layer: states grow from layer to layer, and the head was
// trained on normed ones.
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
