package rerank

import "slices"

// UsualPrior is what a difference of 1 in the scores before is worth to models that nobody
// measured: their margins spread like logits, over some 10 units.
const UsualPrior = 10

// ScalePrior is the prior of each candidate in the margins of a model to which a difference
// of 1 is worth weight: 0 of the best, less of the others.
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
