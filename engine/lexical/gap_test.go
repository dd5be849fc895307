package lexical

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/internal/rangecode"
)

// TestGapsOfLargeSegments: a list takes no more than the places of its postings tell,
// also in segments far larger than those that chances were counted on.
func TestGapsOfLargeSegments(t *testing.T) {
	const lists = 2000
	for _, chunks := range []int{1 << 12, 1 << 15, 69_000, 179_000, 1 << 21} {
		for _, n := range []int{1, 2, 3, 8, 40} {
			random := rand.New(rand.NewPCG(uint64(chunks), uint64(n)))
			e := modelEncoder{Encoder: rangecode.NewEncoder(nil)}
			for range lists {
				e.shortList(drawn(random, n, chunks), chunks)
			}
			got := 8 * float64(len(e.Close())) / lists
			// As many bits as there are ways to choose, for each a count of one, and what
			// it costs that these do not cluster, as words do.
			least, more := logBinomial(chunks, n)/math.Ln2, 0.5
			if n > 1 {
				more = 3 * float64(n)
			}
			if got > least+more {
				t.Errorf("%d postings of %d chunks take %.1f bits where %.1f would do", n, chunks, got, least)
			}
		}
	}
}

// drawn returns the postings of n chunks.
func drawn(random *rand.Rand, n, chunks int) (list []posting) {
	places := map[uint32]bool{}
	for len(places) < n {
		places[uint32(random.IntN(chunks))] = true
	}
	for place := range places {
		list = append(list, posting{chunk: place, count: 1})
	}
	slices.SortFunc(list, func(a, b posting) int { return int(a.chunk) - int(b.chunk) })
	return list
}

func logBinomial(n, k int) float64 {
	lgamma := func(x int) float64 { v, _ := math.Lgamma(float64(x)); return v }
	return lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1)
}
