package generate

import (
	"fmt"
	"math"
)

// Sampling is how a token is chosen by its logits. The zero value is greedy:
// the largest logit, of equal ones the first.
//
// Otherwise logits are divided by Temperature. Of the distribution that they
// make, the likeliest tokens whose probabilities add up to TopP stay, and of
// these the ones with at least MinP times the probability of the likeliest, or a
// billionth where that is more.
type Sampling struct {
	Temperature float64 // 0 is greedy
	TopP        float64 // 0 or 1 for all
	MinP        float64 // 0 for all
	Seed        uint64  // the same seed gives the same text
}

func (s Sampling) check() error {
	switch {
	case !(s.Temperature >= 0) || math.IsInf(s.Temperature, 1):
		return fmt.Errorf("temperature %g: want 0, which is greedy, or more", s.Temperature)
	case !(s.TopP >= 0 && s.TopP <= 1):
		return fmt.Errorf("top-p %g: want 0 to 1", s.TopP)
	case !(s.MinP >= 0 && s.MinP <= 1):
		return fmt.Errorf("min-p %g: want 0 to 1", s.MinP)
	}
	return nil
}

// sampler chooses tokens.
type sampler struct {
	Sampling
	kept nucleus
}

// choose returns the token for a position. It depends on the logits, the position and
// the settings alone: it has the largest sum of a logit and Gumbel noise, which is a
// function of seed, position and token. That is a sample of the softmax.
func (s *sampler) choose(logits []float32, position int) (int32, error) {
	best, err := largest(logits)
	if err != nil || s.Temperature == 0 {
		return best, err
	}
	if s.TopP > 0 && s.TopP < 1 {
		return s.sample(s.kept.likeliest(logits, best, s.Temperature, s.TopP), logits, best, position), nil
	}
	return s.sample(nil, logits, best, position), nil
}

// sample chooses among the tokens of ids, or among all if ids is nil. best has the
// largest logit.
func (s *sampler) sample(ids []int32, logits []float32, best int32, position int) int32 {
	// Logits below least are not looked at: of tokens that are too unlikely.
	least := float32(float64(logits[best]) + s.Temperature*math.Log(max(s.MinP, leastWeight)))
	// Sums are relative to the largest logit. A token that the largest noise
	// would not lift above the best so far needs none.
	top, chosen := s.noise(position, best), best
	try := func(id int32) {
		value := (float64(logits[id]) - float64(logits[best])) / s.Temperature
		if id == best || value+maxNoise <= top {
			return
		}
		if value += s.noise(position, id); value > top || value == top && id < chosen {
			top, chosen = value, id
		}
	}
	if ids == nil {
		for id, v := range logits {
			if v >= least {
				try(int32(id))
			}
		}
	}
	for _, id := range ids {
		if logits[id] >= least {
			try(id)
		}
	}
	return chosen
}

// leastWeight is the probability, relative to the likeliest token, below which a token is
// not looked at. It spares most of a large vocabulary.
const leastWeight = 1e-9

// maxNoise is more than noise ever returns: -log(-log(1-2^-54)) is 37.43.
const maxNoise = 37.5

// noise is a sample of the standard Gumbel distribution.
func (s *sampler) noise(position int, id int32) float64 {
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

// largest returns the place of the largest logit, of equal ones the first. It returns an
// error for logits that are not finite. Eight are compared together, since a logit that
// is larger than all before it is rare in a large vocabulary.
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

// larger returns the place and value of the largest of logits, which begin at place
// from, and of the best so far.
func larger(logits []float32, from, best int, top float32) (int, float32) {
	for i, v := range logits {
		if v > top {
			best, top = from+i, v
		}
	}
	return best, top
}
