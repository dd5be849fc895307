package generate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/generate"
)

func choose(t testing.TB, s generate.Sampling, logits []float32, position int) int32 {
	t.Helper()
	id, err := generate.Choose(s, logits, position)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestGreedyTakesTheFirstLargest(t *testing.T) {
	for _, c := range []struct {
		logits []float32
		want   int32
	}{{[]float32{1, 3, 2}, 1}, {[]float32{5, 5}, 0}, {[]float32{-3, -2, -2}, 1}, {[]float32{float32(math.NaN()), 0}, 1}} {
		if got := choose(t, generate.Sampling{}, c.logits, 1); got != c.want {
			t.Errorf("%v: %d", c.logits, got)
		}
	}
	for _, v := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		if _, err := generate.Choose(generate.Sampling{Temperature: 1}, []float32{v, v}, 1); err == nil {
			t.Errorf("chosen of %g", v)
		}
	}
}

// Over positions, and over seeds, tokens come as often as the softmax of what
// the settings leave says.
func TestSamplingFollowsTheDistribution(t *testing.T) {
	const draws = 40000
	logits := []float32{1, 2.5, -1, 2, 0.5, 2.5}
	for name, c := range map[string]struct {
		sampling generate.Sampling
		kept     []int // likeliest first
	}{
		"all":  {generate.Sampling{Temperature: 1, Seed: 1}, []int{1, 5, 3, 0, 4, 2}},
		"cold": {generate.Sampling{Temperature: 0.4, Seed: 2}, []int{1, 5, 3, 0, 4, 2}},
	} {
		total, counts := 0.0, make([]int, len(logits))
		for _, id := range c.kept {
			total += math.Exp(float64(logits[id]) / c.sampling.Temperature)
		}
		for i := range draws {
			s := c.sampling
			if i%2 == 0 {
				s.Seed += uint64(i)
			}
			counts[choose(t, s, logits, i)]++
		}
		for id, count := range counts {
			p := 0.0
			if slices.Contains(c.kept, id) {
				p = math.Exp(float64(logits[id])/c.sampling.Temperature) / total
			}
			deviation := math.Sqrt(p * (1 - p) * draws)
			if math.Abs(float64(count)-p*draws) > 4.5*deviation {
				t.Errorf("%s: token %d came %d times, want %.0f", name, id, count, p*draws)
			}
		}
	}
}

// Which tokens are skipped because no noise would lift them changes nothing:
// the sample is the largest sum over all.
func TestSamplingIsTheLargestSum(t *testing.T) {
	const seed = 97
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range 200 {
		logits := make([]float32, 500)
		for j := range logits {
			logits[j] = float32(20 * rng.NormFloat64())
		}
		s := generate.Sampling{Temperature: 0.1 + 3*rng.Float64(), Seed: rng.Uint64()}
		got := choose(t, s, logits, i)
		// Of one token against each other one the same wins.
		for other := range logits {
			pair := slices.Repeat([]float32{float32(math.Inf(-1))}, len(logits))
			pair[got], pair[other] = logits[got], logits[other]
			if won := choose(t, s, pair, i); won != got {
				t.Fatalf("token %d is chosen of all, but %d of the two", got, won)
			}
		}
	}
}
