package kernel

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestN1_RMSNormIsTheSameOnEveryISA(t *testing.T) {
	plain := newKernel(t, Plain)
	for _, width := range widths {
		r := newRandom()
		x := awkwardRows(r, width)
		rows, gamma, residual := len(x)/width, randomFloats(r, width, 1), randomFloats(r, len(x), 1)
		want, wantSum, wantAdded := make([]float32, len(x)), make([]float32, len(x)), make([]float32, len(x))
		plain.RMSNorm(want, x, gamma, 1e-5, rows, width)
		plain.AddRMSNorm(wantAdded, wantSum, x, residual, gamma, 1e-5, rows, width)
		for _, isa := range fasterISAs(t) {
			k, what := newKernel(t, isa), fmt.Sprintf("%s width %d", isa, width)
			got, intact := guarded[float32](t, len(x))
			k.RMSNorm(got, x, gamma, 1e-5, rows, width)
			sameBits(t, what, got, want)
			sum, sumIntact := guarded[float32](t, len(x))
			k.AddRMSNorm(got, sum, x, residual, gamma, 1e-5, rows, width)
			sameBits(t, what+" with residual", got, wantAdded)
			sameBits(t, what+" sum", sum, wantSum)
			intact()
			sumIntact()
		}
	}
}

func TestRMSNormInPlace(t *testing.T) {
	const rows, width = 3, 50
	r := newRandom()
	x, residual, gamma := randomFloats(r, rows*width, 1), randomFloats(r, rows*width, 1), randomFloats(r, width, 1)
	for _, isa := range ISAs() {
		k := newKernel(t, isa)
		want, sum := make([]float32, rows*width), make([]float32, rows*width)
		k.AddRMSNorm(want, sum, x, residual, gamma, 1e-6, rows, width)
		inX, inResidual, got := slices.Clone(x), slices.Clone(residual), make([]float32, rows*width)
		k.AddRMSNorm(got, inX, inX, residual, gamma, 1e-6, rows, width)
		sameBits(t, string(isa)+" sum in x", append(got, inX...), append(slices.Clone(want), sum...))
		k.AddRMSNorm(got[:rows*width], inResidual, x, inResidual, gamma, 1e-6, rows, width)
		sameBits(t, string(isa)+" sum in residual", append(got[:rows*width], inResidual...), append(slices.Clone(want), sum...))
		k.RMSNorm(sum, sum, gamma, 1e-6, rows, width)
		sameBits(t, string(isa)+" norm of the sum in place", sum, want)
	}
}

func TestRMSNormIsCloseToFloat64(t *testing.T) {
	const width, epsilon = 576, 1e-5
	r := newRandom()
	x, gamma, got := randomFloats(r, width, 2), randomFloats(r, width, 1), make([]float32, width)
	newKernel(t, Auto).RMSNorm(got, x, gamma, epsilon, 1, width)
	var mean float64
	for _, v := range x {
		mean += float64(v) * float64(v) / width
	}
	for i, v := range x {
		if want := float64(v) / math.Sqrt(mean+epsilon) * float64(gamma[i]); math.Abs(float64(got[i])-want) > 3e-6 {
			t.Errorf("value %d: %g, want %g", i, got[i], want)
		}
	}
}

func TestSiluIsAccurate(t *testing.T) {
	for i := range 240_001 {
		x := -86 + 120*float32(i)/240_000
		want := float64(x) / (1 + math.Exp(-float64(x)))
		if err := math.Abs(float64(silu(x)) - want); err > 3e-7*math.Abs(want) {
			t.Fatalf("silu(%g) = %g is off by %g", x, silu(x), err)
		}
	}
	for _, c := range [][2]float32{{0, 0}, {200, 200}, {float32(math.Inf(1)), float32(math.Inf(1))}} {
		if got := silu(c[0]); got != c[1] {
			t.Errorf("silu(%g) = %g, want %g", c[0], got, c[1])
		}
	}
	for _, x := range []float32{-100, -math.MaxFloat32, float32(math.Inf(-1))} {
		if got := silu(x); !(got <= 0 && got > -1e-35) {
			t.Errorf("silu(%g) = %g", x, got)
		}
	}
	if got := silu(float32(math.NaN())); got == got {
		t.Errorf("silu(NaN) = %g", got)
	}
}

func TestN1_SwiGLUIsTheSameOnEveryISA(t *testing.T) {
	plain := newKernel(t, Plain)
	for _, width := range widths {
		r := newRandom()
		gate := append(awkwardRows(r, width), -87, -88, 87, float32(math.Copysign(0, -1)))
		up := randomFloats(r, len(gate), 3)
		wantGated := make([]float32, len(gate))
		plain.SwiGLU(wantGated, gate, up)
		for _, isa := range fasterISAs(t) {
			k, what := newKernel(t, isa), fmt.Sprintf("%s width %d", isa, width)
			got, intact := guarded[float32](t, len(gate))
			k.SwiGLU(got, gate, up)
			sameBits(t, what+" swiglu", got, wantGated)
			copy(got, gate)
			k.SwiGLU(got, got, up)
			sameBits(t, what+" swiglu in gate", got, wantGated)
			intact()
		}
	}
}

func TestN1_GeGLUIsTheSameOnEveryISA(t *testing.T) {
	plain := newKernel(t, Plain)
	for _, form := range []GeluForm{GeluErf, GeluTanh} {
		for _, width := range widths {
			r := newRandom()
			gate := append(awkwardRows(r, width), -87, -5, 5, float32(math.Copysign(0, -1)))
			up, want := randomFloats(r, len(gate), 3), make([]float32, len(gate))
			plain.GeGLU(want, gate, up, form)
			for _, isa := range fasterISAs(t) {
				k, what := newKernel(t, isa), fmt.Sprintf("%s width %d form %d", isa, width, form)
				got, intact := guarded[float32](t, len(gate))
				k.GeGLU(got, gate, up, form)
				sameBits(t, what, got, want)
				copy(got, gate)
				k.GeGLU(got, got, up, form)
				sameBits(t, what+" in gate", got, want)
				intact()
			}
		}
	}
}

// Both forms are those of their definitions, and what a projection with Gelu makes.
func TestGeGLUIsCloseToItsDefinition(t *testing.T) {
	k, x := newKernel(t, Auto), randomFloats(newRandom(), 500, 3)
	ones, got, gelu := make([]float32, len(x)), make([]float32, len(x)), slices.Clone(x)
	fill(ones, 1)
	k.Gelu(gelu)
	k.GeGLU(got, x, ones, GeluErf)
	sameBits(t, "erf", got, gelu)
	k.GeGLU(got, x, ones, GeluTanh)
	for i, v := range x {
		wide := float64(v)
		want := wide / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(wide+.044715*wide*wide*wide)))
		if diff := math.Abs(float64(got[i]) - want); diff > 1e-6*math.Max(1, math.Abs(want)) {
			t.Fatalf("gelu of %g is %g, want %g", v, got[i], want)
		}
	}
}

func TestSwiGLUOfKnownValues(t *testing.T) {
	dst := make([]float32, 2)
	newKernel(t, Auto).SwiGLU(dst, []float32{0, 50}, []float32{7, 2})
	sameBits(t, "swiglu", dst, []float32{0, 100})
}

func TestN4_QuantizeHeadsIsTheSameOnEveryISA(t *testing.T) {
	plain := newKernel(t, Plain)
	for _, headDim := range []int{1, 7, 16, 20, 64, 100, 128} {
		for _, heads := range []int{1, 3} {
			width := heads * headDim
			stride := width + 5
			x := awkwardRows(newRandom(), stride)
			rows := len(x) / stride
			want, wantScale := make([]int8, rows*width), make([]BFloat16, rows*heads)
			plain.QuantizeHeads(want, wantScale, x, rows, heads, headDim, stride)
			for _, isa := range fasterISAs(t) {
				got, scale := make([]int8, rows*width), make([]BFloat16, rows*heads)
				newKernel(t, isa).QuantizeHeads(got, scale, x, rows, heads, headDim, stride)
				if !slices.Equal(got, want) || !slices.Equal(scale, wantScale) {
					t.Errorf("%s %d heads of %d differ", isa, heads, headDim)
				}
			}
		}
	}
}

func TestQuantizeHeadsIsCloseAndSymmetric(t *testing.T) {
	const headDim, rows = 64, 40
	r := newRandom()
	x := randomFloats(r, rows*headDim, 1)
	for i := range x { // steps over many binary orders
		x[i] *= float32(math.Exp2(float64(i/headDim - rows/2)))
	}
	q, scale := make([]int8, len(x)), make([]BFloat16, rows)
	newKernel(t, Auto).QuantizeHeads(q, scale, x, rows, 1, headDim, headDim)
	for i, v := range x {
		step := float64(scale[i/headDim].Float32())
		if diff := math.Abs(float64(q[i])*step - float64(v)); diff > 0.5001*step {
			t.Fatalf("value %d: %g came back as %g, step %g", i, v, float64(q[i])*step, step)
		}
	}
	for row := range rows {
		var largest float64
		for _, v := range x[row*headDim:][:headDim] {
			largest = max(largest, math.Abs(float64(v)))
		}
		if coarser := float64(scale[row].Float32()) * 127 / largest; coarser < 0.999999 || coarser > 1+1.0/128 {
			t.Errorf("row %d: the step is %g of the finest", row, coarser)
		}
	}
	if slices.Min(q) < -127 {
		t.Error("a byte is -128")
	}
}

func TestQuantizeHeadsOfSpecialVectors(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		x     []float32
		q     []int8
		scale BFloat16
	}{
		{[]float32{0, 0}, []int8{0, 0}, 0},
		{[]float32{0x1p-101, 0}, []int8{0, 0}, 0},
		{[]float32{127, -127, 0.5, 1.5, -2.5}, []int8{127, -127, 0, 2, -2}, 0x3f80}, // halves to even
		{[]float32{1, inf}, []int8{0, 0}, bfloat16NaN},
		{[]float32{nan, 1}, []int8{0, 0}, bfloat16NaN},
	} {
		for _, isa := range ISAs() {
			q, scale := make([]int8, len(c.x)), make([]BFloat16, 1)
			newKernel(t, isa).QuantizeHeads(q, scale, c.x, 1, 1, len(c.x), len(c.x))
			if !slices.Equal(q, c.q) || scale[0] != c.scale {
				t.Errorf("%s: %v became %v times %#x, want %v times %#x", isa, c.x, q, scale[0], c.q, c.scale)
			}
		}
	}
}
