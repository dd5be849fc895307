package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
)

// AddLayerNorm writes LN(x+residual) row by row to dst [rows,width]:
//
//	dst = (y-mean)/sqrt(variance+epsilon)*gamma + beta, y = x+residual,
//
// with the biased variance. A nil residual counts as zero. dst may be x or
// residual. gamma and beta are [width].
func (k *Kernel) AddLayerNorm(dst, x, residual, gamma, beta []float32, epsilon float32, rows, width int) {
	needLen("dst", len(dst), rows*width)
	needLen("x", len(x), rows*width)
	if residual != nil {
		needLen("residual", len(residual), rows*width)
	}
	needLen("gamma", len(gamma), width)
	needLen("beta", len(beta), width)
	if rows > 0 && width > 0 {
		k.ops.addLayerNorm(dst, x, residual, gamma, beta, epsilon, rows, width)
	}
}

// RMSNorm writes x/sqrt(mean(x^2)+epsilon)*gamma row by row to dst
// [rows,width], which may be x (Zhang and Sennrich, Root Mean Square Layer
// Normalization, 2019). gamma is [width]. A row is whatever is normalised
// together: the heads of Qwen3, say, are rows of HeadDim.
func (k *Kernel) RMSNorm(dst, x, gamma []float32, epsilon float32, rows, width int) {
	k.rmsNorm(dst, nil, x, nil, gamma, epsilon, rows, width)
}

// AddRMSNorm writes x+residual to sum and RMSNorm of that to dst, all
// [rows,width]. sum may be x or residual; dst may be none of the others.
func (k *Kernel) AddRMSNorm(dst, sum, x, residual, gamma []float32, epsilon float32, rows, width int) {
	needLen("sum", len(sum), rows*width)
	needLen("residual", len(residual), rows*width)
	k.rmsNorm(dst, sum, x, residual, gamma, epsilon, rows, width)
}

func (k *Kernel) rmsNorm(dst, sum, x, residual, gamma []float32, epsilon float32, rows, width int) {
	needLen("dst", len(dst), rows*width)
	needLen("x", len(x), rows*width)
	needLen("gamma", len(gamma), width)
	if rows > 0 && width > 0 {
		k.ops.rmsNorm(dst, sum, x, residual, gamma, epsilon, rows, width)
	}
}

// Gelu replaces each x by x*(1+erf(x/sqrt 2))/2; erf is right to 1.6e-7.
func (k *Kernel) Gelu(x []float32) {
	if len(x) > 0 {
		k.ops.gelu(x)
	}
}

// MeanPool writes the mean of the rows of x [rows,width] to dst [width]; of no
// rows the mean is zero.
func (k *Kernel) MeanPool(dst, x []float32, rows, width int) {
	needLen("dst", len(dst), width)
	needLen("x", len(x), rows*width)
	plainMeanPool(dst, x, rows, width)
}

// Normalize scales x to length 1. A vector of length zero stays as it is.
func (k *Kernel) Normalize(x []float32) {
	length := float32(math.Sqrt(float64(k.Dot(x, x))))
	if length == 0 {
		return
	}
	for i := range x {
		x[i] /= length
	}
}

// Dot returns the sum of the products of a and b, which are equally long.
func (k *Kernel) Dot(a, b []float32) float32 {
	needLen("b", len(b), len(a))
	if len(a) == 0 {
		return 0
	}
	return k.ops.dot(a, b)
}

// DotMany writes the dot products of query with stored vectors to scores, one
// for each. vectors holds len(scores) vectors of len(query) little-endian
// floats, at any alignment. The bits are those of Dot.
func (k *Kernel) DotMany(scores, query []float32, vectors []byte) {
	needLen("vectors", len(vectors), 4*len(scores)*len(query))
	if len(scores) > 0 && len(query) > 0 {
		k.ops.dotMany(scores, query, vectors)
		return
	}
	clear(scores)
}

// Float32Bytes appends x as little-endian bytes, as DotMany reads them.
func Float32Bytes(dst []byte, x []float32) []byte {
	for _, v := range x {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
	}
	return dst
}

// Embedding is the input table of an encoder: a quantised row for each token
// id, to which the row of the position and one more row are added.
type Embedding struct {
	Width     int
	Words     []int8    // [vocabulary,Width]
	WordScale []float32 // [vocabulary]
	Positions []float32 // [positions,Width]
	Type      []float32 // [Width], of the token type that is used
}

// Embed writes for the i-th id Words[id]*WordScale[id] + (Positions[first+i] +
// Type) to row i of dst [len(ids),Width]. An id or a position outside of its
// table is an error.
func (k *Kernel) Embed(dst []float32, ids []int32, first int, e *Embedding) error {
	needLen("dst", len(dst), len(ids)*e.Width)
	needLen("words", len(e.Words), len(e.WordScale)*e.Width)
	needLen("type", len(e.Type), e.Width)
	if positions := len(e.Positions) / e.Width; first < 0 || first+len(ids) > positions {
		return fmt.Errorf("%d tokens from position %d: the model has %d positions", len(ids), first, positions)
	}
	for _, id := range ids {
		if id < 0 || int(id) >= len(e.WordScale) {
			return fmt.Errorf("token id %d: the vocabulary has %d", id, len(e.WordScale))
		}
	}
	if len(ids) > 0 {
		k.ops.embed(dst, ids, e.Positions[first*e.Width:], e)
	}
	return nil
}

// Softmax replaces x by e^(x-max), divided by the sum of these. Values more than 87 below
// the largest count as 87 below.
func (k *Kernel) Softmax(x []float32) {
	if len(x) == 0 {
		return
	}
	largest := x[0]
	for _, v := range x[1:] {
		largest = max(largest, v)
	}
	for i, v := range x {
		x[i] = exp(v - largest)
	}
	sum := plainSum(x)
	for i := range x {
		x[i] /= sum
	}
}

// SwiGLU writes silu(gate)*up, value by value, to dst, which may be gate or up: the gated
// unit of Shazeer, GLU Variants Improve Transformer, 2020. silu(x) is x/(1+e^-x), right to
// 3e-7 relative above -87; below, where it is smaller than 10^-35, it stays at that of -87.
func (k *Kernel) SwiGLU(dst, gate, up []float32) {
	needLen("dst", len(dst), len(gate))
	needLen("up", len(up), len(gate))
	if len(gate) > 0 {
		k.ops.swiGLU(dst, gate, up)
	}
}

// GeluForm is a way to compute gelu.
type GeluForm int

// The forms, which differ by up to 5e-4.
const (
	GeluErf  GeluForm = iota // x*(1+erf(x/sqrt 2))/2
	GeluTanh                 // x*(1+tanh(sqrt(2/pi)*(x+0.044715*x^3)))/2
)

// GeGLU is SwiGLU with gelu in the place of silu.
func (k *Kernel) GeGLU(dst, gate, up []float32, form GeluForm) {
	needLen("dst", len(dst), len(gate))
	needLen("up", len(up), len(gate))
	if len(gate) > 0 {
		k.ops.geGLU(dst, gate, up, form)
	}
}
