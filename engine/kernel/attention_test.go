package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func randomAttention(r *rand.Rand, tokens, heads, dim int) AttentionInput {
	width := heads * dim
	x := randomFloats(r, tokens*3*width, 2)
	return attentionOver(x, tokens, heads, dim)
}

func attentionOver(qkv []float32, tokens, heads, dim int) AttentionInput {
	width := heads * dim
	return AttentionInput{Q: qkv, K: qkv[width:], V: qkv[2*width:], Stride: 3 * width,
		Tokens: tokens, Heads: heads, HeadDim: dim}
}

func attend(t testing.TB, k *Kernel, in AttentionInput, s *Scratch) []float32 {
	t.Helper()
	dst, intact := guarded[float32](t, in.Tokens*in.Heads*in.HeadDim)
	if err := k.Attention(dst, in, s); err != nil {
		t.Fatal(err)
	}
	intact()
	return dst
}

func TestN2_AttentionIsTheSameOnEveryISA(t *testing.T) {
	plain, s := newKernel(t, Plain), newScratch(t)
	for _, dim := range []int{4, 16, 20, 32, 64, 100, 128} {
		for _, tokens := range []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 48, 65, 185} {
			in := randomAttention(newRandom(), tokens, 2, dim)
			for _, window := range []int{0, 1, 3, 8, 30, 64, 200} {
				in.Window = window
				want := attend(t, plain, in, s)
				for _, isa := range fasterISAs(t) {
					got := attend(t, newKernel(t, isa), in, s)
					sameBits(t, fmt.Sprintf("%s, %d tokens, dimension %d, window %d", isa, tokens, dim, window), got, want)
				}
			}
		}
	}
}

// What lies outside of a token's window does not show in its result, whatever it is.
func TestN2_AttentionDoesNotReadBeyondTheWindow(t *testing.T) {
	const tokens, heads, dim, window = 53, 2, 20, 9
	width := heads * dim
	for _, isa := range ISAs() {
		k, s := newKernel(t, isa), newScratch(t)
		in := randomAttention(newRandom(), tokens, heads, dim)
		in.Window = window
		want := attend(t, k, in, s)
		for i := range tokens {
			wild := in
			wild.K, wild.V = slices.Clone(in.K), slices.Clone(in.V)
			for j := range tokens {
				if j < i-window || j > i+window {
					fill(wild.K[j*in.Stride:][:width], float32(math.NaN()))
					fill(wild.V[j*in.Stride:][:width], float32(math.Inf(1)))
				}
			}
			got := attend(t, k, wild, s)
			sameBits(t, fmt.Sprintf("%s query %d", isa, i), got[i*width:][:width], want[i*width:][:width])
		}
	}
}

func fill(x []float32, v float32) {
	for i := range x {
		x[i] = v
	}
}

// Heads that share keys and values give the bits of heads that each have a copy.
func TestN2_SharedKeysAreThoseOfEachHead(t *testing.T) {
	const tokens, heads, shared, dim = 45, 6, 2, 24
	width, r := heads*dim, newRandom()
	stride := width + 2*shared*dim
	x := randomFloats(r, tokens*stride, 2)
	in := AttentionInput{Q: x, K: x[width:], V: x[width+shared*dim:], Stride: stride, Tokens: tokens, Heads: heads, HeadDim: dim, KVHeads: shared}
	copied := AttentionInput{Q: x, K: make([]float32, len(x)), V: make([]float32, len(x)), Stride: stride, Tokens: tokens, Heads: heads, HeadDim: dim}
	for token := range tokens {
		for head := range heads {
			from := token*stride + head/(heads/shared)*dim
			copy(copied.K[token*stride+head*dim:][:dim], in.K[from:])
			copy(copied.V[token*stride+head*dim:][:dim], in.V[from:])
		}
	}
	for _, isa := range ISAs() {
		for _, window := range []int{0, 7} {
			k, s := newKernel(t, isa), newScratch(t)
			in.Window, copied.Window = window, window
			sameBits(t, fmt.Sprintf("%s window %d", isa, window), attend(t, k, in, s), attend(t, k, copied, s))
		}
	}
}

// TestN2_AttentionOfAQueryDoesNotDependOnOthers moves a query to another place
// of the sequence; keys and values stay. A tile of queries would show.
func TestN2_AttentionOfAQueryDoesNotDependOnOthers(t *testing.T) {
	const tokens, heads, dim = 37, 3, 32
	width := heads * dim
	for _, isa := range ISAs() {
		k, s := newKernel(t, isa), newScratch(t)
		in := randomAttention(newRandom(), tokens, heads, dim)
		before := attend(t, k, in, s)
		swapped := make([]float32, len(in.Q))
		copy(swapped, in.Q)
		for i := range tokens { // reverse the queries
			copy(swapped[i*in.Stride:][:width], in.Q[(tokens-1-i)*in.Stride:][:width])
		}
		in.Q = swapped
		after := attend(t, k, in, s)
		for i := range tokens {
			sameBits(t, fmt.Sprintf("%s query %d", isa, i), after[(tokens-1-i)*width:][:width], before[i*width:][:width])
		}
	}
}

// randomBias is a bias of other numbers for each head and distance.
func randomBias(r *rand.Rand, heads, tokens int) *RelativeBias {
	return NewRelativeBias(heads, tokens, func(int, int) float32 { return 6*r.Float32() - 3 })
}

func TestN2_AttentionWithABiasIsTheSameOnEveryISA(t *testing.T) {
	plain, s := newKernel(t, Plain), newScratch(t)
	for _, tokens := range []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 48, 65, 185} {
		for _, dim := range []int{16, 20, 64} {
			in := randomAttention(newRandom(), tokens, 3, dim)
			for _, room := range []int{tokens, tokens + 1, tokens + 40} {
				in.Bias = randomBias(newRandom(), 3, room)
				for _, window := range []int{0, 3, 30} {
					in.Window = window
					want := attend(t, plain, in, s)
					for _, isa := range fasterISAs(t) {
						got := attend(t, newKernel(t, isa), in, s)
						sameBits(t, fmt.Sprintf("%s, %d tokens of %d, dimension %d, window %d", isa, tokens, room, dim, window), got, want)
					}
				}
			}
		}
	}
}

// A bias follows from the distance alone: that of a longer input starts with the same
// numbers around each token.
func TestABiasIsThatOfTheDistance(t *testing.T) {
	of := func(head, distance int) float32 { return float32(100*head + distance) }
	for _, room := range []int{1, 5, 30} {
		b := NewRelativeBias(2, room, of)
		for head := range 2 {
			for i := range room {
				for j, v := range b.of(head, i)[:room] {
					if v != of(head, j-i) {
						t.Fatalf("head %d, query %d, key %d: %v", head, i, j, v)
					}
				}
			}
		}
	}
	in := randomAttention(newRandom(), 9, 2, 16)
	in.Bias = NewRelativeBias(2, 8, of)
	defer func() {
		if recover() == nil {
			t.Error("a bias for 8 tokens is enough for 9")
		}
	}()
	_ = newKernel(t, Plain).Attention(make([]float32, 9*32), in, newScratch(t))
}

func TestAttentionIsCloseToFloat64(t *testing.T) {
	for _, window := range []int{0, 12} {
		closeToFloat64(t, window, nil)
		closeToFloat64(t, window, randomBias(newRandom(), 2, 60))
	}
}

func closeToFloat64(t *testing.T, window int, bias *RelativeBias) {
	const tokens, heads, dim = 50, 2, 32
	in := randomAttention(newRandom(), tokens, heads, dim)
	in.Window, in.Bias = window, bias
	got := attend(t, newKernel(t, Auto), in, newScratch(t))
	for i := range tokens {
		for h := range heads {
			weights := make([]float64, tokens)
			var sum float64
			for j := range weights {
				if window > 0 && (j < i-window || j > i+window) {
					continue
				}
				var score float64
				for d := range dim {
					score += float64(in.Q[i*in.Stride+h*dim+d]) * float64(in.K[j*in.Stride+h*dim+d])
				}
				score /= math.Sqrt(dim)
				if bias != nil {
					score += float64(bias.of(h, i)[j])
				}
				weights[j] = math.Exp(score)
				sum += weights[j]
			}
			for d := range dim {
				var want float64
				for j, weight := range weights {
					want += weight / sum * float64(in.V[j*in.Stride+h*dim+d])
				}
				if have := float64(got[(i*heads+h)*dim+d]); math.Abs(have-want) > 2e-5 {
					t.Fatalf("query %d head %d column %d: %g, want %g", i, h, d, have, want)
				}
			}
		}
	}
}

// TestAttentionSurvivesWildValues wants the same bits with every instruction set, and no
// crash, where scores overflow or are no numbers.
func TestAttentionSurvivesWildValues(t *testing.T) {
	const heads, dim = 1, 16
	x := awkwardRows(newRandom(), 3*heads*dim)
	in := attentionOver(x, len(x)/(3*dim), heads, dim)
	s := newScratch(t)
	want := attend(t, newKernel(t, Plain), in, s)
	for _, isa := range fasterISAs(t) {
		sameBits(t, string(isa), attend(t, newKernel(t, isa), in, s), want)
	}
}

func TestAttentionOfOneTokenIsItsValue(t *testing.T) {
	in := randomAttention(newRandom(), 1, 2, 16)
	sameBits(t, "one token", attend(t, newKernel(t, Auto), in, newScratch(t)), in.V[:32])
}
