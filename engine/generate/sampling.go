package generate

import (
	"fmt"
	"math"
)

// Sampling chooses a token by its logits. The zero value is greedy: the largest
// logit, the first of equal ones. Otherwise a token is drawn from the softmax of
// logits divided by Temperature; tokens a billion times less likely than the
// likeliest are never drawn.
type Sampling struct {
	Temperature float64 // 0 is greedy
	Seed        uint64  // the same seed gives the same text
}

func (s Sampling) check() error {
	if !(s.Temperature >= 0) || math.IsInf(s.Temperature, 1) {
		return fmt.Errorf("temperature %g: want 0, which is greedy, or more", s.Temperature)
	}
	return nil
}

// choose returns the token for a position, by logits, position and settings
// alone: the one with the largest sum of logit and Gumbel noise, which is a
// sample of the softmax.
func (s Sampling) choose(logits []float32, position int) (int32, error) {
	best, err := largest(logits)
	if err != nil || s.Temperature == 0 {
		return best, err
	}
	least := float32(float64(logits[best]) + s.Temperature*math.Log(leastWeight))
	// Sums are relative to the largest logit. A token that the largest noise
	// would not lift above the best so far needs none.
	top, chosen := s.noise(position, best), best
	for i, v := range logits {
		id := int32(i)
		value := (float64(v) - float64(logits[best])) / s.Temperature
		if v < least || id == best || value+maxNoise <= top {
			continue
		}
		if value += s.noise(position, id); value > top || value == top && id < chosen {
			top, chosen = value, id
		}
	}
	return chosen, nil
}

// leastWeight is the probability, relative to the likeliest token's, below
// which tokens are skipped: most of a large vocabulary.
const leastWeight = 1e-9

// maxNoise exceeds all noise: -log(-log(1-2^-54)) is 37.43.
const maxNoise = 37.5

// noise is a sample of the standard Gumbel distribution.
func (s Sampling) noise(position int, id int32) float64 {
	bits := mix(mix(mix(s.Seed)^uint64(position)) ^ uint64(uint32(id)))
	uniform := (float64(bits>>11) + 0.5) / (1 << 53) // never 0, and 1 only by rounding
	if uniform == 1 {
		uniform = 1 - 1.0/(1<<53)
	}
	return -math.Log(-math.Log(uniform))
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood 2014) after its step.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// largest returns the index of the largest logit, the first of equal ones; an
// error for logits that are not finite. It compares eight together, since a new
// maximum is rare in a large vocabulary.
func largest(logits []float32) (int32, error) {
	best, top, from := 0, float32(math.Inf(-1)), 0
	for ; from+8 <= len(logits); from += 8 {
		b := logits[from : from+8 : from+8]
		if b[0] > top || b[1] > top || b[2] > top || b[3] > top || b[4] > top || b[5] > top || b[6] > top || b[7] > top {
			best, top = larger(b, from, best, top)
		}
	}
	best, top = larger(logits[from:], from, best, top)
	if math.IsInf(float64(top), 0) {
		return 0, fmt.Errorf("the model's logits are not finite; its weights may be damaged")
	}
	return int32(best), nil
}

// larger returns index and value of the largest of logits, which begin at from,
// and of the best so far.
func larger(logits []float32, from, best int, top float32) (int, float32) {
	for i, v := range logits {
		if v > top {
			best, top = from+i, v
		}
	}
	return best, top
}
