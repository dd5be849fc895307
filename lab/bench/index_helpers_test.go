package bench

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// plainDot is the inner product in the obvious order.
type plainDot struct{}

func (plainDot) Dot(a, b []float32) float32 {
	sum := float32(0)
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func (d plainDot) DotMany(scores, query []float32, raw []byte) {
	vector := make([]float32, len(query))
	for i := range scores {
		for j := range vector {
			vector[j] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*(i*len(query)+j):]))
		}
		scores[i] = d.Dot(query, vector)
	}
}

const testDim = 16

// clustered makes n unit vectors around n/20 centres, and queries near some of
// them.
func clustered(t testing.TB, n, queries int) *searched {
	const seed = 11
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	centres := make([][]float32, max(1, n/20))
	for i := range centres {
		centres[i] = near(rng, make([]float32, testDim), 1)
	}
	v := &Vectors{Dim: testDim, Dotter: plainDot{}}
	for range n {
		v.Values = append(v.Values, near(rng, centres[rng.IntN(len(centres))], 0.15)...)
	}
	var asked []float32
	for range queries {
		asked = append(asked, near(rng, v.Vector(uint32(rng.IntN(n))), 0.1)...)
	}
	c, err := newSearched(t.Context(), v, int64(500*n), asked)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// near returns a unit vector that differs from another by normal noise.
func near(rng *rand.Rand, from []float32, noise float64) []float32 {
	v, sum := make([]float32, len(from)), 0.0
	for i := range v {
		v[i] = from[i] + float32(noise*rng.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

// quiet returns a comparison that reports to nobody.
func quiet() *comparison {
	return &comparison{codeBytes: testDim / 2, progress: silent}
}

// words embeds a text as the normalised sum of a random vector for each word.
type words struct{ texts *int }

func (words) Dim() int { return testDim }

func (w words) EmbedQueries(ctx context.Context, texts []string) ([]float32, error) {
	return w.EmbedDocuments(ctx, texts)
}

func (w words) EmbedDocuments(_ context.Context, texts []string) ([]float32, error) {
	*w.texts += len(texts)
	var out []float32
	for _, text := range texts {
		sum := make([]float32, testDim)
		for _, word := range strings.Fields(text) {
			h := fnv.New64a()
			_, _ = h.Write([]byte(word)) // never fails
			rng := rand.New(rand.NewPCG(h.Sum64(), 0))
			for i := range sum {
				sum[i] += float32(rng.NormFloat64())
			}
		}
		out = append(out, near(rand.New(rand.NewPCG(0, 0)), sum, 0)...)
	}
	return out, nil
}
