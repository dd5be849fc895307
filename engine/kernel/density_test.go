package kernel

import (
	"math"
	"slices"
	"testing"
)

func TestDensityAddsUpProbabilities(t *testing.T) {
	const tokens = 50
	s := newSequence(t, newRandom(), causalShape{4, 2, 16}, tokens)
	in := s.rows(20, tokens, s.cut(s.bytes, 0, 9), s.cut(s.bytes, 9, tokens))
	in.Window = 25
	in.Density = make([]uint32, tokens)
	attendCausally(t, newKernel(t, Plain), in)
	want := in.Density
	var total float64
	for _, v := range want {
		total += float64(v)
	}
	if rows := float64(len(in.Positions) * s.heads); math.Abs(total/DensityOne-rows) > 1e-3*rows {
		t.Errorf("probabilities of %g rows add up to %g", rows, total/DensityOne)
	}
	for _, isa := range fasterISAs(t) {
		got, intact := guarded[uint32](t, tokens)
		clear(got)
		in.Density = got
		attendCausally(t, newKernel(t, isa), in)
		intact()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", isa, got, want)
		}
	}
}

func TestDensityOfADraftIsThatOfItsRoot(t *testing.T) {
	const base, nodes = 20, 5
	s := newSequence(t, newRandom(), causalShape{2, 1, 16}, base+nodes)
	for _, isa := range ISAs() {
		k := newKernel(t, isa)
		root := s.rows(base, base+1, s.bytes)
		root.Density = make([]uint32, base+1)
		attendCausally(t, k, root)
		in := s.rows(base, base+nodes, s.cut(s.bytes, 0, base))
		in.Draft, in.Density = s.cut(s.bytes, base, base+nodes), make([]uint32, base)
		for node := range nodes {
			in.Ancestors = append(in.Ancestors, ancestorsOf([]int{-1, 0, 1, 0, 3}, node))
			in.Positions[node] = int32(base + len(in.Ancestors[node]) - 1)
		}
		attendCausally(t, k, in)
		if !slices.Equal(in.Density, root.Density[:base]) {
			t.Errorf("%s: %v, want %v", isa, in.Density, root.Density[:base])
		}
	}
}

// T-K6: sums of probabilities are those of the whole matrix of attention, to half a
// multiple of 1/DensityOne for each row and head.
func TestDensityIsThatOfTheWholeMatrix(t *testing.T) {
	const tokens = 70
	s := newSequence(t, newRandom(), causalShape{6, 2, 32}, tokens)
	in := s.rows(0, tokens, s.cut(s.bytes, 0, 16), packedOf(s.cut(s.bytes, 16, 32), 4, s.causalShape), s.cut(s.bytes, 32, tokens))
	in.Density = make([]uint32, tokens)
	attendCausally(t, newKernel(t, Auto), in)
	var keys []float32
	for _, span := range in.Cache {
		keys = append(keys, expand(&span.K, span.Tokens, 2, 32)...)
	}
	want := make([]float64, tokens)
	for row := range tokens {
		for head := range 6 {
			weights, sum := make([]float64, row+1), 0.0
			for key := range weights {
				score := 0.0
				for d := range 32 {
					score += float64(s.queries[(row*6+head)*32+d]) * float64(keys[(key*2+head/3)*32+d])
				}
				weights[key] = math.Exp(score / math.Sqrt(32))
				sum += weights[key]
			}
			for key, weight := range weights {
				want[key] += weight / sum
			}
		}
	}
	for key, got := range in.Density {
		if diff := math.Abs(float64(got)/DensityOne - want[key]); diff > 1e-5*want[key]+0.5*6*tokens/DensityOne {
			t.Errorf("token %d receives %g, want %g", key, float64(got)/DensityOne, want[key])
		}
	}
}

// Sums of parts of the rows and of the heads are the sums of all.
func TestDensityOfPartsIsThatOfAll(t *testing.T) {
	const tokens = 50
	s := newSequence(t, newRandom(), causalShape{6, 2, 16}, tokens)
	for _, isa := range ISAs() {
		k, want, got := newKernel(t, isa), make([]uint32, tokens), make([]uint32, tokens)
		in := s.rows(7, tokens, s.bytes)
		in.Density = want
		attendCausally(t, k, in)
		for _, rows := range [][2]int{{7, 20}, {20, tokens}} {
			for _, part := range []HeadRange{{0, 1}, {1, 4}, {4, 6}} {
				in := s.rows(rows[0], rows[1], s.bytes)
				in.Part, in.Density = part, got
				scratch := newScratch(t)
				if err := k.CausalAttention(make([]float32, (rows[1]-rows[0])*6*16), in, scratch); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", isa, got, want)
		}
	}
}
