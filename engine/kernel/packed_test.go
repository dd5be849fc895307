package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// newPacked returns room for packed rows of tokens: keys with their channels, or values.
func newPacked(bits, tokens int, shape causalShape, keys bool) PackedRows {
	columns := padLanes(shape.headDim)
	p := PackedRows{Bits: bits, Numbers: make([]uint8, tokens*shape.kvHeads*columns*bits/8)}
	if keys {
		p.ChannelScale, p.ChannelMin = make([]uint8, shape.kvHeads*columns), make([]int8, shape.kvHeads*columns)
		p.Unit = make([]float32, 2*shape.kvHeads)
	} else {
		p.Scale, p.Min = make([]BFloat16, tokens*shape.kvHeads), make([]BFloat16, tokens*shape.kvHeads)
	}
	return p
}

// packedOf packs all of a span.
func packedOf(in KeyValues, bits int, shape causalShape) KeyValues {
	k, v := newPacked(bits, in.Tokens, shape, true), newPacked(bits, in.Tokens, shape, false)
	PackKeys(&k, &in.K, in.Tokens, shape.kvHeads, shape.headDim)
	PackValues(&v, &in.V, in.Tokens, shape.kvHeads, shape.headDim)
	return KeyValues{Tokens: in.Tokens, K: HeadRows{Packed: k}, V: HeadRows{Packed: v}}
}

// scaleOf is the scale of a column of a vector.
func scaleOf(p *PackedRows, vector, column int, shape causalShape) float64 {
	if p.Unit == nil {
		return float64(p.Scale[vector].Float32())
	}
	head := vector % shape.kvHeads
	return float64(p.ChannelScale[head*padLanes(shape.headDim)+column]) * float64(p.Unit[2*head])
}

// T-K4: what is packed comes back to half a scale, from bytes, floats and 4 bits, in
// columns far from zero too. At 2 bits what lies beyond the range becomes its end.
func TestPackedRowsComeBackToHalfAScale(t *testing.T) {
	for _, shape := range causalShapes {
		s := newSequence(t, newRandom(), shape, 16)
		for i := range s.floats.K.Floats {
			s.floats.K.Floats[i] += float32(i%shape.headDim%5) * 3 // outlier channels
		}
		s.floats.K.Floats[0] *= 40
		for name, from := range map[string]KeyValues{"floats": s.floats, "bytes": s.bytes, "4 bits": packedOf(s.bytes, 4, shape)} {
			for _, bits := range []int{4, 2} {
				to := packedOf(from, bits, shape)
				for i, pair := range [][2]HeadRows{{from.K, to.K}, {from.V, to.V}} {
					beyond := 0
					want, got := expand(&pair[0], 16, shape.kvHeads, shape.headDim), expand(&pair[1], 16, shape.kvHeads, shape.headDim)
					for j := range want {
						scale := scaleOf(&pair[1].Packed, j/shape.headDim, j%shape.headDim, shape)
						n := pair[1].Packed.get(j/shape.headDim, j%shape.headDim, padLanes(shape.headDim))
						diff := float64(want[j]) - float64(got[j])
						if bits == 2 && (n == 0 && diff < 0 || n == 3 && diff > 0) {
							beyond++
							continue
						}
						if !(math.Abs(diff) <= scale/2+1e-5*math.Abs(float64(want[j]))) {
							t.Fatalf("%+v, %s to %d bits, rows %d: number %d is %g, was %g, of scale %g", shape, name, bits, i, j, got[j], want[j], scale)
						}
					}
					if beyond > len(want)/2 {
						t.Errorf("%+v, %s, rows %d: %d of %d numbers lie beyond their range", shape, name, i, beyond, len(want))
					}
				}
			}
		}
	}
}

// At 2 bits the range is not worse than all of it, and much better for many numbers.
func TestNarrowRangesHaveTheLeastError(t *testing.T) {
	r := newRandom()
	off := func(x []float32, low, high float32) (sum float64) {
		scale := (high - low) / 3
		for _, v := range x {
			sum += math.Pow(float64(v-low-float32(nearest(v-low, scale, 3))*scale), 2)
		}
		return sum
	}
	var whole, narrowed float64
	for range 100 {
		x := randomFloats(r, 64, 1)
		low, high := narrow(x, 3)
		one, all := off(x, low, high), off(x, slices.Min(x), slices.Max(x))
		if one > all*(1+1e-5) {
			t.Fatalf("%v from %g to %g: error %g, of the whole range %g", x, low, high, one, all)
		}
		whole, narrowed = whole+all, narrowed+one
		if low, high := narrow(x, 15); low != slices.Min(x) || high != slices.Max(x) {
			t.Fatal("16 steps leave something out")
		}
	}
	if narrowed > 0.7*whole {
		t.Errorf("error %g, of whole ranges %g", narrowed, whole)
	}
}

func TestPackedRowsOfEqualAndOfWildNumbers(t *testing.T) {
	shape := causalShape{1, 1, 16}
	const tokens = 4
	same := HeadRows{Floats: make([]float32, tokens*16)}
	for i := range same.Floats {
		same.Floats[i] = -1.5
	}
	span := packedOf(KeyValues{Tokens: tokens, K: same, V: same}, 2, shape)
	sameBits(t, "equal keys", expand(&span.K, tokens, shape.kvHeads, shape.headDim), same.Floats)
	sameBits(t, "equal values", expand(&span.V, tokens, shape.kvHeads, shape.headDim), same.Floats)
	for _, wild := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		same.Floats[17] = wild
		span = packedOf(KeyValues{Tokens: tokens, K: same, V: same}, 4, shape)
		if k, v := expand(&span.K, tokens, shape.kvHeads, shape.headDim), expand(&span.V, tokens, shape.kvHeads, shape.headDim); k[0] == k[0] || v[17] == v[17] || v[0] != -1.5 {
			t.Errorf("with %g keys become %g, values %g and %g", wild, k[0], v[0], v[17])
		}
	}
}

// mixed cuts a sequence into spans of random lengths, some of them packed, and returns
// the same as one span of floats too.
func mixed(r *rand.Rand, s sequence) (spans []KeyValues, floats KeyValues) {
	floats.Tokens = s.tokens
	for from, to := 0, 0; from < s.tokens; from = to {
		to = min(s.tokens, from+1+r.IntN(40))
		span := s.cut(s.bytes, from, to)
		if bits := []int{8, 4, 2}[r.IntN(3)]; bits < 8 {
			span = packedOf(span, bits, s.causalShape)
		}
		spans = append(spans, span)
		floats.K.Floats = append(floats.K.Floats, expand(&span.K, to-from, s.kvHeads, s.headDim)...)
		floats.V.Floats = append(floats.V.Floats, expand(&span.V, to-from, s.kvHeads, s.headDim)...)
	}
	return spans, floats
}

// Spans of any levels give the bits of the floats that they stand for, with windows and
// without, for chains and for trees, on every instruction set.
func TestN2_SpansOfMixedLevelsAreTheirFloats(t *testing.T) {
	r := newRandom()
	for _, shape := range causalShapes {
		for _, tokens := range []int{3, 20, 90} {
			s := newSequence(t, r, shape, tokens+8)
			spans, floats := mixed(r, s)
			s.floats = floats
			for _, window := range []int{0, 7, 40} {
				want := obviousCausal(s, window)
				for _, isa := range ISAs() {
					in := s.rows(0, s.tokens, spans...)
					in.Window = window
					sameBits(t, fmt.Sprintf("%s %+v, %d tokens, window %d", isa, shape, tokens, window), attendCausally(t, newKernel(t, isa), in), want)
				}
			}
			tree := s.rows(tokens, tokens+8, spans...)
			tree.Draft = s.cut(s.bytes, tokens, tokens+8)
			for node := range 8 {
				tree.Ancestors = append(tree.Ancestors, ancestorsOf([]int{-1, 0, 1, 1, 0, 4, 5, 2}, node))
				tree.Positions[node] = int32(tokens + len(tree.Ancestors[node]) - 1)
			}
			want := attendCausally(t, newKernel(t, Plain), tree)
			for _, isa := range fasterISAs(t) {
				sameBits(t, fmt.Sprintf("%s %+v, a tree behind %d tokens", isa, shape, tokens), attendCausally(t, newKernel(t, isa), tree), want)
			}
		}
	}
}

func TestPackedRowsThatDoNotFitPanic(t *testing.T) {
	shape := causalShape{2, 1, 16}
	s := newSequence(t, newRandom(), shape, 8)
	for name, spoil := range map[string]func(k, v *PackedRows){
		"bits":            func(k, _ *PackedRows) { k.Bits = 3 },
		"numbers":         func(k, _ *PackedRows) { k.Numbers = k.Numbers[1:] },
		"channel scale":   func(k, _ *PackedRows) { k.ChannelScale = k.ChannelScale[1:] },
		"channel minimum": func(k, _ *PackedRows) { k.ChannelMin = k.ChannelMin[1:] },
		"unit":            func(k, _ *PackedRows) { k.Unit = k.Unit[1:] },
		"scale":           func(_, v *PackedRows) { v.Scale = v.Scale[1:] },
		"minimum":         func(_, v *PackedRows) { v.Min = nil },
	} {
		t.Run(name, func(t *testing.T) {
			span := packedOf(s.bytes, 4, shape)
			spoil(&span.K.Packed, &span.V.Packed)
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			attendCausally(t, newKernel(t, Plain), s.rows(0, 8, span))
		})
	}
}
