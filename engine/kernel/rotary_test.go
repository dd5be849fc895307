package kernel

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"dowse/models/pack"
)

func newRotary(t testing.TB, o RotaryOptions) *Rotary {
	t.Helper()
	r, err := NewRotary(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSinCosIsAccurate(t *testing.T) {
	r := newRandom()
	for i := range 200_000 {
		x := float64(i) * math.Pi / 8
		if i%2 == 0 {
			x = r.Float64() * maxPositions
		}
		sine, cosine := sinCos(x)
		wantSine, wantCosine := math.Sincos(x)
		if math.Abs(sine-wantSine) > 4e-16 || math.Abs(cosine-wantCosine) > 4e-16 {
			t.Fatalf("sinCos(%v) = %v, %v, want %v, %v", x, sine, cosine, wantSine, wantCosine)
		}
	}
}

func TestN1_RotateIsTheSameOnEveryISA(t *testing.T) {
	positions := []int32{0, 99, 1, 7, 7}
	plain := newKernel(t, Plain)
	for _, headDim := range []int{2, 16, 20, 64, 96, 128} {
		const heads = 3
		rotary := newRotary(t, RotaryOptions{HeadDim: headDim, Base: 10000, Positions: 100})
		stride := heads*headDim + 5
		x := randomFloats(newRandom(), (len(positions)-1)*stride+heads*headDim, 1)
		want := slices.Clone(x)
		if err := plain.Rotate(want, positions, heads, stride, rotary); err != nil {
			t.Fatal(err)
		}
		for _, isa := range fasterISAs(t) {
			got, intact := guarded[float32](t, len(x))
			copy(got, x)
			if err := newKernel(t, isa).Rotate(got, positions, heads, stride, rotary); err != nil {
				t.Fatal(err)
			}
			intact()
			sameBits(t, fmt.Sprintf("%s dimension %d", isa, headDim), got, want)
		}
	}
}

// TestRotateTurnsByTheAngle compares with rotations of the complex plane.
func TestRotateTurnsByTheAngle(t *testing.T) {
	const headDim, position = 8, 37
	rotary := newRotary(t, RotaryOptions{HeadDim: headDim, Base: 100, Positions: position + 1})
	x := randomFloats(newRandom(), headDim, 1)
	got := slices.Clone(x)
	if err := newKernel(t, Auto).Rotate(got, []int32{position}, 1, headDim, rotary); err != nil {
		t.Fatal(err)
	}
	for i := range headDim / 2 {
		other := i + headDim/2
		sine, cosine := math.Sincos(position * math.Pow(100, -2*float64(i)/headDim))
		a, b := float64(x[i]), float64(x[other])
		if math.Abs(a*cosine-b*sine-float64(got[i])) > 4e-6 || math.Abs(b*cosine+a*sine-float64(got[other])) > 4e-6 {
			t.Errorf("pair %d: %g, %g became %g, %g", i, a, b, got[i], got[other])
		}
	}
}

// TestRotaryScores depend on the distance of query and key alone.
func TestRotaryScoresDependOnDistance(t *testing.T) {
	const headDim = 64
	k, r := newKernel(t, Auto), newRandom()
	rotary := newRotary(t, RotaryOptions{HeadDim: headDim, Base: 10000, Positions: 4096})
	query, key := randomFloats(r, headDim, 1), randomFloats(r, headDim, 1)
	score := func(at, to int32) float64 {
		q, v := slices.Clone(query), slices.Clone(key)
		for x, position := range map[*[]float32]int32{&q: at, &v: to} {
			if err := k.Rotate(*x, []int32{position}, 1, headDim, rotary); err != nil {
				t.Fatal(err)
			}
		}
		return float64(k.Dot(q, v))
	}
	if near, far := score(9, 4), score(4009, 4004); math.Abs(near-far) > 1e-2 {
		t.Errorf("scores at distance 5: %g and %g", near, far)
	}
}

func TestRotaryScaling(t *testing.T) {
	llama3 := pack.RotaryScaling{Kind: pack.Llama3Scaling, Factor: 8, LowFrequency: 1, HighFrequency: 4, OriginalPositions: 8192}
	for _, c := range []struct {
		scaling   pack.RotaryScaling
		frequency float64
		want      float64
	}{
		{pack.RotaryScaling{}, 0.25, 0.25},
		{pack.RotaryScaling{Kind: pack.LinearScaling, Factor: 4}, 0.25, 0.0625},
		{llama3, 1, 1},           // a wavelength of 6 positions is kept
		{llama3, 1e-5, 1e-5 / 8}, // one of 600,000 is stretched
		{llama3, 2 * math.Pi * 2.5 / 8192, 2 * math.Pi * 2.5 / 8192 * (0.5 + 0.5/8)}, // halfway on the ramp
	} {
		if got := scaledFrequency(&c.scaling, c.frequency); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("%+v of %g: %g, want %g", c.scaling, c.frequency, got, c.want)
		}
	}
	const headDim = 16
	plain := newRotary(t, RotaryOptions{HeadDim: headDim, Base: 10000, Positions: 8})
	half := newRotary(t, RotaryOptions{HeadDim: headDim, Base: 10000, Positions: 16, Scaling: pack.RotaryScaling{Kind: pack.LinearScaling, Factor: 2}})
	sameBits(t, "position 14 scaled by 2", half.cosine[14*headDim/2:][:headDim/2], plain.cosine[7*headDim/2:][:headDim/2])
	if half.Positions() != 16 {
		t.Errorf("the table holds %d positions, want 16", half.Positions())
	}
}

func TestNewRotaryRefuses(t *testing.T) {
	fits := RotaryOptions{HeadDim: 64, Base: 10000, Positions: 4}
	newRotary(t, fits)
	for name, spoil := range map[string]func(o *RotaryOptions){
		"yarn":      func(o *RotaryOptions) { o.Scaling = pack.RotaryScaling{Kind: "yarn", Factor: 4} },
		"dimension": func(o *RotaryOptions) { o.HeadDim = 63 },
		"base":      func(o *RotaryOptions) { o.Base = math.NaN() },
		"positions": func(o *RotaryOptions) { o.Positions = 0 },
		"factor":    func(o *RotaryOptions) { o.Scaling = pack.RotaryScaling{Kind: pack.LinearScaling} },
		"frequency factors": func(o *RotaryOptions) {
			o.Scaling = pack.RotaryScaling{Kind: pack.Llama3Scaling, Factor: 8, OriginalPositions: 8}
		},
	} {
		o := fits
		spoil(&o)
		if _, err := NewRotary(o); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRotateRefusesPositionsOutsideOfTheTable(t *testing.T) {
	rotary := newRotary(t, RotaryOptions{HeadDim: 4, Base: 10000, Positions: 3})
	for _, position := range []int32{-1, 3} {
		x := []float32{1, 2, 3, 4, 1, 2, 3, 4}
		if err := newKernel(t, Auto).Rotate(x, []int32{1, position}, 1, 4, rotary); err == nil {
			t.Errorf("position %d: no error", position)
		}
		sameBits(t, "after a refusal", x, []float32{1, 2, 3, 4, 1, 2, 3, 4})
	}
}
