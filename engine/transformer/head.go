package transformer

import (
	"math"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// head turns the state of the first token into a score.
type head struct {
	kernel  *kernel.Kernel
	weights pack.Head
	width   int  // D
	layered bool // one head for each layer
}

func newHead(n *network, weights pack.Head) head {
	return head{kernel: n.kernel, weights: weights, width: n.config.Hidden, layered: n.config.Head == pack.LayerHeads}
}

// scores writes to dst[i] the margin of candidate active[i] after a layer,
// from states [n,D]; scratch is as large. A head that was trained on the last
// layer alone is applied to any: states are normalised at the end of each
// layer, so that it sees what it is used to in scale.
func (h *head) scores(dst []float32, layer int, active []int, states, scratch []float32) {
	d := h.width
	weights, bias := h.weights.Weights[:d], h.weights.Bias[0]
	if h.layered {
		weights, bias = h.weights.Weights[layer*d:(layer+1)*d], h.weights.Bias[layer]
	} else {
		h.dense(scratch, active, states)
		states = scratch
	}
	for i, c := range active {
		dst[i] = h.kernel.Dot(states[c*d:(c+1)*d], weights) + bias
	}
}

// dense writes tanh(Dense·state + DenseBias) of each active candidate to dst
// [n,D]. The weights are the larger side, so each row of theirs is read once.
func (h *head) dense(dst []float32, active []int, states []float32) {
	d := h.width
	for i := range d {
		row, bias := h.weights.Dense[i*d:(i+1)*d], h.weights.DenseBias[i]
		for _, c := range active {
			y := h.kernel.Dot(states[c*d:(c+1)*d], row) + bias
			dst[c*d+i] = float32(math.Tanh(float64(y)))
		}
	}
}
