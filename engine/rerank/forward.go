package rerank

import (
	"context"
	"slices"
)

// Forward is a cross-encoder's pass over the candidates 0..n-1 of one query. It owns tokens and
// hidden states; this package decides which candidates go on. A candidate that was left out of a
// layer never comes back.
//
// A candidate's results must not depend on which others are active: pruning, replay and
// calibration rest on that.
type Forward interface {
	// Layers returns the number of layers, at least 1.
	Layers() int
	// Advance computes the next layer, 0, 1, 2, ..., in place for the active candidates, which
	// ascend. It returns soon with an error once ctx is done. It must not change or keep active.
	Advance(ctx context.Context, layer int, active []int) error
	// Scores writes the margin of active[i] to dst[i]: the output of the model's head after the
	// last computed layer, before any sigmoid, finite, higher for more relevant. It must keep
	// neither slice.
	Scores(layer int, active []int, dst []float32)
}

// UsualPrior is the margin that a difference of 1 in earlier scores is worth to an unmeasured model:
// margins spread like logits, over some 10 units.
const UsualPrior = 10

// ScalePrior converts earlier scores to margins, weight for a difference of 1: 0 for the best, less
// for others.
func ScalePrior(prior []float64, weight float64) []float32 {
	out := make([]float32, len(prior))
	top := 0.0
	if len(prior) > 0 {
		top = slices.Max(prior)
	}
	for i, p := range prior {
		out[i] = float32(weight * (p - top))
	}
	return out
}
