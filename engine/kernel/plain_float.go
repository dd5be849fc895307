package kernel

import (
	"encoding/binary"
	"math"
)

// The plain-Go operations are the specification: every other implementation
// gives these bits. float32(a*b) keeps the compiler from fusing a product with
// the sum that follows it (Go specification, "Floating-point operators").

// lanes is the number of partial sums of a reduction: element i goes to lane i
// mod 16, and the lanes are folded in halves. It is the width of the widest
// vector unit; narrower ones hold the lanes in several registers.
const lanes = 16

// foldSum adds up the lanes in the fixed order.
func foldSum(l *[lanes]float32) float32 {
	for half := lanes / 2; half > 0; half /= 2 {
		for i := range half {
			l[i] += l[i+half]
		}
	}
	return l[0]
}

func plainSum(x []float32) float32 {
	var l [lanes]float32
	for i, v := range x {
		l[i%lanes] += v
	}
	return foldSum(&l)
}

func plainDot(a, b []float32) float32 {
	var l [lanes]float32
	for i, v := range a {
		l[i%lanes] += float32(v * b[i])
	}
	return foldSum(&l)
}

func plainDotMany(scores, query []float32, vectors []byte) {
	for row := range scores {
		var l [lanes]float32
		for i, v := range query {
			bits := binary.LittleEndian.Uint32(vectors[4*(row*len(query)+i):])
			l[i%lanes] += float32(v * math.Float32frombits(bits))
		}
		scores[row] = foldSum(&l)
	}
}

func plainMeanPool(dst, x []float32, rows, width int) {
	clear(dst)
	if rows == 0 {
		return
	}
	for row := range rows {
		for i, v := range x[row*width : (row+1)*width] {
			dst[i] += v
		}
	}
	for i := range dst {
		dst[i] /= float32(rows)
	}
}

func plainAddLayerNorm(dst, x, residual, gamma, beta []float32, epsilon float32, rows, width int) {
	for row := range rows {
		for i := row * width; i < (row+1)*width; i++ {
			if residual == nil {
				dst[i] = x[i]
			} else {
				dst[i] = x[i] + residual[i]
			}
		}
		layerNormRow(dst[row*width:(row+1)*width], gamma, beta, epsilon)
	}
}

func layerNormRow(y, gamma, beta []float32, epsilon float32) {
	mean := plainSum(y) / float32(len(y))
	for i := range y {
		y[i] -= mean
	}
	variance := plainDot(y, y) / float32(len(y))
	inverse := 1 / float32(math.Sqrt(float64(variance+epsilon)))
	for i := range y {
		y[i] = float32(float32(y[i]*inverse)*gamma[i]) + beta[i]
	}
}

func plainGelu(x []float32) {
	for i, v := range x {
		x[i] = gelu(v)
	}
}

// magic is 1.5*2^23: adding and subtracting it rounds a float below 2^22 to
// an integer, halves to even.
const magic = 12582912.0

// exp is e^x for x <= 0, right to 1e-7 relative; below -87 it stays at e^-87,
// and so it does for a NaN. x is split into n ln 2 + r with |r| <= ln(2)/2 and
// e^r taken from a minimax polynomial (Cody and Waite, Software Manual for the
// Elementary Functions, 1980, chapter 6).
func exp(x float32) float32 {
	if !(x > expMin) {
		x = expMin
	}
	n := float32(x*log2e) + magic - magic
	r := x - float32(n*ln2High)
	r -= float32(n * ln2Low)
	p := horner(r, expCoefficients[:])
	return p * math.Float32frombits(uint32(int32(n)+127)<<23)
}

// Constants of exp; ln2High has so few bits that n*ln2High is exact.
const (
	expMin  = -87
	log2e   = 1.4426950408889634
	ln2High = 0.693359375
	ln2Low  = -2.12194440e-4
)

// gelu is x*(1+erf(x/sqrt 2))/2. erf is 1-exp(-a q(a)) with a = |x|/sqrt 2,
// where q is a minimax polynomial for -log(erfc(a))/a on 0..4; beyond 4 erf is
// 1 in this precision. The error of erf is below 1.6e-7.
func gelu(x float32) float32 {
	a := float32(float32(math.Abs(float64(x))) * sqrtHalf)
	if !(a < erfMax) {
		a = erfMax
	}
	erf := 1 - exp(-float32(a*horner(a, erfCoefficients[:])))
	erf = float32(math.Copysign(float64(erf), float64(x)))
	return float32(0.5*x) * (1 + erf)
}

// Constants of gelu.
const (
	sqrtHalf = 0.70710678118654752
	erfMax   = 4
)

// horner evaluates a polynomial whose coefficients ascend.
func horner(x float32, c []float32) float32 {
	p := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		p = float32(p*x) + c[i]
	}
	return p
}

// Coefficients, ascending, fitted by reweighted least squares. The native
// kernels hold the same in float_kernels.h.
var (
	expCoefficients = [...]float32{1, 1, 0.49999994, 0.1666652, 0.041668396, 0.008368793, 0.0013814416}
	erfCoefficients = [...]float32{1.1283803, 0.63659775, 0.102919616, -0.01958397, 0.00053694466, 0.0010323944, -0.00030879985, 3.1439868e-05}
)
