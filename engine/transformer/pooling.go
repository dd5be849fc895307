package transformer

import (
	"math"

	"dowse/models/pack"
)

// pool turns the states of each sequence [tokens,D] into its vector, dst [len(ids),V].
func (e *Embedder) pool(dst, hidden []float32, ids [][]int32) {
	d, v, at := e.config.Hidden, e.Dim(), 0
	pooled := make([]float32, d)
	whole := pooled
	if e.config.Head != pack.NoHead {
		whole = make([]float32, e.config.Dimensions)
	}
	for i := range ids {
		vector := dst[i*v : (i+1)*v]
		rows := hidden[at*d : (at+len(ids[i]))*d]
		e.poolRows(pooled, rows)
		if e.config.Head != pack.NoHead {
			e.project(whole, pooled)
		}
		copy(vector, whole) // the first numbers
		if e.config.Normalize {
			e.kernel.Normalize(vector)
		}
		at += len(ids[i])
	}
}

// poolRows makes one state, dst [D], of those of a sequence [tokens,D].
func (e *Embedder) poolRows(dst, rows []float32) {
	d := len(dst)
	tokens := len(rows) / d
	switch e.config.Pooling {
	case pack.CLS:
		e.body.finish(dst, rows[:d])
		return
	case pack.LastToken:
		e.body.finish(dst, rows[(tokens-1)*d:])
		return
	}
	e.body.finish(rows, rows)
	switch e.config.Pooling {
	case pack.Max:
		copy(dst, rows)
		for at, x := range rows {
			dst[at%d] = max(dst[at%d], x)
		}
	case pack.WeightedMean:
		weightedMean(dst, rows, tokens)
	case pack.MeanSqrt:
		e.kernel.MeanPool(dst, rows, tokens, d)
		root := float32(math.Sqrt(float64(tokens)))
		for i := range dst {
			dst[i] *= root
		}
	default:
		e.kernel.MeanPool(dst, rows, tokens, d)
	}
}

// weightedMean weighs the n-th token by n.
func weightedMean(dst, rows []float32, tokens int) {
	clear(dst)
	d := len(dst)
	for at, x := range rows {
		weight := float32(at/d + 1) // explicit: a fused product would round otherwise on some machines
		dst[at%d] += float32(weight * x)
	}
	all := float32(tokens) * float32(tokens+1) / 2
	for i := range dst {
		dst[i] /= all
	}
}

// project is the module Dense, from pooled [D] to dst [V].
func (e *Embedder) project(dst, pooled []float32) {
	d := len(pooled)
	for i := range dst {
		y := e.kernel.Dot(pooled, e.head.Dense[i*d:(i+1)*d]) + e.head.DenseBias[i]
		if e.config.Head == pack.DenseTanhHead {
			y = float32(math.Tanh(float64(y)))
		}
		dst[i] = y
	}
}
