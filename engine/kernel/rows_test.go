package kernel

import (
	"fmt"
	"math"
	"testing"
)

// widths cover whole vectors, tails and rows shorter than a vector.
var widths = []int{1, 3, 15, 16, 17, 31, 48, 100, 384}

func TestExpIsAccurate(t *testing.T) {
	for i := range 200_001 {
		x := -87 * float32(i) / 200_000
		want := math.Exp(float64(x))
		if err := math.Abs(float64(exp(x))/want - 1); err > 1.2e-7 {
			t.Fatalf("exp(%g) is off by %g relative", x, err)
		}
	}
	if got, want := exp(float32(math.Inf(-1))), exp(-87); got != want {
		t.Errorf("exp(-Inf) = %g, want e^-87 = %g", got, want)
	}
	if exp(0) != 1 {
		t.Errorf("exp(0) = %g", exp(0))
	}
}

func TestGeluIsAccurate(t *testing.T) {
	for i := range 240_001 {
		x := -6 + 12*float32(i)/240_000
		erf := math.Erf(float64(x) * math.Sqrt2 / 2)
		want := float64(x) * (1 + erf) / 2
		// erf within 2e-7, and the rounding of the result itself.
		if err := math.Abs(float64(gelu(x)) - want); err > math.Abs(float64(x))/2*2e-7+math.Abs(want)*1.2e-7 {
			t.Fatalf("gelu(%g) is off by %g", x, err)
		}
	}
}

func TestN1_GeluIsTheSameOnEveryISA(t *testing.T) {
	for _, width := range widths {
		x := awkwardRows(newRandom(), width)
		want := append([]float32(nil), x...)
		newKernel(t, Plain).Gelu(want)
		for _, isa := range fasterISAs(t) {
			got, intact := guarded[float32](t, len(x))
			copy(got, x)
			newKernel(t, isa).Gelu(got)
			intact()
			sameBits(t, fmt.Sprintf("%s width %d", isa, width), got, want)
		}
	}
}

func TestN1_AddLayerNormIsTheSameOnEveryISA(t *testing.T) {
	plain := newKernel(t, Plain)
	for _, width := range widths {
		r := newRandom()
		x := awkwardRows(r, width)
		rows := len(x) / width
		gamma, beta := randomFloats(r, width, 1), randomFloats(r, width, 1)
		for _, residual := range [][]float32{nil, randomFloats(r, len(x), 1)} {
			want := make([]float32, len(x))
			plain.AddLayerNorm(want, x, residual, gamma, beta, 1e-12, rows, width)
			for _, isa := range fasterISAs(t) {
				got, intact := guarded[float32](t, len(x))
				newKernel(t, isa).AddLayerNorm(got, x, residual, gamma, beta, 1e-12, rows, width)
				intact()
				sameBits(t, fmt.Sprintf("%s width %d", isa, width), got, want)
			}
		}
	}
}

func TestAddLayerNormInPlace(t *testing.T) {
	const rows, width = 3, 50
	r := newRandom()
	x, residual := randomFloats(r, rows*width, 1), randomFloats(r, rows*width, 1)
	gamma, beta := randomFloats(r, width, 1), randomFloats(r, width, 1)
	for _, isa := range ISAs() {
		k := newKernel(t, isa)
		want := make([]float32, rows*width)
		k.AddLayerNorm(want, x, residual, gamma, beta, 1e-5, rows, width)
		inX, inResidual := append([]float32(nil), x...), append([]float32(nil), residual...)
		k.AddLayerNorm(inX, inX, residual, gamma, beta, 1e-5, rows, width)
		k.AddLayerNorm(inResidual, x, inResidual, gamma, beta, 1e-5, rows, width)
		sameBits(t, string(isa)+" in x", inX, want)
		sameBits(t, string(isa)+" in residual", inResidual, want)
	}
}

func TestAddLayerNormIsCloseToFloat64(t *testing.T) {
	const width, epsilon = 384, 1e-5
	r := newRandom()
	x, residual := randomFloats(r, width, 2), randomFloats(r, width, 2)
	gamma, beta := randomFloats(r, width, 1), randomFloats(r, width, 1)
	got := make([]float32, width)
	newKernel(t, Auto).AddLayerNorm(got, x, residual, gamma, beta, epsilon, 1, width)
	var mean, variance float64
	for i := range x {
		mean += float64(x[i]+residual[i]) / width
	}
	for i := range x {
		d := float64(x[i]+residual[i]) - mean
		variance += d * d / width
	}
	for i := range x {
		want := (float64(x[i]+residual[i])-mean)/math.Sqrt(variance+epsilon)*float64(gamma[i]) + float64(beta[i])
		if math.Abs(float64(got[i])-want) > 5e-6 {
			t.Errorf("value %d: %g, want %g", i, got[i], want)
		}
	}
}

func TestN1_DotManyIsDot(t *testing.T) {
	for _, width := range widths {
		for _, rows := range []int{1, 3, 4, 5, 9} {
			r := newRandom()
			query, stored := randomFloats(r, width, 1), randomFloats(r, rows*width, 1)
			vectors := Float32Bytes([]byte{0}, stored)[1:] // not aligned
			for _, isa := range ISAs() {
				k := newKernel(t, isa)
				got, intact := guarded[float32](t, rows)
				k.DotMany(got, query, vectors)
				intact()
				for row := range rows {
					vector := stored[row*width : (row+1)*width]
					both := []float32{got[row], k.Dot(query, vector)}
					want := plainDot(query, vector)
					sameBits(t, fmt.Sprintf("%s row %d of %d, width %d", isa, row, rows, width), both, []float32{want, want})
				}
			}
		}
	}
}

func TestDotOfKnownVectors(t *testing.T) {
	k := newKernel(t, Auto)
	if got := k.Dot([]float32{1, 2, 3}, []float32{4, 5, 6}); got != 32 {
		t.Errorf("dot product %g, want 32", got)
	}
	if got := k.Dot(nil, nil); got != 0 {
		t.Errorf("empty dot product %g", got)
	}
}

func TestNormalize(t *testing.T) {
	k := newKernel(t, Auto)
	x := []float32{3, 0, -4}
	k.Normalize(x)
	sameBits(t, "length one", x, []float32{0.6, 0, -0.8})
	zero := []float32{0, 0}
	k.Normalize(zero)
	sameBits(t, "zero", zero, []float32{0, 0})
}

func TestMeanPool(t *testing.T) {
	k, dst := newKernel(t, Auto), make([]float32, 2)
	k.MeanPool(dst, []float32{1, 10, 2, 20, 6, 30}, 3, 2)
	sameBits(t, "mean", dst, []float32{3, 20})
	k.MeanPool(dst, nil, 0, 2)
	sameBits(t, "mean of nothing", dst, []float32{0, 0})
}

func randomEmbedding(vocabulary, positions, width int) *Embedding {
	r := newRandom()
	words := randomLinear(r, vocabulary, width)
	return &Embedding{Width: width, Words: words.Weights, WordScale: randomFloats(r, vocabulary, 0.1),
		Positions: randomFloats(r, positions*width, 1), Type: randomFloats(r, width, 1)}
}

func TestN1_EmbedIsTheSameOnEveryISA(t *testing.T) {
	ids := []int32{0, 9, 3, 3}
	for _, width := range widths {
		e := randomEmbedding(10, 6, width)
		want := make([]float32, len(ids)*width)
		if err := newKernel(t, Plain).Embed(want, ids, 2, e); err != nil {
			t.Fatal(err)
		}
		d := width - 1 // spot check against the definition
		place := e.Positions[(2+1)*width+d] + e.Type[d]
		sameBits(t, "definition", want[width+d:width+d+1], []float32{float32(float32(e.Words[9*width+d])*e.WordScale[9]) + place})
		for _, isa := range fasterISAs(t) {
			got, intact := guarded[float32](t, len(want))
			if err := newKernel(t, isa).Embed(got, ids, 2, e); err != nil {
				t.Fatal(err)
			}
			intact()
			sameBits(t, fmt.Sprintf("%s width %d", isa, width), got, want)
		}
	}
}

func TestEmbedRefusesWhatIsNotInTheTables(t *testing.T) {
	k, e := newKernel(t, Auto), randomEmbedding(10, 6, 4)
	for name, c := range map[string]struct {
		ids   []int32
		first int
	}{
		"id too large":      {[]int32{10}, 0},
		"negative id":       {[]int32{-1}, 0},
		"too many tokens":   {[]int32{1, 2, 3}, 4},
		"negative position": {[]int32{1}, -1},
	} {
		if err := k.Embed(make([]float32, 4*len(c.ids)), c.ids, c.first, e); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
