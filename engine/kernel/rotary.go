package kernel

import (
	"fmt"
	"math"

	"dowse/models/pack"
)

// RotaryOptions configure NewRotary.
type RotaryOptions struct {
	HeadDim   int     // even
	Base      float64 // rope_theta: 10000, or what the model says
	Positions int     // how many the table holds, from 0
	Scaling   pack.RotaryScaling
}

// Rotary is the table of a rotary position embedding (Su et al., RoFormer, 2021): the
// cosine and the sine of position*frequency for each position and pair of values. Value i
// of a head is rotated together with value i+HeadDim/2, the order of checkpoints of
// Hugging Face. It takes 4*HeadDim bytes a position and is only read.
type Rotary struct {
	headDim      int
	cosine, sine []float32 // [positions,headDim/2]
}

// NewRotary computes a table. Frequencies are rounded to float32, as the
// reference implementations do; angles, cosines and sines are float64 until
// they are stored, without fused operations, so that every machine gets the
// same bits. A scaling that it does not know is an error that names it.
func NewRotary(o RotaryOptions) (*Rotary, error) {
	if o.HeadDim <= 0 || o.HeadDim%2 != 0 || o.Positions <= 0 || o.Positions > maxPositions || !(o.Base > 1) || math.IsInf(o.Base, 1) {
		return nil, fmt.Errorf("rotary embedding of head dimension %d, base %g, %d positions: need an even dimension, a base above 1 and 1 to %d positions",
			o.HeadDim, o.Base, o.Positions, maxPositions)
	}
	if err := o.Scaling.Check(); err != nil {
		return nil, err
	}
	half := o.HeadDim / 2
	r := &Rotary{headDim: o.HeadDim,
		cosine: make([]float32, o.Positions*half), sine: make([]float32, o.Positions*half)}
	for i := range half {
		frequency := float32(scaledFrequency(&o.Scaling, math.Pow(o.Base, -2*float64(i)/float64(o.HeadDim))))
		for position := range o.Positions {
			sine, cosine := sinCos(float64(position) * float64(frequency))
			r.cosine[position*half+i], r.sine[position*half+i] = float32(cosine), float32(sine)
		}
	}
	return r, nil
}

// maxPositions keeps an angle exact: 24 bits of frequency, 22 of position.
const maxPositions = 1 << 22

// Positions returns how many positions the table holds.
func (r *Rotary) Positions() int { return 2 * len(r.cosine) / r.headDim }

// scaledFrequency returns the frequency that takes the place of another.
func scaledFrequency(s *pack.RotaryScaling, frequency float64) float64 {
	switch s.Kind {
	case pack.LinearScaling:
		return frequency / s.Factor
	case pack.Llama3Scaling:
		turns := float64(s.OriginalPositions) * frequency / (2 * math.Pi)
		share := float64(turns-s.LowFrequency) / float64(s.HighFrequency-s.LowFrequency)
		share = min(max(share, 0), 1) // of the original frequency
		return float64(share*frequency) + float64((1-share)*frequency/s.Factor)
	}
	return frequency
}

// Rotate turns the query or key heads of len(positions) rows in place. Row i
// starts at x[i*stride], has heads*HeadDim values and stands at positions[i]. A
// position outside of the table is an error, and then x is as it was.
func (k *Kernel) Rotate(x []float32, positions []int32, heads, stride int, r *Rotary) error {
	needRows("x", len(x), len(positions), heads*r.headDim, stride)
	for _, position := range positions {
		if position < 0 || int(position) >= r.Positions() {
			return fmt.Errorf("position %d: the rotary table has %d", position, r.Positions())
		}
	}
	if len(positions) > 0 && heads > 0 {
		k.ops.rotate(x, positions, heads, stride, r)
	}
	return nil
}

// sinCos is math.Sincos for 0 <= x <= 2^22 with every product rounded, so that
// no compiler fuses it with a sum. x is reduced by multiples of pi/2, which is
// split into parts of 30 bits so that the products are exact; the remainder is
// at most pi/4, where Taylor's series to the 17th power is right to 1e-16.
func sinCos(x float64) (sine, cosine float64) {
	n := math.Round(x / halfPi1)
	r := x - float64(n*halfPi1)
	r -= float64(n * halfPi2)
	r -= float64(n * halfPi3)
	square := float64(r * r)
	sine, cosine = 1, 1
	for i := 16; i > 0; i -= 2 {
		sine = 1 - float64(float64(square*sine)/float64(i*(i+1)))
		cosine = 1 - float64(float64(square*cosine)/float64(i*(i-1)))
	}
	sine = float64(sine * r)
	switch int64(n) & 3 {
	case 1:
		return cosine, -sine
	case 2:
		return -sine, -cosine
	case 3:
		return -cosine, sine
	}
	return sine, cosine
}

// Parts of pi/2, each with the bits that follow those of the one before.
const (
	halfPi1 = 0x1.921fb54p+0
	halfPi2 = 0x1.10b46118p-30
	halfPi3 = 0x1.313198a2e037p-61
)
