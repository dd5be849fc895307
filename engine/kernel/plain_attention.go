package kernel

import "math"

// plainAttention goes query by query. scratch holds the weights of one query.
func plainAttention(dst []float32, in AttentionInput, scratch []float32) {
	width := in.Heads * in.HeadDim
	group := in.Heads / in.kvHeads()
	for head := range in.Heads {
		column, shared := head*in.HeadDim, head/group*in.HeadDim
		for i := range in.Tokens {
			query := in.Q[i*in.Stride+column:][:in.HeadDim]
			from, to := in.keysOf(i)
			weights := scratch[:to-from]
			var bias []float32
			if in.Bias != nil {
				bias = in.Bias.of(head, i)[from:to]
			}
			sum := attentionWeights(weights, query, bias, in, shared, from)
			out := dst[i*width+column:][:in.HeadDim]
			clear(out)
			for j, weight := range weights {
				for d, v := range in.V[(from+j)*in.Stride+shared:][:in.HeadDim] {
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

// attentionWeights writes exp((score-max)*scale) of each key, the first of which is
// number from, and returns their sum; a score is the product of query and key, summed
// in the order of the columns, and with a bias it is scaled before. The lane of a weight follows from its key's number among
// all, so that a window does not move it. Dividing by the sum is left to the end.
func attentionWeights(weights, query, bias []float32, in AttentionInput, column, from int) float32 {
	scale, largest := attentionScale(in.HeadDim), float32(math.Inf(-1))
	for j := range weights {
		var score float32
		for d, v := range in.K[(from+j)*in.Stride+column:][:len(query)] {
			score += float32(query[d] * v)
		}
		if bias != nil {
			score = float32(score*scale) + bias[j]
		}
		weights[j] = score
		if score > largest {
			largest = score
		}
	}
	if bias != nil {
		scale = 1
	}
	var sums [lanes]float32
	for j, score := range weights {
		weights[j] = exp(float32((score - largest) * scale))
		sums[(from+j)%lanes] += weights[j]
	}
	return foldSum(&sums)
}

// attentionScale is 1/sqrt(headDim).
func attentionScale(headDim int) float32 {
	return 1 / float32(math.Sqrt(float64(headDim)))
}
