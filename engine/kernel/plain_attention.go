package kernel

import "math"

// plainAttention goes query by query. scratch holds the weights of one query.
func plainAttention(dst []float32, in AttentionInput, scratch []float32) {
	width := in.Heads * in.HeadDim
	weights := scratch[:in.Tokens]
	for head := range in.Heads {
		column := head * in.HeadDim
		for i := range in.Tokens {
			query := in.Q[i*in.Stride+column:][:in.HeadDim]
			sum := attentionWeights(weights, query, in, column)
			out := dst[i*width+column:][:in.HeadDim]
			clear(out)
			for j, weight := range weights {
				for d, v := range in.V[j*in.Stride+column:][:in.HeadDim] {
					out[d] += float32(weight * v)
				}
			}
			inverse := 1 / sum
			for d := range out {
				out[d] *= inverse
			}
		}
	}
}

// attentionWeights writes exp((score-max)*scale) of each key and returns their
// sum; a score is the product of query and key, summed in the order of the
// columns. Dividing by the sum is left to the end.
func attentionWeights(weights, query []float32, in AttentionInput, column int) float32 {
	largest := float32(math.Inf(-1))
	for j := range weights {
		var score float32
		for d, v := range in.K[j*in.Stride+column:][:len(query)] {
			score += float32(query[d] * v)
		}
		weights[j] = score
		if score > largest {
			largest = score
		}
	}
	scale := attentionScale(in.HeadDim)
	for j, score := range weights {
		weights[j] = exp(float32((score - largest) * scale))
	}
	return plainSum(weights)
}

// attentionScale is 1/sqrt(headDim).
func attentionScale(headDim int) float32 {
	return 1 / float32(math.Sqrt(float64(headDim)))
}
