package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// causalShape is the shape of a decoder's attention.
type causalShape struct{ heads, kvHeads, headDim int }

var causalShapes = []causalShape{{9, 3, 64}, {4, 4, 16}, {6, 1, 20}, {10, 2, 128}, {2, 1, 4}, {3, 1, 96}}

// sequence is a whole sequence: queries, and its cache as floats and as bytes.
type sequence struct {
	causalShape
	tokens        int
	queries       []float32
	floats, bytes KeyValues
}

func newSequence(t testing.TB, r *rand.Rand, shape causalShape, tokens int) sequence {
	t.Helper()
	k, width := newKernel(t, Plain), shape.kvHeads*shape.headDim
	s := sequence{causalShape: shape, tokens: tokens, queries: randomFloats(r, tokens*shape.heads*shape.headDim, 2)}
	s.floats.Tokens, s.bytes.Tokens = tokens, tokens
	for _, pair := range [][2]*HeadRows{{&s.floats.K, &s.bytes.K}, {&s.floats.V, &s.bytes.V}} {
		stored := HeadRows{Bytes: make([]int8, tokens*width), Scale: make([]BFloat16, tokens*shape.kvHeads)}
		k.QuantizeHeads(stored.Bytes, stored.Scale, randomFloats(r, tokens*width, 1), tokens, shape.kvHeads, shape.headDim, width)
		*pair[1] = stored
		expanded := make([]float32, tokens*width)
		for i := range expanded {
			expanded[i] = float32(stored.Bytes[i]) * stored.Scale[i/shape.headDim].Float32()
		}
		*pair[0] = HeadRows{Floats: expanded}
	}
	return s
}

// rows is the input for the rows from to to-1 over a cache.
func (s sequence) rows(from, to int, cache ...KeyValues) CausalInput {
	width := s.heads * s.headDim
	in := CausalInput{Q: s.queries[from*width : to*width], Stride: width,
		Heads: s.heads, KVHeads: s.kvHeads, HeadDim: s.headDim, Cache: cache}
	for position := from; position < to; position++ {
		in.Positions = append(in.Positions, int32(position))
	}
	return in
}

// cut returns tokens from to to-1 of a cache.
func (s sequence) cut(all KeyValues, from, to int) KeyValues {
	cutRows := func(r HeadRows) HeadRows {
		width := s.kvHeads * s.headDim
		if r.Floats != nil {
			return HeadRows{Floats: slices.Clone(r.Floats[from*width : to*width])}
		}
		return HeadRows{Bytes: slices.Clone(r.Bytes[from*width : to*width]), Scale: slices.Clone(r.Scale[from*s.kvHeads : to*s.kvHeads])}
	}
	return KeyValues{Tokens: to - from, K: cutRows(all.K), V: cutRows(all.V)}
}

func attendCausally(t testing.TB, k *Kernel, in CausalInput) []float32 {
	t.Helper()
	s := NewScratch(nil)
	dst, intact := guarded[float32](t, len(in.Positions)*in.Heads*in.HeadDim)
	if err := k.CausalAttention(dst, in, s); err != nil {
		t.Fatal(err)
	}
	intact()
	if err := s.Free(); err != nil {
		t.Fatal(err)
	}
	return dst
}

// obviousCausal is the definition, for one contiguous cache of floats: no
// blocks, no spans, no shared work.
func obviousCausal(s sequence, window int) []float32 {
	width, kvWidth := s.heads*s.headDim, s.kvHeads*s.headDim
	dst := make([]float32, s.tokens*width)
	for position := range s.tokens {
		first := 0
		if window > 0 {
			first = max(0, position+1-window)
		}
		for head := range s.heads {
			at, column := position*width+head*s.headDim, head/(s.heads/s.kvHeads)*s.headDim
			query, weights, largest := s.queries[at:][:s.headDim], []float32{}, float32(math.Inf(-1))
			for key := first; key <= position; key++ {
				score := plainDot(query, s.floats.K.Floats[key*kvWidth+column:][:s.headDim])
				weights, largest = append(weights, score), max(largest, score)
			}
			for i, score := range weights {
				weights[i] = exp(float32((score - largest) * attentionScale(s.headDim)))
			}
			inverse := 1 / plainSum(weights)
			for i, weight := range weights {
				for d, v := range s.floats.V.Floats[(first+i)*kvWidth+column:][:s.headDim] {
					dst[at+d] += float32(float32(weight*inverse) * v)
				}
			}
		}
	}
	return dst
}

func TestN2_CausalAttentionIsItsDefinitionOnEveryISA(t *testing.T) {
	for _, shape := range causalShapes {
		for _, tokens := range []int{1, 2, 5, 17, 33, 70} {
			for _, window := range []int{0, 1, 8, 19} {
				s := newSequence(t, newRandom(), shape, tokens)
				want := obviousCausal(s, window)
				for _, isa := range ISAs() {
					for i, cache := range []KeyValues{s.floats, s.bytes} {
						in := s.rows(0, tokens, cache)
						in.Window = window
						got := attendCausally(t, newKernel(t, isa), in)
						sameBits(t, fmt.Sprintf("%s %+v, %d tokens, window %d, cache %d", isa, shape, tokens, window, i), got, want)
					}
				}
			}
		}
	}
}

// TestN2_N3_ChunksOfAPromptDoNotShow computes a prompt token by token, in
// chunks of several sizes, and whole, over caches cut at several places.
func TestN2_N3_ChunksOfAPromptDoNotShow(t *testing.T) {
	const tokens = 75
	s := newSequence(t, newRandom(), causalShape{9, 3, 64}, tokens)
	width := s.heads * s.headDim
	for _, isa := range ISAs() {
		k := newKernel(t, isa)
		want := attendCausally(t, k, s.rows(0, tokens, s.bytes))
		for _, chunk := range []int{1, 3, 8, 16, 40} {
			for _, cuts := range [][]int{{}, {1}, {32}, {33}, {16, 32, 48, 64}, {0, 20, 20}} {
				var cache []KeyValues
				ends := append(slices.Clone(cuts), tokens)
				for i, end := range ends {
					cache = append(cache, s.cut(s.bytes, append([]int{0}, cuts...)[i], end))
				}
				for from := 0; from < tokens; from += chunk {
					to := min(from+chunk, tokens)
					got := attendCausally(t, k, s.rows(from, to, cache...))
					sameBits(t, fmt.Sprintf("%s chunk %d at %d, cuts %v", isa, chunk, from, cuts), got, want[from*width:to*width])
				}
			}
		}
	}
}

// TestN2_SpansOfMixedKindsDoNotShow attends to a prefix of floats and a rest of
// bytes.
// TestN2_PartsOfTheHeadsAreThoseOfAll cuts the heads in two anywhere, within a
// group that shares keys too.
func TestN2_PartsOfTheHeadsAreThoseOfAll(t *testing.T) {
	const tokens = 45
	for _, shape := range causalShapes {
		s := newSequence(t, newRandom(), shape, tokens)
		for _, isa := range ISAs() {
			k := newKernel(t, isa)
			in := s.rows(20, tokens, s.bytes)
			want := attendCausally(t, k, in)
			for cut := 1; cut < shape.heads; cut++ {
				scratch, got := newScratch(t), make([]float32, len(want))
				for _, part := range []HeadRange{{0, cut}, {cut, shape.heads}} {
					in.Part = part
					if err := k.CausalAttention(got, in, scratch); err != nil {
						t.Fatal(err)
					}
				}
				sameBits(t, fmt.Sprintf("%s %+v cut at %d", isa, shape, cut), got, want)
			}
		}
	}
}

// TestSpansTakeOneCall: however many there are, a block of rows enters native code once
// for its scores and once for its values, and once more for the keys of a tree.
func TestSpansTakeOneCall(t *testing.T) {
	const tokens, chunk = 200, 16
	s := newSequence(t, newRandom(), causalShape{4, 2, 32}, tokens)
	var cache []KeyValues
	for from := 0; from < tokens; from += chunk {
		cache = append(cache, s.cut(s.bytes, from, min(from+chunk, tokens)))
	}
	for _, isa := range ISAs() {
		k, calls := *newKernel(t, isa), 0
		scores, values := k.ops.causalScores, k.ops.causalValues
		k.ops.causalScores = func(b *causalBlock, spans []KeyValues, list []int32) { calls++; scores(b, spans, list) }
		k.ops.causalValues = func(b *causalBlock, spans []KeyValues, list []int32) { calls++; values(b, spans, list) }
		in := s.rows(tokens-8, tokens, cache...)
		want := attendCausally(t, newKernel(t, isa), s.rows(tokens-8, tokens, s.bytes))
		sameBits(t, string(isa), attendCausally(t, &k, in), want)
		if calls != 2 {
			t.Errorf("%s: %d calls for %d spans, want 2", isa, calls, len(cache))
		}
		in.Draft, in.Ancestors, calls = s.cut(s.bytes, tokens-8, tokens), make([][]int32, 8), 0
		for row := range in.Ancestors {
			for node := range row + 1 {
				in.Ancestors[row] = append(in.Ancestors[row], int32(node))
			}
		}
		in.Cache = cache[:12] // 192 tokens
		sameBits(t, string(isa)+", tree", attendCausally(t, &k, in), want)
		if calls != 4 {
			t.Errorf("%s: %d calls for %d spans and a tree, want 4", isa, calls, len(in.Cache))
		}
	}
}

func TestN2_SpansOfMixedKindsDoNotShow(t *testing.T) {
	const tokens = 40
	s := newSequence(t, newRandom(), causalShape{4, 2, 32}, tokens)
	want := obviousCausal(s, 0)
	for _, isa := range ISAs() {
		in := s.rows(0, tokens, s.cut(s.floats, 0, 13), s.cut(s.bytes, 13, tokens))
		sameBits(t, string(isa), attendCausally(t, newKernel(t, isa), in), want)
	}
}

// draftTree returns parents of a random tree of nodes; the root is node 0.
func draftTree(r *rand.Rand, nodes int) []int {
	parents := []int{-1}
	for node := 1; node < nodes; node++ {
		parents = append(parents, r.IntN(node))
	}
	return parents
}

func ancestorsOf(parents []int, node int) []int32 {
	var path []int32
	for ; node >= 0; node = parents[node] {
		path = append(path, int32(node))
	}
	slices.Reverse(path)
	return path
}

// TestN2_ATreeIsItsChains verifies each node of a draft tree as the last token
// of the plain sequence that its ancestors make.
func TestN2_ATreeIsItsChains(t *testing.T) {
	const base, nodes = 37, 45
	shape := causalShape{6, 2, 48}
	width, r := shape.heads*shape.headDim, newRandom()
	s := newSequence(t, r, shape, base+nodes)
	parents := draftTree(r, nodes)
	for _, window := range []int{0, 3, 40} {
		in := s.rows(base, base+nodes, s.cut(s.bytes, 0, base))
		in.Draft, in.Window = s.cut(s.bytes, base, base+nodes), window
		for node := range nodes {
			in.Ancestors = append(in.Ancestors, ancestorsOf(parents, node))
			in.Positions[node] = int32(base + len(in.Ancestors[node]) - 1)
		}
		for _, isa := range ISAs() {
			k := newKernel(t, isa)
			got := attendCausally(t, k, in)
			for node, path := range in.Ancestors {
				cache := []KeyValues{s.cut(s.bytes, 0, base)}
				for _, token := range path {
					cache = append(cache, s.cut(s.bytes, base+int(token), base+int(token)+1))
				}
				chain := s.rows(base+node, base+node+1, cache...)
				chain.Positions[0], chain.Window = in.Positions[node], window
				sameBits(t, fmt.Sprintf("%s window %d node %d", isa, window, node),
					got[node*width:(node+1)*width], attendCausally(t, k, chain))
			}
		}
	}
}

func TestCausalAttentionSurvivesWildValues(t *testing.T) {
	shape := causalShape{2, 1, 16}
	wild := awkwardRows(newRandom(), 16)
	tokens := len(wild) / 16
	s := newSequence(t, newRandom(), shape, tokens)
	s.floats.K.Floats, s.floats.V.Floats = wild, wild
	in := s.rows(0, tokens, s.floats)
	density := make([]uint32, tokens)
	in.Density = density
	want := attendCausally(t, newKernel(t, Plain), in)
	for _, isa := range fasterISAs(t) {
		in.Density = make([]uint32, tokens)
		sameBits(t, string(isa), attendCausally(t, newKernel(t, isa), in), want)
		if !slices.Equal(in.Density, density) {
			t.Errorf("%s: density %v, want %v", isa, in.Density, density)
		}
	}
}

func TestCausalAttentionIsCloseToFloat64(t *testing.T) {
	const tokens = 60
	s := newSequence(t, newRandom(), causalShape{2, 1, 32}, tokens)
	got := attendCausally(t, newKernel(t, Auto), s.rows(tokens-1, tokens, s.bytes))
	for head := range s.heads {
		weights, sum := make([]float64, tokens), 0.0
		for j := range weights {
			var score float64
			for d := range s.headDim {
				score += float64(s.queries[((tokens-1)*s.heads+head)*s.headDim+d]) * float64(s.floats.K.Floats[j*s.headDim+d])
			}
			weights[j] = math.Exp(score / math.Sqrt(float64(s.headDim)))
			sum += weights[j]
		}
		for d := range s.headDim {
			var want float64
			for j, weight := range weights {
				want += weight / sum * float64(s.floats.V.Floats[j*s.headDim+d])
			}
			if have := float64(got[head*s.headDim+d]); math.Abs(have-want) > 1e-5 {
				t.Fatalf("head %d column %d: %g, want %g", head, d, have, want)
			}
		}
	}
}

func TestCausalInputsThatDoNotFitPanic(t *testing.T) {
	s := newSequence(t, newRandom(), causalShape{4, 2, 16}, 8)
	for name, spoil := range map[string]func(in *CausalInput){
		"future position":   func(in *CausalInput) { in.Positions[7] = 8 },
		"negative position": func(in *CausalInput) { in.Positions[0] = -1 },
		"heads":             func(in *CausalInput) { in.KVHeads = 3 },
		"short keys":        func(in *CausalInput) { in.Cache[0].Tokens = 9 },
		"short scale":       func(in *CausalInput) { in.Cache[0].V.Scale = in.Cache[0].V.Scale[1:] },
		"short density":     func(in *CausalInput) { in.Density = make([]uint32, 7) },
		"descending ancestors": func(in *CausalInput) {
			in.Draft, in.Ancestors = s.bytes, make([][]int32, 8)
			in.Ancestors[7] = []int32{3, 2}
		},
	} {
		t.Run(name, func(t *testing.T) {
			in := s.rows(0, 8, s.bytes)
			in.Cache = slices.Clone(in.Cache)
			spoil(&in)
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			attendCausally(t, newKernel(t, Auto), in)
		})
	}
}
