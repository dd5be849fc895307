package kernel

import "math"

// plainRMSNorm also writes the sums of x and residual to sum, if there is a
// residual.
func plainRMSNorm(dst, sum, x, residual, gamma []float32, epsilon float32, rows, width int) {
	for row := range rows {
		y := x[row*width : (row+1)*width]
		if residual != nil {
			added := sum[row*width : (row+1)*width]
			for i, v := range y {
				added[i] = v + residual[row*width+i]
			}
			y = added
		}
		mean := plainDot(y, y) / float32(width)
		inverse := 1 / float32(math.Sqrt(float64(mean+epsilon)))
		for i, v := range y {
			dst[row*width+i] = float32(v*inverse) * gamma[i]
		}
	}
}

// silu is x/(1+e^-x). Of the two forms 1/(1+e^-x) and e^x/(1+e^x) it takes the
// one whose exponent is not positive; below -87, where the result is smaller
// than 10^-35, it stays where it is.
func silu(x float32) float32 {
	e := exp(-float32(math.Abs(float64(x))))
	share := float32(1)
	if math.Signbit(float64(x)) {
		share = e
	}
	if expMin > x {
		x = expMin
	}
	return x * (share / (1 + e))
}

func plainSwiGLU(dst, gate, up []float32) {
	for i, v := range gate {
		dst[i] = silu(v) * up[i]
	}
}

// geluTanh is x/(1+e^-2u) with u = sqrt(2/pi)*(x+0.044715*x^3), which is
// x*(1+tanh u)/2. The share is found as that of silu.
func geluTanh(x float32) float32 {
	inner := float32(float32(x*x)*geluCubic) + 1
	y := float32(float32(x*geluSlope) * inner)
	e := exp(-float32(math.Abs(float64(y))))
	share := float32(1)
	if math.Signbit(float64(y)) {
		share = e
	}
	if expMin > x {
		x = expMin
	}
	return x * (share / (1 + e))
}

// Constants of geluTanh: twice the root of 2/pi, and the factor of the cube.
const (
	geluSlope = 1.5957691216057308
	geluCubic = 0.044715
)

func plainGeGLU(dst, gate, up []float32, form GeluForm) {
	for i, v := range gate {
		if form == GeluTanh {
			dst[i] = geluTanh(v) * up[i]
		} else {
			dst[i] = gelu(v) * up[i]
		}
	}
}

func plainRotate(x []float32, positions []int32, heads, stride int, r *Rotary) {
	half := r.headDim / 2
	for row, position := range positions {
		cosine := r.cosine[int(position)*half:][:half]
		sine := r.sine[int(position)*half:][:half]
		for head := range heads {
			vector := x[row*stride+head*r.headDim:][:r.headDim]
			for i := range half {
				a, b := vector[i], vector[half+i]
				vector[i] = float32(a*cosine[i]) - float32(b*sine[i])
				vector[half+i] = float32(b*cosine[i]) + float32(a*sine[i])
			}
		}
	}
}

func plainQuantizeHeads(q []int8, scale []BFloat16, x []float32, rows, heads, headDim, stride int) {
	for row := range rows {
		for head := range heads {
			at := row*heads + head
			scale[at] = quantizeHead(q[at*headDim:][:headDim], x[row*stride+head*headDim:][:headDim])
		}
	}
}

// quantizeHead rounds halves to even. The step is rounded up to a BFloat16, so
// that no byte leaves -127..127.
func quantizeHead(q []int8, x []float32) BFloat16 {
	var largest uint32
	for _, v := range x {
		largest = max(largest, magnitude(v))
	}
	clear(q)
	if largest >= infinityBits {
		return bfloat16NaN
	}
	if largest < smallestBits {
		return 0
	}
	step := roundUpBFloat16(math.Float32frombits(largest) / 127)
	inverse := 1 / step.Float32()
	for i, v := range x {
		q[i] = int8(float32(v*inverse) + magic - magic)
	}
	return step
}
