package pack

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/models/internal/float"
)

// dequantize returns the weights of a row, as the layout says.
func dequantize(row []byte, l *Linear, bits, channel int) []float64 {
	weights := make([]float64, l.N)
	for n := range weights {
		w := float64(weightOf(row, bits, n)) * float64(l.In[channel]) * float64(l.Scale[n])
		if bits == 4 {
			scales := row[(l.N+31)/32*16:]
			w *= float64(float.FromHalf(binary.LittleEndian.Uint16(scales[n/Block4*2:])))
		}
		weights[n] = w
	}
	return weights
}

// TestNibbleRows: rows of 4 bits have no weight beyond 7, sums of columns that are
// theirs, and an error that is near the least for random weights, a tenth.
func TestNibbleRows(t *testing.T) {
	for name, shape := range rowShapes() {
		p := decoderPack(t, shape)
		r := convert(t, p, 4, 4)
		layers := resident(t, r)
		var wrong, all [Bundles]float64
		eachRow(t, r, func(layer int, b Bundle, channel int, row []byte) {
			want, got := p.DecoderLayer(layer), layers[layer]
			w := want.Bundles()[b]
			for n, v := range dequantize(row, got.Bundles()[b], 4, channel) {
				if weightOf(row, 4, n) < -maxNibble {
					t.Fatalf("%s, layer %d, %v: weight %d is -8", name, layer, b, n)
				}
				original := float64(w.Weights[channel*w.N+n]) * float64(w.Scale[n])
				wrong[b] += (v - original) * (v - original)
				all[b] += original * original
			}
		})
		for b := range Bundles {
			if e := math.Sqrt(wrong[b] / all[b]); !(e < 0.12) {
				t.Errorf("%s: the error of %v is %.3f", name, b, e)
			} else {
				t.Logf("%s: the error of %v is %.3f", name, b, e)
			}
		}
		requireResident(t, p, r, layers)
		if err := r.Verify(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// TestQuantizeBlock: the scale that is chosen is no worse than that of the largest
// weight, and within a hundredth of the best of a fine search; zeros and single
// values are exact.
func TestQuantizeBlock(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	chosen, best := 0.0, 0.0
	for range 100 {
		n := 1 + rng.IntN(Block4)
		values, weight, q := make([]float32, n), make([]float32, n), make([]int8, n)
		largest := float32(0)
		for i := range values {
			values[i], weight[i] = float32(rng.NormFloat64()), rng.Float32()
			largest = max(largest, values[i], -values[i])
		}
		s := float.FromHalf(quantizeBlock(q, values, weight))
		for i, v := range values {
			if float32(q[i]) != nibble(v, inverseOf(s)) {
				t.Fatalf("value %d is %d, not that of the scale", i, q[i])
			}
		}
		got := blockError(values, weight, s)
		if plain := blockError(values, weight, float.FromHalf(float.ToHalf(largest/maxNibble))); got > plain*1.0001 {
			t.Errorf("error %g, that of the largest weight %g", got, plain)
		}
		least := got
		for share := float32(0.3); share < 1.2; share += 0.002 {
			least = min(least, blockError(values, weight, share*largest/maxNibble))
		}
		chosen, best = chosen+got, best+least
	}
	if t.Logf("error %.4f, of a fine search %.4f", chosen, best); chosen > 1.03*best {
		t.Errorf("error %g, that of a fine search %g", chosen, best)
	}
	zeros := make([]int8, 5)
	if s := quantizeBlock(zeros, make([]float32, 5), slices.Repeat([]float32{1}, 5)); s != 0 {
		t.Errorf("zeros have the scale %#x", s)
	}
	one := make([]int8, 1)
	if s := quantizeBlock(one, []float32{-7}, []float32{1}); float32(one[0])*float.FromHalf(s) != -7 {
		t.Errorf("-7 becomes %d times %g", one[0], float.FromHalf(s))
	}
}

// blockError returns the squared error of the values at a scale.
func blockError(values, weight []float32, s float32) (sum float64) {
	for i, v := range values {
		e := float64(v - nibble(v, inverseOf(s))*s)
		sum += float64(weight[i]) * e * e
	}
	return sum
}
